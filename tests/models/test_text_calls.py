from __future__ import annotations

import pytest

from campus_agent.models.chat_model import RequestedCall
from campus_agent.models.text_calls import Draft, calls_in_thought, clean_name, read_calls
from tests.models.played import NAMES

SEARCH = RequestedCall("search_campus_info", {"query": "AI Club"})
COUNT = RequestedCall("days_until_weekday", {"weekday": "Thursday"})
JSON = '{"name": "search_campus_info", "arguments": {"query": "AI Club"}}'
OTHER = '{"name": "days_until_weekday", "parameters": {"weekday": "Thursday"}}'
PLAIN = '{"query": "AI Club"}'

WRITTEN = {
    "hermes": (f"<tool_call>\n{JSON}\n</tool_call>", [SEARCH]),
    "hermes, twice": (f"<tool_call>{JSON}</tool_call>\n<tool_call>{OTHER}</tool_call>", [SEARCH, COUNT]),
    "hermes, not closed": (f"<tool_call>{JSON}", [SEARCH]),
    "hermes, nested": ('<tool_call>{"function": ' + JSON + "}</tool_call>", [SEARCH]),
    "hermes, no arguments": (
        '<tool_call>{"name": "get_current_time"}</tool_call>',
        [RequestedCall("get_current_time")],
    ),
    "hermes, prefixed": (f"<tool_call>{JSON.replace('search', 'functions.search')}</tool_call>", [SEARCH]),
    "llama": (f"<function=search_campus_info>{PLAIN}</function>", [SEARCH]),
    "qwen": (
        "<tool_call>\n<function=search_campus_info>\n<parameter=query>\nAI Club\n</parameter>\n</function>\n"
        "</tool_call>",
        [SEARCH],
    ),
    "glm": (
        "<tool_call>search_campus_info\n<arg_key>query</arg_key>\n<arg_value>AI Club</arg_value>\n</tool_call>",
        [SEARCH],
    ),
    "claude": (
        '<function_calls>\n<invoke name="search_campus_info">\n<parameter name="query">AI Club</parameter>\n</invoke>\n'
        "</function_calls>",
        [SEARCH],
    ),
    "mistral": (f"[TOOL_CALLS][{JSON}, {OTHER}]", [SEARCH, COUNT]),
    "mistral, named": (f"[TOOL_CALLS]search_campus_info[ARGS]{PLAIN}", [SEARCH]),
    "mistral, with an id": (f"[TOOL_CALLS]search_campus_info[CALL_ID]a1b2c3d4e[ARGS]{PLAIN}", [SEARCH]),
    "python tag": (f"<|python_tag|>{JSON}<|eom_id|>", [SEARCH]),
    "kimi": (
        "<|tool_calls_section_begin|><|tool_call_begin|>functions.search_campus_info:0<|tool_call_argument_begin|>"
        f"{PLAIN}<|tool_call_end|><|tool_calls_section_end|>",
        [SEARCH],
    ),
    "deepseek": (
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>search_campus_info\n"
        f"```json\n{PLAIN}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
        [SEARCH],
    ),
    "deepseek, newer": (
        f"<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>search_campus_info<｜tool▁sep｜>{PLAIN}<｜tool▁call▁end｜>",
        [SEARCH],
    ),
    "react": (f"Thought: I search.\nAction: search_campus_info\nAction Input: {PLAIN}\nObservation: made up", [SEARCH]),
    "react, bold": (f"**Action:** search_campus_info\n**Action Input:** {PLAIN}", [SEARCH]),
    "fence": (f"```json\n{JSON}\n```", [SEARCH]),
    "bare": (f"\n{JSON}<|im_end|>", [SEARCH]),
    "python": ('search_campus_info(query="AI Club")', [SEARCH]),
    "python, a list": (
        '[search_campus_info(query="AI Club"), days_until_weekday(weekday="Thursday")]',
        [SEARCH, COUNT],
    ),
    "python, after a tag": ('<|python_tag|>search_campus_info(query="AI Club")<|eom_id|>', [SEARCH]),
    "fence, python": ('```tool_code\nsearch_campus_info(query="AI Club")\n```', [SEARCH]),
    "bare list": (f"[{JSON}, {OTHER}]", [SEARCH, COUNT]),
    "hermes, in capitals": (f"<TOOL_CALL>{JSON}</TOOL_CALL>", [SEARCH]),
    "hermes, named by an attribute": (f'<tool_call name="search_campus_info">{PLAIN}</tool_call>', [SEARCH]),
    "nemotron": (f"<TOOLCALL>[{JSON}, {OTHER}]</TOOLCALL>", [SEARCH, COUNT]),
    "minimax": (
        '<minimax:tool_call>\n<invoke name="search_campus_info">\n<parameter name="query">AI Club</parameter>\n'
        "</invoke>\n</minimax:tool_call>",
        [SEARCH],
    ),
    "seed": (
        "<seed:tool_call><function=search_campus_info><parameter=query>AI Club</parameter></function></seed:tool_call>",
        [SEARCH],
    ),
    "deepseek, newest": (
        '<｜DSML｜function_calls>\n<｜DSML｜invoke name="search_campus_info">\n'
        '<｜DSML｜parameter name="query" string="true">'
        "AI Club</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>",
        [SEARCH],
    ),
    "granite": (f"<|tool_call|>[{JSON}]", [SEARCH]),
    "lfm2": ('<|tool_call_start|>[search_campus_info(query="AI Club")]<|tool_call_end|>', [SEARCH]),
    "internlm": (f"<|action_start|><|plugin|>\n{JSON}<|action_end|>", [SEARCH]),
    "cohere": (
        '<|START_ACTION|>[{"tool_call_id": "0", "tool_name": "search_campus_info", "parameters": {"query": "AI Club"}}]'
        "<|END_ACTION|>",
        [SEARCH],
    ),
    "gpt-oss": (
        f"<|start|>assistant<|channel|>commentary to=functions.search_campus_info <|constrain|>json<|message|>{PLAIN}"
        "<|call|>",
        [SEARCH],
    ),
    "gpt-oss, the other way round": (
        f"<|start|>assistant to=functions.search_campus_info<|channel|>commentary json<|message|>{PLAIN}<|call|>",
        [SEARCH],
    ),
    "gpt-oss, without tokens": (f"to=functions.search_campus_info<|message|>{PLAIN}", [SEARCH]),
    "functionary": (f">>>search_campus_info\n{PLAIN}", [SEARCH]),
    "gemma": ('```tool_code\nprint(search_campus_info(query="AI Club"))\n```', [SEARCH]),
    "fence, named": (f"```tool_call\n{JSON}\n```", [SEARCH]),
    "bare, closed by a tag": (f"{JSON}\n</tool_call>", [SEARCH]),
    "bare, langchain": ('{"action": "search_campus_info", "action_input": {"query": "AI Club"}}', [SEARCH]),
    "bare, tool and its input": ('{"tool": "search_campus_info", "tool_input": {"query": "AI Club"}}', [SEARCH]),
    "bare message": ('{"tool_calls": [{"id": "a", "type": "function", "function": ' + JSON + "}]}", [SEARCH]),
}

PROSE = [
    "The AI Club meets on Thursday.",
    'For example:\n```json\n{"name": "search_campus_info", "arguments": {}}\n```',
    '{"name": "USC AI Club", "arguments": "none"}',
    '{"name": "search_campus_info"}',
    "Use the <b>bold</b> button, or [this link](https://a.example).",
    'Some write <tool_call>{"name": "web_search", "arguments": {}}</tool_call> for that.',
    "Some write `<tool_call>` for that.",
    'See:\n>>> print("hello")',
    ">>>web_search\n{}",
    '```tool_code\nprint("hello")\n```',
    '{"action": "web_search", "action_input": {}}',
    '{"tool_calls": [{"name": "web_search", "arguments": {}}]}',
    "It is up to=you.",
    "Steps:\nAction: bring your card.\n",
    "[",
    "5 < 6",
    "search_campus_info (the tool) found nothing.",
    "search_campus_info",
    'search_campus_info("AI Club")',
    'search_campus_info(query="AI Club") is what I would call.',
]


@pytest.mark.parametrize("name", WRITTEN)
def test_a_call_in_known_markup_or_as_the_whole_message_is_read(name: str) -> None:
    text, calls = WRITTEN[name]
    assert list(read_calls(text, NAMES)[0]) == calls


@pytest.mark.parametrize("text", PROSE)
def test_prose_stays_prose(text: str) -> None:
    assert read_calls(text, NAMES) == ((), text)


@pytest.mark.parametrize("text", [text for text, _ in WRITTEN.values()])
def test_without_tools_nothing_is_a_call(text: str) -> None:
    assert read_calls(text, frozenset()) == ((), text)


@pytest.mark.parametrize(
    "text",
    [
        "<tool_call>{'name': 'search_campus_info', 'arguments': {'query': 'x',}}</tool_call>",
        "<function=search_campus_info>{'query': 'x',}</function>",
    ],
)
def test_arguments_that_are_no_json_are_left_to_the_gatekeeper_as_they_are(text: str) -> None:
    assert read_calls(text, NAMES)[0] == (RequestedCall("search_campus_info", "{'query': 'x',}"),)


UNFIT = [
    ('<tool_call>{"name": "web_search", "arguments": {"q": 1}}</tool_call>', RequestedCall("web_search", {"q": 1})),
    ("[TOOL_CALLS]web_search[ARGS]{}", RequestedCall("web_search", {})),
    ('<invoke name="web_search">\n<parameter name="q">x</parameter></invoke>', RequestedCall("web_search", {"q": "x"})),
    ("<tool_call>???</tool_call>", RequestedCall("", "???")),
    ("<tool_call>I will search.</tool_call>", RequestedCall("", "I will search.")),
    ("<|START_ACTION|>[oops]<|END_ACTION|>", RequestedCall("", "[oops]")),
    ("[TOOL_CALLS]", RequestedCall("")),
]


@pytest.mark.parametrize(("text", "call"), UNFIT)
@pytest.mark.parametrize("before", ["", "Let me look.\n"])
def test_sure_markup_that_cannot_be_run_is_a_call_all_the_same_for_the_model_to_hear_of(
    text: str, call: RequestedCall, before: str
) -> None:
    assert read_calls(before + text, NAMES) == ((call,), before.strip())


def test_a_call_inside_a_thought_counts_in_markup_and_for_offered_tools_alone() -> None:
    thought = f"I search.\n<tool_call>{JSON}</tool_call>"
    assert calls_in_thought(thought, NAMES) == (SEARCH,)
    assert calls_in_thought(thought.replace("search_campus_info", "web_search"), NAMES) == ()
    assert calls_in_thought(JSON, NAMES) == ()
    assert calls_in_thought(thought, frozenset()) == ()


def drafted(text: str, size: int, tools: frozenset[str] = NAMES) -> tuple[str, tuple[RequestedCall, ...], str, str]:
    draft = Draft(tools)
    shown = "".join(draft.feed(text[start : start + size]) for start in range(0, len(text), size))
    calls, prose, rest = draft.close()
    return shown, calls, prose, rest


@pytest.mark.parametrize("size", [1, 3, 1000])
@pytest.mark.parametrize("name", WRITTEN)
def test_no_markup_is_shown_while_a_call_streams(name: str, size: int) -> None:
    text, calls = WRITTEN[name]
    whole_message = name.startswith(("bare", "fence", "python"))
    shown, found, _, rest = drafted("Let me look.\n" * (not whole_message) + text, size)
    assert (list(found), rest) == (calls, "")
    assert not any(word in shown for word in ("<", "[", "{", "`", ">", "Action", "campus", "to="))


@pytest.mark.parametrize("size", [1, 3, 1000])
@pytest.mark.parametrize("text", PROSE)
def test_all_prose_is_shown_in_the_end(text: str, size: int) -> None:
    shown, calls, prose, rest = drafted(text, size)
    assert calls == ()
    assert prose == (shown + rest).strip() == text.strip()


@pytest.mark.parametrize(
    "token", ["<|im_end|>", "<|eot_id|>", "<|im_end|>\n<|im_start|>user\nAnd?", "</s>", "<end_of_turn>"]
)
@pytest.mark.parametrize("tools", [NAMES, frozenset()])
def test_what_a_template_adds_after_the_answer_is_neither_shown_nor_kept(token: str, tools: frozenset[str]) -> None:
    shown, _, prose, rest = drafted("On Thursday." + token, 2, tools)
    assert shown + rest == prose == "On Thursday."


@pytest.mark.parametrize(
    ("name", "clean"),
    [
        ("search_campus_info", "search_campus_info"),
        ("functions.search_campus_info", "search_campus_info"),
        ("functions.search_campus_info:0", "search_campus_info"),
        ("search_campus_info<|channel|>commentary", "search_campus_info"),
        (" search_campus_info ", "search_campus_info"),
        ("web.search", "web.search"),
        ("", ""),
    ],
)
def test_prefixes_and_leaked_tokens_are_taken_off_a_name(name: str, clean: str) -> None:
    assert clean_name(name, NAMES) == clean
