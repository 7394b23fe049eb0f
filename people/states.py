"""Words of the people app: roles, scopes, letters and conditions. Pure data."""

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


class Role(TextChoices):
    """What a person may do on this site, least first."""

    VIEWER = "viewer", _("Viewer")
    ENGINEER = "engineer", _("Engineer")
    COMMANDER = "commander", _("Commander")
    LEAD = "lead", _("Lead")
    ADMIN = "admin", _("Administrator")


class Scope(TextChoices):
    """What an API token may do."""

    READ = "read", pgettext_lazy("scope", "Read")
    RESPOND = "respond", _("Respond")
    MANAGE = "manage", _("Manage")
    ADMIN = "admin", _("Administer")
    ALL = "all", _("Everything")


SCOPES_OF_ROLE: dict[Role, frozenset[Scope]] = {
    Role.VIEWER: frozenset({Scope.READ}),
    Role.ENGINEER: frozenset({Scope.READ, Scope.RESPOND}),
    Role.COMMANDER: frozenset({Scope.READ, Scope.RESPOND}),
    Role.LEAD: frozenset({Scope.READ, Scope.RESPOND, Scope.MANAGE}),
    Role.ADMIN: frozenset(Scope),
}


class Domain(TextChoices):
    """The twelve domains of responsibility, in the order of the matrix."""

    FAC = "FAC", _("Facility")
    HW = "HW", _("Servers and NPUs")
    DRV = "DRV", _("OS, driver, firmware")
    NET = "NET", _("Network")
    STO = "STO", _("Storage")
    PLT = "PLT", _("Platform and scheduler")
    FRM = "FRM", _("Framework")
    JOB = "JOB", _("Customer algorithm team")
    SRE = "SRE", _("Commander on shift")
    TAM = "TAM", _("Customer contact")
    SUP = "SUP", _("Spares and logistics")
    SEC = "SEC", _("Security")


class Letter(TextChoices):
    """What a domain is to a failure class."""

    RESPONSIBLE = "R", _("does it, paged at minute 0")
    ACCOUNTABLE = "A", _("answers for it")
    CONSULTED = "C", _("invited without a page")
    INFORMED = "I", _("told")


class Condition(TextChoices):
    """When a cell's letter applies; otherwise the domain is consulted."""

    ALWAYS = "", _("always")
    TIER_2 = "tier2", _("at tier 2")
    CKPT = "ckpt", _("for checkpoint stalls")
    NOT_CKPT = "not_ckpt", _("not for checkpoint stalls")
    NETWORK_EVIDENCE = "network_evidence", _("with network evidence")
    MANY_NODES = "many_nodes", _("for more than 3 nodes")
    MANY_NODES_OR_POWER = "many_nodes_or_power", _("for more than 3 nodes or power or cooling")
    NOT_LINE = "not_line", _("not for a dedicated line")


class Slot(TextChoices):
    """The two places of a shift."""

    PRIMARY = "primary", _("Primary")
    BACKUP = "backup", _("Backup")
