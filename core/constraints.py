"""Rules that live in the database."""

from collections.abc import Sequence

from django.db import migrations
from django.db.models import CheckConstraint, Q


def both_or_neither(first: str, second: str, *, name: str) -> CheckConstraint:
    both_null = Q(**{f"{first}__isnull": True, f"{second}__isnull": True})
    neither_null = Q(**{f"{first}__isnull": False, f"{second}__isnull": False})
    return CheckConstraint(condition=both_null | neither_null, name=name)


def one_of(column: str, values: Sequence[str], *, name: str) -> CheckConstraint:
    return CheckConstraint(condition=Q(**{f"{column}__in": list(values)}), name=name)


def append_only(table: str) -> list[migrations.RunSQL]:
    """
    Rows of `table` are written once: a trigger refuses UPDATE and DELETE to everybody.

    TRUNCATE is a privilege, which `grant_roles` never gives to the product's role.
    """
    create = f"""
        CREATE OR REPLACE FUNCTION core_refuse_change() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; END $$;
        CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE ON {table}
        FOR EACH ROW EXECUTE FUNCTION core_refuse_change();
        COMMENT ON TABLE {table} IS 'append-only';
    """
    drop = f"DROP TRIGGER {table}_append_only ON {table};"
    return [migrations.RunSQL(create, drop)]
