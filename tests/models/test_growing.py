"""What a server says twice is read once, and what it cuts in two is put together."""

from __future__ import annotations

from typing import Any

import pytest

from campus_agent.models.chat_model import RequestedCall
from campus_agent.models.growing import Growing, whole_characters
from tests.models.test_assembly import COUNT, SEARCH, assembled, delta, fragment, message

TEXT = "The AI Club meets on Thursday."
CUT = [TEXT[at : at + 7] for at in range(0, len(TEXT), 7)]
FUNCTION = {"name": SEARCH, "arguments": '{"q":1}'}
CALLS = [{"id": "a", "function": FUNCTION}]


def both(piece: str, so_far: str) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": {"content": piece}, "message": {"content": so_far}}]}


def of_choice(index: int, **content: Any) -> dict[str, Any]:
    return {"choices": [{"index": index, "delta": content}]}


@pytest.mark.parametrize(
    "chunks",
    [
        [both(piece, "".join(CUT[: n + 1])) for n, piece in enumerate(CUT)],
        [*(delta(content=piece) for piece in CUT), message(content=TEXT)],
        [*(delta(content=piece) for piece in CUT), message(content=f" {TEXT}\n")],
        [*(delta(content=piece) for piece in CUT[:-1]), message(content=TEXT)],
        [message(content="".join(CUT[: n + 1])) for n in range(len(CUT))],
        [message(content=piece) for piece in CUT],
        [delta(role="assistant", content=""), message(content=TEXT)],
        [{"choices": [{"delta": {}, "message": {"content": TEXT}}]}],
    ],
)
def test_a_text_that_comes_again_is_shown_once(chunks: list[dict[str, Any]]) -> None:
    said = assembled(*chunks)
    assert (said.reply.text, said.shown) == (TEXT, TEXT)


def test_thoughts_and_calls_that_come_again_count_once() -> None:
    whole = message(content=None, reasoning_content="Hm, which?", tool_calls=CALLS)
    said = assembled(delta(reasoning_content="Hm, "), delta(reasoning_content="which?"), fragment(**FUNCTION), whole)
    assert (said.reply.thought, said.thought) == ("Hm, which?", "Hm, which?")
    assert [(call.name, call.arguments) for call in said.reply.calls] == [(SEARCH, '{"q":1}')]


def test_what_only_the_whole_message_at_the_end_holds_is_read() -> None:
    said = assembled(delta(content="Let me look."), message(content="Let me look.", tool_calls=CALLS))
    assert said.reply.calls == (RequestedCall(SEARCH, '{"q":1}', "a"),)
    assert said.shown == "Let me look."


@pytest.mark.parametrize("order", [[0, 1, 2], [1, 0, 2], [2, 1, 0]])
def test_of_several_choices_the_first_to_come_is_the_answer_and_no_other_is_mixed_in(order: list[int]) -> None:
    chunks = [of_choice(index, content=f"{piece}{index}") for piece in ("a", "b") for index in order]
    assert assembled(*chunks).reply.text == f"a{order[0]}b{order[0]}"


def test_the_calls_of_another_choice_are_read_where_the_first_promises_some() -> None:
    text = {"index": 0, "finish_reason": "tool_calls", "message": {"content": "Let me look."}}
    calls = {"index": 1, "finish_reason": "tool_calls", "message": {"tool_calls": CALLS}}
    said = assembled({"choices": [text, calls]})
    assert (said.reply.text, said.reply.calls) == ("Let me look.", (RequestedCall(SEARCH, '{"q":1}', "a"),))
    assert assembled({"choices": [{**text, "finish_reason": "stop"}, calls]}).reply.calls == ()


# ---- calls that ask for nothing --------------------------------------------------------------------------------------

BLANK = {"id": "", "type": "function", "function": {"name": "", "arguments": ""}}


@pytest.mark.parametrize(
    "blank",
    [
        {"tool_calls": [{}]},
        {"tool_calls": [BLANK]},
        {"tool_calls": [{"index": 0, "id": "x", "function": {"name": None, "arguments": "{}"}}]},
        {"tool_calls": [BLANK, BLANK]},
        {"function_call": {"name": "", "arguments": ""}},
    ],
)
@pytest.mark.parametrize("opening", [True, False])
def test_a_call_without_name_and_arguments_beside_an_answer_is_none(blank: dict[str, Any], opening: bool) -> None:
    chunks = [delta(role="assistant", **blank), delta(content=TEXT)] if opening else [message(content=TEXT, **blank)]
    reply = assembled(*chunks).reply
    assert (reply.text, reply.calls, reply.finish) == (TEXT, (), "stop")


def test_a_blank_call_beside_a_real_one_is_left_out_and_alone_it_is_one_to_be_answered() -> None:
    real = {"id": "b", "function": {"name": COUNT, "arguments": "{}"}}
    assert assembled(message(tool_calls=[BLANK, real])).reply.calls == (RequestedCall(COUNT, "{}", "b"),)
    assert [call.name for call in assembled(message(tool_calls=[BLANK])).reply.calls] == [""]


# ---- halves of characters --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["content", "reasoning_content"])
def test_a_character_that_is_cut_in_two_is_put_together(key: str) -> None:
    said = assembled(delta(**{key: "Open \ud83d"}), delta(**{key: "\ude00 now \ud83c"}), delta(**{key: "\udf89."}))
    assert said.shown + said.thought == "Open 😀 now 🎉."


def test_a_character_of_the_arguments_that_is_cut_in_two_is_put_together() -> None:
    parts = ['{"q": "\ud83d', '\ude00"}']
    said = assembled(fragment(SEARCH, parts[0], index=0, id="a"), fragment(None, parts[1], index=0))
    assert said.reply.calls[0].arguments == '{"q": "😀"}'


@pytest.mark.parametrize(
    ("text", "whole"), [("\ud83d\ude00", "😀"), ("\ude00\ud83d", "\ude00\ud83d"), ("é\ud83d", "é\ud83d"), ("a", "a")]
)
def test_only_the_two_halves_of_one_character_are_put_together(text: str, whole: str) -> None:
    assert whole_characters(text) == whole


def test_half_a_character_at_the_very_end_is_never_shown() -> None:
    growing = Growing()
    assert [growing.add(part) for part in ("a\ud83d", "b", "", "\ud83d")] == ["a", "\ud83db", "", ""]
    assert growing.whole == "a\ud83db\ud83d"


# ---- tokens ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("prompt", "completion"), [(-5, 3), (3, True), (2.5, 3), ("3", 3), (None, None)])
def test_tokens_that_are_no_count_are_not_counted(prompt: Any, completion: Any) -> None:
    usage = {"prompt_tokens": prompt, "completion_tokens": completion}
    assert assembled(delta("stop", content=TEXT), {"choices": [], "usage": usage}).reply.usage is None
