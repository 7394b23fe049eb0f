from recovery.models.recoveries import Recovery, RecoveryQuerySet, Report, Stage

__all__ = ["Recovery", "RecoveryQuerySet", "Report", "Stage"]
