import gzip
import json
import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client, RequestFactory
from pytest_django.fixtures import Settings

from alerts.models import Receipt, Refusal, Source
from alerts.operations import intake
from alerts.web import hooks
from people.operations import tokens
from tests.alerts.payloads import body, item
from tests.factories import NINE_OCLOCK, UserFactory
from tests.factories.alerts import SourceFactory

pytestmark = pytest.mark.django_db
JSON = "application/json"
KEY = "tell-nobody"


@pytest.fixture(autouse=True)
def _forget_keys() -> Iterator[None]:
    hooks._known.clear()
    yield
    hooks._known.clear()


@pytest.fixture
def source() -> Source:
    return SourceFactory.create(key=KEY)


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        (f"/hooks/alertmanager/{KEY}", {}),
        (f"/hooks/alertmanager/{KEY}/", {}),
        ("/hooks/alertmanager", {"Authorization": f"Bearer {KEY}"}),
        ("/hooks/alertmanager/", {"Authorization": f"bearer {KEY}"}),
    ],
)
def test_a_known_key_is_answered_202_with_the_receipt(
    client: Client, source: Source, path: str, headers: dict[str, str]
) -> None:
    sent = json.dumps(body(item())).encode()

    answer = client.post(path, sent, JSON, headers=headers)

    assert answer.status_code == 202
    receipt = Receipt.objects.get(id=uuid.UUID(answer.json()["receipt"]))
    assert (bytes(receipt.body), receipt.state, receipt.source_id) == (sent, "pending", source.pk)


@pytest.mark.parametrize("raw", [b"", b"\x00\xff", b"{", b"[]", b"not json at all"])
def test_a_body_that_cannot_be_parsed_is_taken_all_the_same(
    client: Client, source: Source, raw: bytes
) -> None:
    assert client.post(f"/hooks/alertmanager/{KEY}", raw, JSON).status_code == 202
    assert bytes(Receipt.objects.get().body) == raw


@pytest.mark.parametrize(
    "path", ["/hooks/alertmanager/wrong", "/hooks/alertmanager", "/hooks/json/" + KEY]
)
def test_an_unknown_key_is_refused_counted_and_stores_nothing(
    client: Client, source: Source, path: str
) -> None:
    answers = [client.post(path, b"{}", JSON) for _ in range(2)]

    assert [answer.status_code for answer in answers] == [401, 401]
    assert (Refusal.objects.get().status, Refusal.objects.get().count) == (401, 2)
    assert not Receipt.objects.exists()


def test_a_source_that_is_off_is_refused(client: Client) -> None:
    SourceFactory.create(key=KEY, enabled=False)

    assert client.post(f"/hooks/alertmanager/{KEY}", b"{}", JSON).status_code == 401


@pytest.mark.parametrize("method", ["get", "put", "delete", "patch"])
def test_other_methods_are_405(client: Client, source: Source, method: str) -> None:
    answer = getattr(client, method)(f"/hooks/alertmanager/{KEY}")

    assert (answer.status_code, answer["Allow"]) == (405, "POST")


def test_a_body_over_the_limit_is_413_and_counted(
    client: Client, source: Source, settings: Settings
) -> None:
    settings.MAX_BODY_MB = 1
    fits, over = b"x" * 2**20, b"x" * (2**20 + 1)

    taken = client.post(f"/hooks/alertmanager/{KEY}", fits, JSON)
    refused = client.post(f"/hooks/alertmanager/{KEY}", over, JSON)

    assert (taken.status_code, refused.status_code) == (202, 413)
    assert Refusal.objects.get(source=source).status == 413


def test_gzip_is_inflated(client: Client, source: Source) -> None:
    plain = json.dumps(body(item())).encode()
    headers = {"Content-Encoding": "gzip"}

    answer = client.post(f"/hooks/alertmanager/{KEY}", gzip.compress(plain), JSON, headers=headers)

    assert answer.status_code == 202
    assert bytes(Receipt.objects.get().body) == plain


def test_gzip_in_several_members_is_inflated_to_its_end(client: Client, source: Source) -> None:
    plain = json.dumps(body(item("A"), item("B"))).encode()
    members = gzip.compress(plain[:100]) + gzip.compress(plain[100:])

    client.post(f"/hooks/alertmanager/{KEY}", members, JSON, headers={"Content-Encoding": "gzip"})

    assert bytes(Receipt.objects.get().body) == plain


def test_gzip_that_was_cut_is_kept_as_it_came(client: Client, source: Source) -> None:
    cut = gzip.compress(json.dumps(body(item())).encode())[:-20]

    client.post(f"/hooks/alertmanager/{KEY}", cut, JSON, headers={"Content-Encoding": "gzip"})

    assert bytes(Receipt.objects.get().body) == cut


def test_a_gzip_bomb_is_413(client: Client, source: Source, settings: Settings) -> None:
    settings.MAX_BODY_MB = 1
    bomb = gzip.compress(b"0" * 50 * 2**20)

    answer = client.post(
        f"/hooks/alertmanager/{KEY}", bomb, JSON, headers={"Content-Encoding": "gzip"}
    )

    assert answer.status_code == 413
    assert not Receipt.objects.exists()


def test_what_is_not_gzip_after_all_is_kept_as_it_came(client: Client, source: Source) -> None:
    client.post(f"/hooks/alertmanager/{KEY}", b"{}", JSON, headers={"Content-Encoding": "gzip"})

    assert bytes(Receipt.objects.get().body) == b"{}"


def test_ten_thousand_alerts_pass(client: Client, source: Source) -> None:
    many = json.dumps(body(*(item(f"A{n}", labels={"pad": "x" * 1000}) for n in range(10_000))))

    assert len(many) > 12 * 2**20
    assert client.post(f"/hooks/alertmanager/{KEY}", many, JSON).status_code == 202


def test_the_receipt_tells_what_became_of_the_body(client: Client, source: Source) -> None:
    path = f"/hooks/alertmanager/{KEY}"
    pk = client.post(path, json.dumps(body(item())), JSON).json()["receipt"]
    intake.parse_all(at=NINE_OCLOCK)

    told = client.get(f"/hooks/receipts/{pk}", headers={"Authorization": f"Bearer {KEY}"}).json()

    assert (told["id"], told["state"], told["reason"]) == (pk, "parsed", "")
    assert len(told["alerts"]) == 1
    assert set(told) == {
        "id", "source", "kind", "received_at", "size", "state", "reason", "alerts", "incidents",
    }  # fmt: skip


def test_a_receipt_is_for_its_own_source_or_a_token_only(client: Client, source: Source) -> None:
    other = SourceFactory.create(key="other")
    pk = client.post(f"/hooks/alertmanager/{KEY}", b"{}", JSON).json()["receipt"]
    user = UserFactory.create()
    _, token = tokens.create(user_id=user.pk, name="t", scopes=["read"], by=None, at=NINE_OCLOCK)
    _, weak = tokens.create(user_id=user.pk, name="w", scopes=[], by=None, at=NINE_OCLOCK)

    def status(secret: str) -> int:
        headers = {"Authorization": f"Bearer {secret}"} if secret else {}
        return client.get(f"/hooks/receipts/{pk}", headers=headers).status_code

    assert other.pk != source.pk
    assert [status(s) for s in (KEY, token, "other", weak, "")] == [200, 200, 401, 401, 401]


def test_the_short_cut_answers_hooks_itself_and_passes_the_rest_on(source: Source) -> None:
    seen: list[str] = []

    def django(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        start_response("200 OK", [])
        return [b"a page"]

    def answer(path: str, raw: bytes = b"{}") -> bytes:
        environ = RequestFactory().post(path, raw, JSON).environ
        return b"".join(hooks.short_cut(django)(environ, lambda status, _: seen.append(status)))

    bodies = [answer(f"/hooks/alertmanager/{KEY}"), answer("/hooks/alertmanager/wrong")]
    others = [answer("/alerts/"), answer(f"/hooks/receipts/{uuid.uuid4()}"), answer("/hooks/a/b/c")]

    assert seen == ["202 Accepted", "401 Unauthorized", "200 OK", "200 OK", "200 OK"]
    assert json.loads(bodies[0])["receipt"]
    assert others == [b"a page"] * 3
