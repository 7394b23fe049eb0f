from django.db import migrations

from core.constraints import append_only


class Migration(migrations.Migration):
    dependencies = [("notifications", "0001_initial")]
    operations = append_only("notifications_attempt")
