from postmortems.models.postmortems import Postmortem, PostmortemQuerySet

__all__ = ["Postmortem", "PostmortemQuerySet"]
