"""What a draft says, from stored instants (I12). Pure but for `facts`, which reads them."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from warroom.models import AffectedJob, Clock, Incident, Participant, TimelineEntry

Block = dict[str, Any]
SILENT = ("asked", "no_answer")


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """An incident as the draft needs it. Instants are aware, in any zone."""

    number: int
    tier: int
    failure_class: str
    occurred_at: datetime | None
    detected_at: datetime
    opened_at: datetime
    acknowledged_at: datetime | None
    assembled_at: datetime | None
    located_at: datetime | None
    restored_at: datetime | None
    root: dict[str, Any]
    root_reason: str
    what_restored: str
    alert_count: int
    received_count: int
    truncated_count: int
    cards_idle: int
    relapses: int
    breached: list[str] = field(default_factory=list)
    met: list[str] = field(default_factory=list)
    late_domains: list[str] = field(default_factory=list)
    nobody_for: list[str] = field(default_factory=list)
    declined: int = 0
    silent: int = 0
    jobs: list[dict[str, Any]] = field(default_factory=list)


def facts(incident: Incident) -> Facts:
    clocks = list(Clock.objects.filter(incident=incident, kind__in=["assemble", "restore"]))
    people = list(Participant.objects.filter(incident=incident))
    entries = list(TimelineEntry.objects.filter(incident=incident).order_by("at", "id"))
    return Facts(
        number=incident.number,
        tier=incident.tier,
        failure_class=incident.failure_class or "",
        occurred_at=incident.occurred_at,
        detected_at=incident.detected_at,
        opened_at=incident.opened_at,
        acknowledged_at=incident.acknowledged_at,
        assembled_at=incident.assembled_at,
        located_at=incident.located_at,
        restored_at=incident.restored_at,
        root=dict(incident.root),
        root_reason=incident.root_reason,
        what_restored=incident.what_restored,
        alert_count=incident.alert_count,
        received_count=incident.received_count,
        truncated_count=incident.truncated_count,
        cards_idle=int(incident.impact.get("cards_idle") or 0),
        relapses=incident.relapses,
        breached=sorted(clock.kind for clock in clocks if clock.breached_at),
        met=sorted(clock.kind for clock in clocks if clock.met_at and not clock.breached_at),
        late_domains=_named(entries, "assemble_breached", "missing"),
        nobody_for=_named(entries, "nobody_on_duty", "domain"),
        declined=sum(person.state == "declined" for person in people),
        silent=sum(person.required and person.state in SILENT for person in people),
        jobs=_jobs(AffectedJob.objects.filter(incident=incident, dropped_at=None).order_by("pk")),
    )


def _named(entries: Iterable[TimelineEntry], kind: str, key: str) -> list[str]:
    """Domains that automatic rows of a kind name under `key`, each once, in order."""
    found: dict[str, None] = {}
    for entry in entries:
        value = entry.params.get(key) if entry.kind == kind else None
        for domain in [value] if isinstance(value, str) else value or []:
            found.setdefault(str(domain))
    return list(found)


def _jobs(jobs: Iterable[AffectedJob]) -> list[dict[str, Any]]:
    return [
        {
            "job_id": job.job_id,
            "proof": job.proof,
            "reason": job.proof_reason,
            "lost_steps": job.lost_steps,
            "checkpoint_step": job.checkpoint_step,
            "restored_at": job.restored_at.isoformat() if job.restored_at else None,
        }
        for job in jobs
    ]


def seconds(start: datetime | None, end: datetime | None) -> float | None:
    return (end - start).total_seconds() if start and end else None


def sections(facts: Facts) -> list[dict[str, Any]]:
    """The draft in order. A section without a block is left for people to write."""
    return [
        {"key": "summary", "blocks": _summary(facts)},
        {"key": "impact", "blocks": _impact(facts)},
        {"key": "detection", "blocks": _detection(facts)},
        {"key": "response", "blocks": _response(facts)},
        {"key": "recovery", "blocks": _recovery(facts)},
        {"key": "root_cause", "blocks": _root_cause(facts)},
        {"key": "went_well", "blocks": _went_well(facts)},
        {"key": "went_wrong", "blocks": _went_wrong(facts)},
        {"key": "questions", "blocks": _questions(facts)},
    ]


def _block(code: str, **params: Any) -> Block:
    return {"code": code, "params": params}


def _summary(f: Facts) -> list[Block]:
    code = "summary_restored" if f.restored_at else "summary_unrestored"
    return [_block(code, number=f.number, tier=f.tier, seconds=seconds(f.opened_at, f.restored_at))]


def _impact(f: Facts) -> list[Block]:
    """Card-hours: idle cards × (restored − occurred, else − opened); domain.md 5.2."""
    blocks = (
        [_block("jobs", jobs=[job["job_id"] for job in f.jobs])] if f.jobs else [_block("no_job")]
    )
    idle = seconds(f.occurred_at or f.opened_at, f.restored_at)
    if f.cards_idle and idle:
        hours = round(f.cards_idle * idle / 3600, 1)
        blocks.append(_block("card_hours", cards=f.cards_idle, seconds=idle, card_hours=hours))
    blocks += [
        _block("lost_steps", job_id=job["job_id"], steps=job["lost_steps"])
        for job in f.jobs
        if job["lost_steps"]
    ]
    return blocks


def _detection(f: Facts) -> list[Block]:
    blocks = (
        [_block("alerts", alerts=f.alert_count, received=f.received_count)] if f.alert_count else []
    )
    if f.truncated_count:
        blocks.append(_block("truncated", count=f.truncated_count))
    if f.occurred_at:
        blocks.append(_block("detected", seconds=seconds(f.occurred_at, f.detected_at)))
    return blocks


def _response(f: Facts) -> list[Block]:
    blocks = []
    if f.acknowledged_at:
        blocks.append(_block("acknowledged", seconds=seconds(f.detected_at, f.acknowledged_at)))
    else:
        blocks.append(_block("never_acknowledged"))
    if f.assembled_at:
        blocks.append(_block("assembled", seconds=seconds(f.opened_at, f.assembled_at)))
    if f.located_at:
        blocks.append(_block("located", seconds=seconds(f.opened_at, f.located_at)))
    return blocks


def _recovery(f: Facts) -> list[Block]:
    blocks = [_block("said", text=f.what_restored)] if f.what_restored else []
    for job in f.jobs:
        if job["proof"]:
            code = "job_proven" if job["proof"] == "steps" else "job_waived"
            blocks.append(_block(code, job_id=job["job_id"], reason=job["reason"]))
    return blocks


def _root_cause(f: Facts) -> list[Block]:
    root = {key: f.root.get(key) for key in ("level", "path", "paths", "cause")}
    blocks = [_block("root", root=root)] if f.root.get("level") else [_block("root_unknown")]
    if f.root_reason:
        blocks.append(_block("said", text=f.root_reason))
    return blocks


def _went_well(f: Facts) -> list[Block]:
    return [_block(f"met_{kind}") for kind in f.met]


def _went_wrong(f: Facts) -> list[Block]:
    blocks = [_block(f"breached_{kind}") for kind in f.breached]
    if f.late_domains:
        blocks.append(_block("late_domains", domains=f.late_domains))
    if f.nobody_for:
        blocks.append(_block("nobody_for", domains=f.nobody_for))
    if f.declined:
        blocks.append(_block("declined", count=f.declined))
    if f.silent:
        blocks.append(_block("silent", count=f.silent))
    if f.relapses:
        blocks.append(_block("relapses", count=f.relapses))
    return blocks


def _questions(f: Facts) -> list[Block]:
    """What a reviewer would ask first: facts that are missing, and deadlines that were."""
    blocks = [] if f.occurred_at else [_block("ask_occurred")]
    if f.root.get("level") in (None, "", "unknown"):
        blocks.append(_block("ask_root"))
    blocks += [_block(f"ask_{kind}") for kind in f.breached]
    if any(job["proof"] == "waiver" for job in f.jobs):
        blocks.append(_block("ask_waiver"))
    blocks.append(_block("ask_earlier"))
    return blocks
