from __future__ import annotations

import json

import pytest

from campus_agent.models.sse import BodyReader, NotACompletion


def read(body: bytes, size: int = 10_000) -> list[dict]:
    reader = BodyReader()
    items = [item for start in range(0, len(body), size) for item in reader.feed(body[start : start + size])]
    return items + reader.close()


@pytest.mark.parametrize("size", [1, 2, 3, 7, 10_000])
def test_events_are_the_same_however_the_network_cuts_them(size: int) -> None:
    first, second = {"text": "俱乐部 🦀 \u2028 café"}, {"n": 2}
    one, two = json.dumps(first, ensure_ascii=False), json.dumps(second)
    body = f": hello\n\nevent: x\nid: 1\ndata: {one}\r\n\r\ndata:{two}\n\n"
    assert read(body.encode() + b"data: [DONE]\n\n", size) == [first, second]


@pytest.mark.parametrize(
    ("body", "items"),
    [
        (b'{"choices": []}', [{"choices": []}]),
        (b'\n\n  {"a":\n1}\n', [{"a": 1}]),
        (b'\xef\xbb\xbf{"a": 1}', [{"a": 1}]),
        (b'data: {"a":\ndata: 1}\n\n', [{"a": 1}]),
        (b'data: {"a": 1}\ndata: {"a": 2}\n', [{"a": 1}, {"a": 2}]),
        (b'data: {"a": 1}', [{"a": 1}]),
        (b"data: [DONE]\n\ndata: {}\n\n", []),
        (b'retry: 3\ndata:\ndata: {"a": 1}\n\n', [{"a": 1}]),
        (b'data: ping\n\ndata: "alive"\n\ndata: {"a": 1}\n\n', [{"a": 1}]),
        (b'data: {"a": 1}\r\rdata: {"a": 2}\r\r', [{"a": 1}, {"a": 2}]),
        (b': hi\r\rdata:{"a":\rdata: "x"}\r\rdata: [DONE]\r\r', [{"a": "x"}]),
        (b'data: data: {"a": 1}\n\ndata: data:data: [DONE]\n\ndata: {}\n\n', [{"a": 1}]),
        (b'data: {"a": "data: x"}\n\n', [{"a": "data: x"}]),
        (b'{"a": 1}\n{"a": 2}\n', [{"a": 1}, {"a": 2}]),
        (b'{"a": 1}\r\n\r\n{"a": 2}', [{"a": 1}, {"a": 2}]),
        (b"event: error\ndata: upstream timeout\n\n", [{"error": {"message": "upstream timeout"}}]),
        (b'event: error\ndata: {"message": "x"}\n\n', [{"message": "x"}]),
        (b"", []),
        (b" \n", []),
    ],
)
def test_what_a_body_is_shows_in_how_it_begins(body: bytes, items: list[dict]) -> None:
    assert read(body) == items
    assert read(body, 1) == items


@pytest.mark.parametrize(
    ("body", "items", "done", "cut"),
    [
        (b'{"a": 1}\n', [{"a": 1}], True, False),
        (b'{"a": 1}\n{"a": 2}\n', [{"a": 1}, {"a": 2}], False, False),
        (b'{"a": 1}\n{"a": ', [{"a": 1}], False, True),
    ],
)
def test_a_document_of_one_object_a_line_does_not_say_that_it_is_over(
    body: bytes, items: list[dict], done: bool, cut: bool
) -> None:
    reader = BodyReader()
    assert [*reader.feed(body), *reader.close()] == items
    assert (reader.done, reader.cut) == (done, cut)


@pytest.mark.parametrize("end", [b'data: {"b', b'data: {"b": \n', b'data: {"b": 1\ndata: '])
def test_an_event_that_was_cut_in_half_is_no_event_and_is_told(end: bytes) -> None:
    reader = BodyReader()
    read = [*reader.feed(b'data: {"a": 1}\n\n' + end), *reader.close()]
    assert (read, reader.done, reader.cut) == ([{"a": 1}], False, True)


@pytest.mark.parametrize("body", [b"<html>x</html>", b'{"choices": [{', b'data: {"a": 1}\n\ndata: {"b": \n\n', b"[1]"])
def test_any_other_body_is_refused(body: bytes) -> None:
    with pytest.raises(NotACompletion):
        read(body)


def test_a_stream_is_over_when_it_says_so_and_a_document_at_its_end() -> None:
    stream, document, cut = BodyReader(), BodyReader(), BodyReader()
    stream.feed(b'data: {"a": 1}\n\ndata: [DONE]\n\n')
    document.feed(b"{}")
    document.close()
    cut.feed(b'data: {"a": 1}\n\n')
    cut.close()
    assert (stream.done, document.done, cut.done) == (True, True, False)


def test_a_body_that_is_longer_than_any_reply_is_not_read_to_its_end() -> None:
    reader = BodyReader()
    for _ in range(30):
        reader.feed(b"data: " + b"x" * 1_000_000)
    with pytest.raises(NotACompletion, match="longer than"):
        reader.feed(b"x" * 3_000_000)


def test_an_event_that_never_ends_is_not_read_for_ever() -> None:
    with pytest.raises(NotACompletion, match="longer than"):
        BodyReader().feed(b'data: {"a": [\n' + b"data: {},\n" * 2_000)
