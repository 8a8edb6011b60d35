"""When a reply is over, and what of it can be believed when its end went wrong."""

from __future__ import annotations

import json
from typing import Any

import pytest

from campus_agent.errors import ModelError
from campus_agent.models.chat_model import AnswerWithdrawn, RequestedCall
from tests.models.played import ASK, HELLO, Heard, PlayedServer, delta, events, heard, whole

SEARCH = "search_campus_info"
CHUNKED = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
PINGS = [b"8\r\n: ping\n\n\r\n"] * 1_000
CALL = {"id": "a", "type": "function", "function": {"name": SEARCH, "arguments": '{"query": "x"}'}}


def tool_call(query: str, id: str, index: int = 0) -> dict[str, Any]:
    function = {"name": SEARCH, "arguments": json.dumps({"query": query})}
    return delta(tool_calls=[{"index": index, "id": id, "function": function}])


def cut(*items: Any) -> bytes:
    """A stream that ends, in good order, without saying that it is over."""
    return events(*items, done=False)


@pytest.fixture
def ask(talk):
    async def asked(server: PlayedServer, **options: Any) -> Heard:
        model = talk(server.base_url, **options)
        try:
            return await heard(model.stream(ASK))
        finally:
            await model.aclose()

    return asked


PIECES = [delta(content=word) for word in ("The AI Club ", "meets on ", "Thursday", ", not Friday.")]


async def test_half_answers_that_end_at_different_places_are_no_answer_and_the_whole_is_asked_for(ask) -> None:
    async with PlayedServer(cut(*PIECES[:2]), cut(*PIECES[:3]), whole(content="On Thursday.")) as server:
        said = await ask(server)
    assert (said.reply.text, said.shown) == ("On Thursday.", "On Thursday.")
    assert [body["stream"] for body in server.bodies] == [True, True, False]


async def test_answers_that_never_end_in_the_same_way_are_believed_never(ask) -> None:
    async with PlayedServer(*(cut(*PIECES[:n]) for n in (1, 2, 3))) as server:
        with pytest.raises(ModelError, match="broke off"):
            await ask(server)
    assert len(server.requests) == 3


async def test_what_two_tries_say_alike_is_believed_whatever_the_try_between_them_said(ask) -> None:
    async with PlayedServer(cut(*PIECES), cut(*PIECES[:1]), cut(*PIECES)) as server:
        assert (await ask(server)).reply.text == "The AI Club meets on Thursday, not Friday."


async def test_calls_are_run_only_when_two_tries_ask_for_the_same(ask) -> None:
    one, other = tool_call("a", "1"), tool_call("b", "2", index=1)
    async with PlayedServer(cut(one, other), cut(one), whole(content=None, tool_calls=[CALL, CALL])) as server:
        assert len((await ask(server)).reply.calls) == 2
    async with PlayedServer(cut(one), cut(tool_call("a", "another id"))) as server:
        assert [call.arguments for call in (await ask(server)).reply.calls] == ['{"query": "a"}']
    assert len(server.requests) == 2


@pytest.mark.parametrize("reason", ["null", "", "None", " "])
async def test_a_finish_reason_that_is_none_in_words_ends_nothing(ask, reason: str) -> None:
    said_each_time = [delta(reason, content=word) for word in ("The AI Club ", "meets on ")]
    async with PlayedServer(cut(*said_each_time), whole(content="On Thursday.")) as server:
        assert (await ask(server)).reply.text == "On Thursday."


@pytest.mark.parametrize(
    "items",
    [
        [delta("stop", content="The AI Club "), delta("stop", content="meets on ")],
        [delta("stop", content="The AI Club "), tool_call("a", "1")],
        [delta("tool_calls", reasoning_content="Hm."), delta("stop", content="The ")],
    ],
)
async def test_a_finish_reason_is_not_believed_when_the_reply_goes_on_behind_it(ask, items: list[Any]) -> None:
    async with PlayedServer(cut(*items), whole(content="On Thursday.")) as server:
        assert (await ask(server)).reply.text == "On Thursday."
    assert len(server.requests) == 2


async def test_a_reply_that_goes_on_behind_its_finish_reason_counts_when_the_stream_says_that_it_is_over(ask) -> None:
    async with PlayedServer(events(delta("stop"), delta(content="On Thurs"), delta("stop", content="day."))) as server:
        assert (await ask(server)).reply.text == "On Thursday."
    assert len(server.requests) == 1


@pytest.mark.parametrize("behind", [delta(content=""), delta(content="\n"), delta(tool_calls=[]), {"choices": []}])
async def test_nothing_said_behind_the_finish_reason_takes_nothing_back(ask, behind: Any) -> None:
    async with PlayedServer(cut(delta("stop", content="Yes."), behind)) as server:
        assert (await ask(server)).reply.text == "Yes."
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "end",
    [
        PINGS,
        [chunk for n in range(40) for chunk in (b"8\r\n: ping\n\n\r\n",)] + [None],
        [b'21\r\ndata: {"error": {"message": "x"}}\n\n\r\n'],
        [b"c\r\ndata: {\"a\": \n\r\n", b"0\r\n\r\n"],
    ],
)  # fmt: skip
async def test_an_answer_that_said_it_was_over_stands_whatever_comes_behind_it(ask, end: list[Any]) -> None:
    data = f"data: {json.dumps(delta('stop', content='Yes.'))}\n\n".encode()
    async with PlayedServer([CHUNKED, b"%x\r\n%s\r\n" % (len(data), data), *end]) as server:
        said = await ask(server)
    assert (said.reply.text, said.withdrawn, len(server.requests)) == ("Yes.", 0, 1)


async def test_signs_of_life_behind_the_end_do_not_hold_the_answer_up(ask, monkeypatch) -> None:
    monkeypatch.setattr("campus_agent.models.openai_chat._AFTER_END", 0.05)
    ended = events(delta("stop", content="Yes."), done=False).partition(b"\r\n\r\n")[2]
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
    async with PlayedServer([head, ended, b": ping\n\n", None]) as server:
        assert (await ask(server, idle_timeout=3_600.0)).reply.text == "Yes."


async def test_an_error_without_words_beside_an_answer_is_none(ask) -> None:
    none = {"code": None, "message": None}
    async with PlayedServer(events({**delta("stop", content="Yes."), "error": none})) as server:
        assert (await ask(server)).reply.text == "Yes."


# ---- calls that a stream loses ---------------------------------------------------------------------------------------

PREAMBLE = events(delta(content="Let me look that up."), delta("tool_calls"))


async def test_a_stream_that_promises_calls_and_has_none_is_asked_for_whole_and_remembered(talk) -> None:
    answer = whole(content="Let me look that up.", tool_calls=[CALL])
    async with PlayedServer(PREAMBLE, answer, whole(content="On Thursday.")) as server:
        model = talk(server.base_url)
        first, second = await heard(model.stream(ASK)), await heard(model.stream(ASK))
        await model.aclose()
    assert first.reply.calls == (RequestedCall(SEARCH, '{"query": "x"}', "a"),)
    assert (first.shown, first.withdrawn, second.reply.text) == ("Let me look that up.", 1, "On Thursday.")
    assert [body["stream"] for body in server.bodies] == [True, False, False]


async def test_a_server_that_says_of_answers_that_they_ask_for_tools_is_asked_twice_only_once(talk) -> None:
    streamed = events(delta(content="On Thursday."), delta("tool_calls"))
    async with PlayedServer(streamed, whole("tool_calls", content="On Thursday."), streamed) as server:
        model = talk(server.base_url)
        said = [await heard(model.stream(HELLO)) for _ in range(3)]
        await model.aclose()
    assert {(one.reply.text, one.shown) for one in said} == {("On Thursday.", "On Thursday.")}
    assert [body["stream"] for body in server.bodies] == [True, False, True, True]


async def test_what_the_stream_said_is_kept_when_the_whole_cannot_be_had(ask) -> None:
    refused = b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"
    async with PlayedServer(PREAMBLE, refused) as server:
        said = await ask(server)
    assert (said.reply.text, said.reply.calls) == ("Let me look that up.", ())
    assert sum(isinstance(piece, AnswerWithdrawn) for piece in said.pieces) == 1


@pytest.mark.parametrize("reason", ["LENGTH", "model_length", "max_output_tokens", "MAX_TOKENS", "incomplete"])
async def test_a_cut_answer_is_asked_for_once_more_whatever_its_server_calls_that(ask, reason: str) -> None:
    async with PlayedServer(events(delta(reason, content="The AI Club meets on "))) as server:
        said = await ask(server)
    assert (said.reply.finish, said.reply.text, len(server.requests)) == ("length", "The AI Club meets on", 2)
