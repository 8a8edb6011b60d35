from __future__ import annotations

import pytest
from screen_runs import PlayedAgent, Script, campus_app, club_run, rejected_run

from campus_agent.agent.events import AnswerDelta, ThoughtDelta
from campus_agent.agent.outcome import Outcome
from campus_agent.text import duration, plural
from campus_agent.tui.keys import KEYS, actions, fitting
from campus_agent.tui.record import Record
from campus_agent.tui.themes import DARK, LIGHT
from campus_agent.tui.words import doing


def recorded(events: list) -> Record:
    record = Record("?")
    for event in events:
        record.add(event)
    return record


def test_a_record_joins_the_pieces_of_a_text_and_keeps_everything_else_in_order():
    events = Script().step().think("a", "b").write("c", "d", "e").withdraw("became_thought").write("f").events
    record = recorded(events)
    assert [event.kind for event in record.events] == [
        "run_started",
        "step_started",
        "thought_delta",
        "answer_delta",
        "answer_withdrawn",
        "answer_delta",
    ]
    texts = [event.text for event in record.events if isinstance(event, AnswerDelta | ThoughtDelta)]
    assert texts == ["ab", "cde", "f"]


def test_a_record_can_be_read_while_the_run_goes_on():
    record = recorded(Script().step().write("a").events)
    assert record.events[-1].text == "a"
    record.add(Script().step().write("b").events[-1])
    assert record.events[-1].text == "ab"


def test_a_record_counts_calls_that_ran_and_names_tools_and_documents_once():
    record = recorded(club_run())
    assert (record.step, record.steps, record.calls, record.max_calls) == (3, 5, 2, 15)
    assert record.tools == ["search_campus_info", "days_until_weekday"]
    assert record.searches == ["USC AI Club meeting"]
    assert record.documents == ["clubs.md"]
    assert record.finished is not None


@pytest.mark.parametrize(
    ("status", "content", "ms", "calls"),
    [
        ("ok", "found", 3.0, 1),
        ("ok", "found at once", 0.0, 1),
        ("empty", "nothing", 0.0, 1),
        ("error", "Tool 'a' failed: no connection", 0.0, 1),
        ("error", "Tool 'a': 'x' is no date", 0.2, 1),
        ("error", "Tool 'a' is not available. There are b and c.", 0.0, 0),
        ("error", "The arguments are no JSON.", 0.0, 0),
        ("cached", "found", 0.0, 0),
        ("skipped", "Not run.", 0.0, 0),
    ],
)
def test_only_calls_that_really_ran_are_counted(status: str, content: str, ms: float, calls: int):
    script = Script().step().act("a", {}).observe(content, status=status, ms=ms)
    assert recorded(script.events).calls == calls


def test_the_facts_of_a_record_are_those_of_the_last_draft():
    assert [fact.text for fact in recorded(rejected_run()).facts or ()] == ["Thursday", "5 PM"]


@pytest.mark.parametrize(
    ("milliseconds", "said"),
    [
        (0, "0 ms"),
        (0.4, "0 ms"),
        (6.4, "6 ms"),
        (999, "999 ms"),
        (999.6, "1.0 s"),
        (12_340, "12.3 s"),
        (59_940, "59.9 s"),
        (59_960, "1 min 0 s"),
        (125_000, "2 min 5 s"),
    ],
)
def test_a_duration_is_said_as_a_person_says_it(milliseconds: float, said: str):
    assert duration(milliseconds) == said


@pytest.mark.parametrize(("count", "said"), [(0, "0 steps"), (1, "1 step"), (2, "2 steps"), (1200, "1,200 steps")])
def test_a_number_of_things_is_said_with_its_plural(count: int, said: str):
    assert plural(count, "step") == said


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("search_campus_info", {"query": "x"}, "searching campus info"),
        ("days_until_weekday", {"weekday": "Thursday"}, "counting days to Thursday"),
        ("days_until_weekday", None, "counting days to that day"),
        ("days_until_date", {"date": "June 18"}, "counting days to June 18"),
        ("get_current_time", {}, "reading the clock"),
        ("my\ntool", {}, "running my tool"),
    ],
)
def test_what_a_call_does_is_said_in_words(tool: str, arguments: dict | None, said: str):
    assert doing(tool, arguments) == said


def test_every_outcome_has_a_sign_and_words_of_its_own():
    shown = {(outcome.sign, outcome.words) for outcome in Outcome}
    assert len(shown) == len(Outcome)


@pytest.mark.parametrize("width", [20, 40, 58, 78, 98, 118])
def test_the_keys_at_the_bottom_fit_and_help_is_always_among_them(width: int):
    keys = list(fitting(width, gap=3))
    assert sum(len(key.label) + 1 + len(key.word) for key in keys) + 3 * (len(keys) - 1) <= width
    assert any(key.action == "help" for key in keys)


def test_no_two_keys_of_one_place_are_the_same():
    for place in ("app", "screen", "prompt"):
        names = [name for key in KEYS if key.place == place for name in key.keys.split(",")]
        assert sorted(actions(place)) == sorted(names)


def luminance(colour: str) -> float:
    channels = (int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5))
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("theme", [DARK, LIGHT], ids=lambda theme: theme.name)
@pytest.mark.parametrize(
    "name", ["foreground", "primary", "success", "warning", "error", "acting", "observing", "muted"]
)
def test_every_colour_of_the_apps_own_themes_can_be_read_on_its_ground(theme, name: str):
    colour = theme.variables.get(name) or getattr(theme, name)
    light, dark = sorted((luminance(colour), luminance(theme.background)), reverse=True)
    assert (light + 0.05) / (dark + 0.05) >= 4.5


async def test_every_theme_can_be_shown():
    app = campus_app(PlayedAgent(club_run()))
    async with app.run_test(size=(120, 36)) as pilot:
        for name in app.available_themes:
            app.theme = name
            await pilot.pause()
            assert app.theme_variables["acting"] != app.theme_variables["observing"]
