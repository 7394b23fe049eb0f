from notifications.models.channels import Channel
from notifications.models.deliveries import Attempt, Delivery, DeliveryQuerySet

__all__ = ["Attempt", "Channel", "Delivery", "DeliveryQuerySet"]
