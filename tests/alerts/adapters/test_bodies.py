import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alerts.adapters.base import MalformedPayload
from alerts.adapters.bodies import CUT_MARK, as_text, decode, texts


@given(st.binary(max_size=300))
def test_no_bytes_break_the_decoder(raw: bytes) -> None:
    with suppress(MalformedPayload):
        assert json.dumps(decode(raw))


def test_invalid_utf8_becomes_a_mark() -> None:
    assert decode(b'{"a": "x\xff"}') == {"a": "x�"}


def test_a_byte_order_mark_is_no_harm() -> None:
    assert decode(b'\xef\xbb\xbf{"a": 1}') == {"a": 1}


def test_nan_and_infinity_become_nothing() -> None:
    assert decode(b"[NaN, Infinity, -Infinity, 1e999]") == [None, None, None, None]


def test_an_enormous_number_stays_text() -> None:
    assert decode(b"[" + b"9" * 5000 + b"]") == ["9" * 5000]


def test_a_body_nested_too_deeply_is_refused_not_fatal() -> None:
    with pytest.raises(MalformedPayload):
        decode(b"[" * 100_000 + b"]" * 100_000)


def test_nul_and_lone_surrogates_are_taken_out_of_labels() -> None:
    assert as_text("a\x00b\ud800") == "ab?"


def test_long_and_many_labels_are_cut_with_a_mark() -> None:
    kept, was_cut = texts({f"k{n}": "x" * 3000 for n in range(100)}, longest=2048)

    assert was_cut
    assert len(kept) == 64
    assert kept["k0"].endswith(CUT_MARK)
