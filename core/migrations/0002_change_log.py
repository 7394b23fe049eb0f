from django.db import migrations

from core.constraints import append_only


class Migration(migrations.Migration):
    dependencies = [("core", "0001_initial")]
    operations = [*append_only("core_change")]
