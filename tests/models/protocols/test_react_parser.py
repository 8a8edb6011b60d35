from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from campus_agent.agent.arguments import read_arguments
from campus_agent.models.chat_model import Reply, RequestedCall
from campus_agent.models.protocols.react_parser import ReactParser
from tests.models.played import Heard
from tests.models.protocols.reading import TOOLS, read

SEARCH, CLOCK = "search_campus_info", "get_current_time"
ACT = f'Action: {SEARCH}\nAction Input: {{"query": "AI Club"}}'


def parsed(text: str, **options) -> Heard:
    return read(ReactParser(TOOLS), text, **options)


def calls(text: str, **reply) -> list[tuple[str, object]]:
    """Return the calls in a text, with their arguments as the gatekeeper reads them."""
    return [
        (one.name, getattr(read_arguments(one.arguments), "arguments", None))
        for one in parsed(text, **reply).reply.calls
    ]


SEARCHES = {
    "plain": (f'Thought: I look.\nAction: {SEARCH}\nAction Input: {{"query": "AI Club"}}', "AI Club"),
    "the word observation": (f'{ACT[:-11]}"where is the observation deck"}}', "where is the observation deck"),
    "the word observation, raw": (
        f"Action: {SEARCH}\nAction Input: where is the observation deck",
        "where is the observation deck",
    ),
    "markers inside an object": (
        f'Action: {SEARCH}\nAction Input: {{"query": "the Observation: deck, Final Answer: no"}}',
        "the Observation: deck, Final Answer: no",
    ),
    "an object over several lines": (
        f'Action: {SEARCH}\nAction Input:\n{{\n  "query":\n    "AI Club"\n}}\nObservation: x',
        "AI Club",
    ),
    "bold": (f'**Thought:** Hm.\n**Action:** {SEARCH}\n**Action Input:** {{"query": "AI Club"}}', "AI Club"),
    "bold words": (f'**Action**: `{SEARCH}`\n**Action Input**: {{"query": "AI Club"}}', "AI Club"),
    "numbered": (f"Thought 1: Hm.\nAction 1: {SEARCH}\nAction Input 1: AI Club\nObservation 1: x", "AI Club"),
    "numbered inside": (f"Action 2: {SEARCH}\nAction 2 Input: AI Club", "AI Club"),
    "lower case": (f"thought: hm.\naction: {SEARCH}\naction input: AI Club\nobservation: x", "AI Club"),
    "upper case": (f"THOUGHT: hm.\nACTION: {SEARCH}\nACTION INPUT: AI Club\nOBSERVATION: x", "AI Club"),
    "input alone": (f"Action: {SEARCH}\nInput: AI Club", "AI Club"),
    "spaces for newlines": (f"Thought: Hm. Action: {SEARCH} Action Input: AI Club Observation: x", "AI Club"),
    "spaces round colons": (f"Action  :  {SEARCH}  \n  Action Input   :   AI Club  ", "AI Club"),
    "a list": (f"- Thought: Hm.\n- Action: {SEARCH}\n- Action Input: AI Club", "AI Club"),
    "a name on its own line": (f"Action:\n{SEARCH}\nAction Input:\nAI Club", "AI Club"),
    "a name with words": (f"Action: {SEARCH} (the search)\nAction Input: AI Club", "AI Club"),
    "a name with a prefix": (f"Action: functions.{SEARCH}\nAction Input: AI Club", "AI Club"),
    "a fence": (f'Action: {SEARCH}\nAction Input: ```json\n{{"query": "AI Club"}}\n```', "AI Club"),
    "a fence around text": (f"Action: {SEARCH}\nAction Input: ```\nAI Club\n```", "AI Club"),
    "a fence around all": (f"```\nAction: {SEARCH}\nAction Input: AI Club\n```", "AI Club"),
    "single quotes": (f"Action: {SEARCH}\nAction Input: {{'query': 'AI Club'}}", "AI Club"),
    "an apostrophe": (f'Action: {SEARCH}\nAction Input: {{"query": "it\'s"}}', "it's"),
    "an escaped apostrophe": (f"Action: {SEARCH}\nAction Input: {{'query': 'it\\'s'}}", "it's"),
    "a quoted text": (f'Action: {SEARCH}\nAction Input: "AI Club"', "AI Club"),
    "SQL": (f"Action: {SEARCH}\nAction Input: WHERE region = 'EMEA'", "WHERE region = 'EMEA'"),
    "SQL with double quotes": (f'Action: {SEARCH}\nAction Input: x = "EMEA"', 'x = "EMEA"'),
    "a number": (f"Action: {SEARCH}\nAction Input: 204", "204"),
    "the markers' own words": (f"Action: {SEARCH}\nAction Input: what Action Input: means", "what Action Input: means"),
    "one brace too many": (f'Action: {SEARCH}\nAction Input: {{"query": "AI Club"}}}}', "AI Club"),
    "text behind the object": (f'{ACT}\nI will wait for the result.', "AI Club"),
    "JSON inside a string": (f'Action: {SEARCH}\nAction Input: "{{\\"query\\": \\"AI Club\\"}}"', "AI Club"),
    "an answer mentioned before": (f"Thought: The Final Answer: comes later.\n{ACT}", "AI Club"),
    "an answer right behind": (f"{ACT}\nFinal Answer: On Fridays.", "AI Club"),
    "an answer behind an invented observation": (f"{ACT}\nObservation: Friday\nFinal Answer: Friday.", "AI Club"),
    "an action behind an invented observation": (f"{ACT}\nObservation: x\nAction: {CLOCK}\nAction Input: y", "AI Club"),
    "words before the first marker": (f"Let me look that up.\n{ACT}", "AI Club"),
    "stopped inside the next word": (f"Action: {SEARCH}\nAction Input: AI Club\nObservation", "AI Club"),
    "stopped soon inside the next word": (f"Action: {SEARCH}\nAction Input: AI Club\nObs", "AI Club"),
    "Python": (f'Action: {SEARCH}(query="AI Club")', "AI Club"),
    "Python without a name": (f'Action: `{SEARCH}("AI Club")`', "AI Club"),
    "brackets": (f"Thought: Hm.\nAction: {SEARCH}[AI Club]\nObservation: x", "AI Club"),
    "an object with the name in it": (
        f'Action:\n```json\n{{"action": "{SEARCH}", "action_input": {{"query": "AI Club"}}}}\n```', "AI Club"),
    "windows lines": (ACT.replace("\n", "\r\n"), "AI Club"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "query"), SEARCHES.values(), ids=SEARCHES)
def test_an_action_is_read_however_it_is_written(text: str, query: str) -> None:
    assert calls(text) == [(SEARCH, {"query": query})]
    said = parsed(text)
    assert (said.shown, said.reply.text) == ("", "")


@pytest.mark.parametrize(
    ("given", "arguments"),
    [
        ('{"timezone": "Europe/Madrid"}', {"timezone": "Europe/Madrid"}),
        ("Europe/Madrid", {"timezone": "Europe/Madrid"}),
        ("{'timezone': None}", {"timezone": None}),
        ("{}", {}),
        ("None", {}),
        ("null", {}),
        ("", {}),
        ("N/A", {}),
        ("NaN", None),
        ("[1, 2]", None),
        ('{"timezone": NaN}', None),
        ('{"timezone": "x"', None),
    ],
)
def test_an_input_becomes_arguments_only_when_it_is_an_object_or_can_be_one_argument(
    given: str, arguments: object
) -> None:
    assert calls(f"Action: {CLOCK}\nAction Input: {given}") == [(CLOCK, arguments)]


def test_a_text_for_a_tool_with_several_arguments_stays_as_it_is() -> None:
    (call,) = parsed("Action: book_room\nAction Input: room 204 on Friday").reply.calls
    assert call == RequestedCall("book_room", "room 204 on Friday")


def test_python_values_are_left_to_the_gatekeeper() -> None:
    text = "Action: book_room\nAction Input: {'room': True, 'day': None}"
    assert calls(text) == [("book_room", {"room": True, "day": None})]


@pytest.mark.parametrize("between", ["\n", "\nThought: And the time.\n", " "])
def test_two_actions_are_two_calls(between: str) -> None:
    text = f"Action: {SEARCH}\nAction Input: AI Club{between}Action: {CLOCK}\nAction Input: {{}}"
    assert calls(text) == [(SEARCH, {"query": "AI Club"}), (CLOCK, {})]


def test_thoughts_are_shown_and_kept_apart_from_what_is_done() -> None:
    said = parsed(f"Thought: First the club.\n{ACT}\nThought: Then the time.\nAction: {CLOCK}\nAction Input: {{}}")
    assert said.thought == said.reply.thought == "First the club.\nThen the time."


def test_an_invented_observation_is_nowhere_in_the_reply() -> None:
    said = parsed(
        f"Thought: Hm.\n{ACT}\nObservation: It meets on Friday.\nThought: Friday, then.\nFinal Answer: Friday."
    )
    assert "Friday" not in said.shown + said.thought + repr(said.reply)


def test_a_known_tool_needs_no_input_and_an_unknown_one_is_passed_on_by_name() -> None:
    assert calls(f"Action: {CLOCK}") == [(CLOCK, {})]
    assert calls("Action: web_search\nAction Input: x") == [("web_search", None)]


ANSWERS = {
    "plain": ("Thought: I know.\nFinal Answer: On Thursday.", "On Thursday."),
    "alone": ("Final Answer: On Thursday.", "On Thursday."),
    "bold": ("**Final Answer:** 42", "42"),
    "bold words": ("**Final Answer**: 42", "42"),
    "bold text": ("Final Answer: **42** rooms", "**42** rooms"),
    "lower case": ("thought: i know.\nfinal answer: On Thursday.", "On Thursday."),
    "on the next line": ("Final Answer:\n\nOn Thursday.\n", "On Thursday."),
    "several lines": ("Final Answer: Two:\n\n- one\n- two", "Two:\n\n- one\n- two"),
    "code": ("Final Answer: Run\n```\nls\n```", "Run\n```\nls\n```"),
    "spaces for newlines": ("Thought: I know. Final Answer: On Thursday.", "On Thursday."),
    "the word action": ("Thought: No action is needed.\nFinal Answer: On Thursday.", "On Thursday."),
    "no action": ("Thought: I know.\nAction: None\nAction Input: None\nFinal Answer: On Thursday.", "On Thursday."),
    "a list with the markers' words": (
        "Final Answer: To join:\n- Action: register online\n- Input: none",
        "To join:\n- Action: register online\n- Input: none",
    ),
    "mentions markers": ("Final Answer: Say Action: and Observation: there.", "Say Action: and Observation: there."),
    "runs on": (f"Final Answer: On Thursday.\n\nQuestion: And where?\nThought: Hm.\n{ACT}", "On Thursday."),
    "twice": ("Thought: My Final Answer: comes.\nFinal Answer: On Thursday.", "On Thursday."),
    "an observation repeated": ("Observation: Thursday.\nFinal Answer: On Thursday.", "On Thursday."),
    "direct": ("Hello! Ask me about the campus.", "Hello! Ask me about the campus."),
    "not an action": ("my reaction: none. input: x", "my reaction: none. input: x"),
    "empty": ("Thought: I know.\nFinal Answer:", ""),
    "blank": (" \n", ""),
}  # fmt: skip


@pytest.mark.parametrize(("text", "answer"), ANSWERS.values(), ids=ANSWERS)
def test_an_answer_is_read_however_it_is_written(text: str, answer: str) -> None:
    said = parsed(text, cuts=range(1, len(text)))
    assert (said.reply.text, said.reply.calls) == (answer, ())
    assert said.shown.strip() in ("", answer)


def test_an_answer_is_shown_while_it_is_written_once_its_marker_was_seen() -> None:
    parser = ReactParser(TOOLS)
    texts = ("Fin", "al Answer", ": On", " The", "\nFirst", "\nAct", "ual.", "\nObservation", ": x")
    shown = ["".join(piece.text for piece in parser.feed(text)) for text in texts]
    assert shown == ["", "", "On", " The", "\nFirst", "", "\nActual.", "", ""]


@pytest.mark.parametrize(
    "text",
    [
        "Thought: I should search.",
        "Thought I should search.",
        "Question: When does it meet?",
        'Thought: x\nAction Input: {"query": "x"}',
        "Thought: x\nAction: I will look for it",
        "Thought: x\nAction: None",
        "Observation: On Fridays.",
    ],
)
def test_a_reply_with_neither_action_nor_answer_is_an_unreadable_call(text: str) -> None:
    said = parsed(text)
    assert said.reply.calls == (RequestedCall(""),)
    assert (said.reply.text, said.shown) == (text, "")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"Action: {SEARCH}\nAction Input: AI Cl", (RequestedCall(SEARCH, json.dumps({"query": "AI Cl"}), cut=True),)),
        (f'Action: {SEARCH}\nAction Input: {{"query": "AI', (RequestedCall(SEARCH, '{"query": "AI', cut=True),)),
        (f"Action: {SEARCH}", (RequestedCall(SEARCH, None, cut=True),)),
        (ACT, (RequestedCall(SEARCH, '{"query": "AI Club"}'),)),
        (
            f"Action: {SEARCH}\nAction Input: x\nThou",
            (RequestedCall(SEARCH, json.dumps({"query": "x\nThou"}), cut=True),),
        ),
        ("Thought: I wonder whe", ()),
    ],
)
def test_a_call_that_the_token_limit_cut_off_is_marked(text: str, expected: tuple[RequestedCall, ...]) -> None:
    reply = parsed(text, finish="length").reply
    assert (reply.calls, reply.finish) == (expected, "length")


@pytest.mark.parametrize(
    ("thought", "expected"),
    [
        (f"Hm.\n{ACT}", Reply(calls=(RequestedCall(SEARCH, '{"query": "AI Club"}'),), thought="Hm.")),
        ("I know.\nFinal Answer: On Thursday.", Reply("On Thursday.", thought="I know.\nFinal Answer: On Thursday.")),
        ("It meets on Thursday.", Reply(thought="It meets on Thursday.")),
    ],
)
def test_a_turn_that_was_taken_for_a_thought_is_recovered_by_its_markers_alone(thought: str, expected: Reply) -> None:
    assert parsed("", thought=thought).reply == expected


def test_a_tool_call_in_the_markup_of_a_chat_template_counts_too() -> None:
    text = f'<tool_call>{{"name": "{SEARCH}", "arguments": {{"query": "AI Club"}}}}</tool_call>'
    assert calls(text) == [(SEARCH, {"query": "AI Club"})]


EVERY_TEXT = [text for text, _ in (*SEARCHES.values(), *ANSWERS.values())]
PARTS = [
    "Thought:",
    "Action:",
    "**Action:**",
    "Action Input:",
    "Input:",
    "Observation:",
    "Final Answer:",
    "final answer:",
]
PARTS += [
    SEARCH,
    CLOCK,
    '{"query": "x"}',
    "{'q': 'it",
    "}",
    "```",
    "AI Club",
    "None",
    "**",
    "1",
    " ",
    "\n",
    "\n\n",
    ": ",
    "é",
]


@pytest.mark.parametrize("text", EVERY_TEXT)
def test_a_text_is_read_the_same_wherever_one_cut_falls(text: str) -> None:
    whole = parsed(text)
    for cut in range(1, len(text)):
        said = parsed(text, cuts=(cut,))
        assert (said.reply, said.shown, said.thought) == (whole.reply, whole.shown, whole.thought)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(PARTS), max_size=14).map("".join), st.data())
def test_any_text_is_read_the_same_however_it_is_cut(text: str, data: st.DataObject) -> None:
    cuts = data.draw(st.lists(st.integers(0, len(text)), max_size=8))
    whole, said = parsed(text), parsed(text, cuts=tuple(cuts))
    assert (said.reply, said.shown, said.thought) == (whole.reply, whole.shown, whole.thought)
    assert whole.reply.calls or whole.shown.strip() in ("", whole.reply.text)
