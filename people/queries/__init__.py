"""Reads of the people app: who may see, who is on duty, whom the matrix calls."""

from people.queries.access import visible, who_see
from people.queries.duty import Duty, faces_customer, last_resort, on_duty, on_duty_all
from people.queries.matrix import Cell, required_domains, responsibilities, root_owners

__all__ = [
    "Cell",
    "Duty",
    "faces_customer",
    "last_resort",
    "on_duty",
    "on_duty_all",
    "required_domains",
    "responsibilities",
    "root_owners",
    "visible",
    "who_see",
]
