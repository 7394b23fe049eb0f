"""Reads come from the queryset; writes are verbs and go to operations."""

import hashlib
import json
from typing import Any, ClassVar, TypeVar

from django.db import IntegrityError, transaction
from django.db.models import Model, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet, ReadOnlyModelViewSet

from core.api.errors import PreconditionRequired, Replay
from core.errors import Refused, Stale
from core.models import IdempotencyKey

M = TypeVar("M", bound=Model)


class WriteMixin:
    """
    `Idempotency-Key` on writes: the same key and body give the same answer for 24 h.

    The same key with another body, or one that is still being answered, is refused with 409.
    """

    read_scope: ClassVar[str] = "read"
    write_scope: ClassVar[str] = "respond"
    _idempotency: IdempotencyKey | None = None

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)  # type: ignore[misc]
        key = request.headers.get("Idempotency-Key", "")[:200]
        if key and request.method not in ("GET", "HEAD", "OPTIONS"):
            self._idempotency = _claim(request, key)

    def finalize_response(
        self, request: Request, response: Response, *args: Any, **kwargs: Any
    ) -> Response:
        response = super().finalize_response(request, response, *args, **kwargs)  # type: ignore[misc]
        if self._idempotency is not None:
            _keep(self._idempotency, response)
        return response


def _claim(request: Request, key: str) -> IdempotencyKey:
    raw = json.dumps([request.method, request.path, request.data], sort_keys=True, default=str)
    digest = hashlib.sha256(raw.encode()).hexdigest()
    try:
        with transaction.atomic():
            return IdempotencyKey.objects.create(
                user_id=_who(request), key=key, request_hash=digest, created_at=timezone.now()
            )
    except IntegrityError:
        kept = IdempotencyKey.objects.get(user_id=_who(request), key=key)
    if kept.request_hash != digest:
        raise Refused(_("This Idempotency-Key was used for another request; take a new one."))
    if kept.status is None:
        raise Refused(_("The first request with this Idempotency-Key is still being answered."))
    raise Replay(kept.status, kept.answer)


def _who(request: Request) -> int:
    pk = request.user.pk
    assert isinstance(pk, int)  # noqa: S101  (permissions let nobody else through)
    return pk


def _keep(claim: IdempotencyKey, response: Response) -> None:
    """A server error is not an answer: the key is free again."""
    if response.status_code >= 500:
        claim.delete()
        return
    claim.status = response.status_code
    claim.answer = json.loads(json.dumps(response.data, default=str))
    claim.save(update_fields=["status", "answer"])


class ReadViewSet(WriteMixin, ReadOnlyModelViewSet[M]):
    """Lists and details with cursor pages; subclasses filter by `people.queries.visible`."""


class VersionedMixin:
    """
    ETag on reads, `If-Match` needed on PUT and PATCH: 428 without, 412 when stale.

    The version counts only fields that people edit (`version_field`); weak and strong forms
    compare by value, because a compressing proxy makes a strong tag weak.
    """

    version_field: ClassVar[str] = "version"

    def retrieve(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        response: Response = super().retrieve(request, *args, **kwargs)  # type: ignore[misc]
        response["ETag"] = self.etag(self.get_object())  # type: ignore[attr-defined]
        return response

    def etag(self, obj: Any) -> str:
        return f'"{getattr(obj, self.version_field)}"'

    def expected_version(self, request: Request, obj: Any) -> int:
        """The version the caller edited; refused when missing or not the current one."""
        given = request.headers.get("If-Match", "")
        if not given:
            raise PreconditionRequired(_("Send If-Match with the ETag of the version you edited."))
        current = getattr(obj, self.version_field)
        tags = [tag.strip().removeprefix("W/").strip('"') for tag in given.split(",")]
        if "*" not in tags and str(current) not in tags:
            serializer = self.get_serializer(obj)  # type: ignore[attr-defined]
            raise Stale(_("Somebody changed this since you read it."), current=serializer.data)
        return int(current)


def rows(view: GenericViewSet[Any]) -> QuerySet[Any]:
    """The rows of a list with its filters, without pages: for exports."""
    return view.filter_queryset(view.get_queryset())
