from django.db import migrations

CREATE = """
CREATE FUNCTION sops_refuse_published_change() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN
  RAISE EXCEPTION 'a published procedure version never changes: publish a new one'
    USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER sops_published_is_immutable BEFORE UPDATE OR DELETE ON sops_procedureversion
FOR EACH ROW WHEN (OLD.state = 'published') EXECUTE FUNCTION sops_refuse_published_change();
"""
DROP = """
DROP TRIGGER sops_published_is_immutable ON sops_procedureversion;
DROP FUNCTION sops_refuse_published_change();
"""


class Migration(migrations.Migration):
    dependencies = [("sops", "0001_initial")]
    operations = [migrations.RunSQL(CREATE, DROP)]
