import hashlib

import factory
from factory.django import DjangoModelFactory

from alerts.models import Source
from alerts.states import SourceKind
from tests.factories.instants import NINE_OCLOCK

KEY = "a-key-that-tests-know"


class SourceFactory(DjangoModelFactory[Source]):
    """`key=` gives the source's key; by default each has one of its own."""

    class Meta:
        model = Source

    class Params:
        key = factory.Sequence(lambda n: f"{KEY}-{n}")
        drill = factory.Trait(is_drill=True)

    name = factory.Sequence(lambda n: f"source-{n}")
    kind = SourceKind.ALERTMANAGER
    key_hash = factory.LazyAttribute(lambda o: hashlib.sha256(o.key.encode()).hexdigest())
    key_ends_with = factory.LazyAttribute(lambda o: o.key[-4:])
    created_at = NINE_OCLOCK
