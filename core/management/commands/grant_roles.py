from typing import Any

from django.core.management.base import BaseCommand
from django.db import connection

GRANT = """
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'warroom_app') THEN
    CREATE ROLE warroom_app NOLOGIN;
  END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
END $$;
GRANT USAGE ON SCHEMA public TO warroom_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO warroom_app;
GRANT USAGE, SELECT, UPDATE ON ALL SEQUENCES IN SCHEMA public TO warroom_app;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA public TO warroom_app;
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO warroom_app;
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT USAGE, SELECT, UPDATE ON SEQUENCES TO warroom_app;
DO $$ DECLARE t record; BEGIN
  FOR t IN SELECT c.oid::regclass AS name FROM pg_class c
           WHERE c.relkind IN ('r', 'p') AND obj_description(c.oid, 'pg_class') = 'append-only' LOOP
    EXECUTE format('REVOKE UPDATE, DELETE, TRUNCATE ON %s FROM warroom_app', t.name);
  END LOOP;
END $$;
"""


class Command(BaseCommand):
    help = "Give the product's role its rights on the tables; append-only ones get no UPDATE or DELETE. Example: manage.py grant_roles"

    def handle(self, **options: Any) -> None:
        with connection.cursor() as cursor:
            cursor.execute(GRANT)
            cursor.execute(
                "SELECT count(*) FROM pg_class WHERE relkind IN ('r','p')"
                " AND obj_description(oid, 'pg_class') = 'append-only'"
            )
            (kept,) = cursor.fetchone()
        self.stdout.write(f"warroom_app granted; {kept} tables are append-only for it")
