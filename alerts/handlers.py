"""What this app does when another app's event fires: nothing yet but being there."""
