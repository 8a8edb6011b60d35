from __future__ import annotations

from typing import get_args

import pytest
from rich.cells import cell_len
from screen_runs import PlayedAgent, Script, campus_app, club_run, rejected_run
from traced import CLUB, LAB, Traced, sourced_run

from campus_agent.agent.events import AnswerDelta, ThoughtDelta
from campus_agent.agent.outcome import Outcome
from campus_agent.settings import REFUSAL
from campus_agent.text import duration, plural
from campus_agent.tui.keys import KEYS, Place, actions, fitting
from campus_agent.tui.record import Record
from campus_agent.tui.widgets.prompt import Prompt
from campus_agent.tui.widgets.row import Row
from campus_agent.tui.widgets.status import Status
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
        ("error", "Tool 'a' failed: no connection", 0.1, 1),
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


def test_a_record_knows_the_deadline_the_scale_of_its_prompts_and_the_longest_step():
    script = Traced(deadline=90).sized_step(2000).cost(ms=50).sized_step(1500).cost(ms=7).sized_step(None)
    record = recorded(script.events)
    assert (record.deadline, record.prompt_scale, record.longest_step) == (90, 4000, 50)


def test_a_search_that_was_edited_before_it_ran_counts_once_and_as_edited():
    script = Traced().step().act("search_campus_info", {"query": "Friday"}).edit({"query": "Thursday"})
    record = recorded(script.observe("none", status="empty").events)
    assert record.searches == ["Thursday"]
    assert record.calls == 1


def test_the_documents_of_a_record_are_those_of_the_passages_that_bear_the_answer_out():
    record = recorded(sourced_run())
    assert record.sources == (CLUB, LAB)
    assert record.documents == ["clubs.md", "labs/gpu.md"]


def test_a_value_that_only_the_question_holds_names_no_document():
    script = Script().step().check(("Tuesday", "weekday", "question"), ("5", "number", "days_until_weekday"))
    record = recorded(script.act("days_until_weekday", {}).events)
    assert record.documents == []


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


@pytest.mark.parametrize("place", get_args(Place))
@pytest.mark.parametrize("width", [20, 40, 58, 78, 98, 118])
def test_the_keys_at_the_bottom_fit_and_help_and_quit_are_always_among_them(place: Place, width: int):
    keys = list(fitting(place, width, gap=3))
    assert sum(cell_len(key.label) + 1 + cell_len(key.word) for key in keys) + 3 * (len(keys) - 1) <= width
    assert {"help", "quit"} <= {key.action for key in keys}


@pytest.mark.parametrize("place", get_args(Place))
def test_no_two_keys_of_one_place_are_the_same(place: Place):
    names = [name for key in KEYS if key.place == place for name in key.keys.split(",")]
    assert len(set(names)) == len(names)
    assert set(actions(place)) <= set(names)


async def test_every_theme_can_be_shown():
    app = campus_app(PlayedAgent(club_run()))
    async with app.run_test(size=(120, 36)) as pilot:
        for name in app.available_themes:
            app.theme = name
            await pilot.pause()
            assert app.theme_variables["acting"] != app.theme_variables["observing"]


def test_a_search_that_was_skipped_was_no_search():
    script = Script().step().act("search_campus_info", {"query": "club"}).observe("skipped", status="skipped", ms=0.0)
    script.act("search_campus_info", {"query": "rooms"}).observe("- Rooms", status="ok")
    script.act("search_campus_info", {"query": "rooms"}).observe("- Rooms", status="cached", ms=0.0)
    record = Record("when?")
    for event in script.events:
        record.add(event)
    assert record.searches == ["rooms"]


async def test_a_draft_that_was_sent_back_before_anything_was_looked_up_says_so_in_the_trace():
    script = Script().step().act("search_campus_info", {"query": "club"}).observe("skipped", status="skipped", ms=0.0)
    script.step_over().step().write(REFUSAL).note("Nothing was looked up.", step=2).withdraw("rejected").step_over()
    script.step().write(REFUSAL).step_over().end(Outcome.REFUSED, REFUSAL)
    async with campus_app(PlayedAgent(script.events)).run_test(size=(120, 36)) as pilot:
        screen = pilot.app.screen
        screen.query_one(Prompt).text = "when?"
        await pilot.press("enter")
        for _ in range(300):
            if screen.query(".outcome"):
                break
            await pilot.pause()
        rows = "\n".join(str(row.render()) for row in screen.query(Row))
        assert f"· note Nothing was looked up. ✕ rejected {REFUSAL}" in " ".join(rows.split())
        assert str(screen.query_one(Status).render()) == "○ refused · nothing was searched: the call was skipped"


def test_a_stored_run_is_read_when_it_is_wanted_and_counted_once():
    read = []

    def events() -> list:
        read.append(1)
        return club_run()

    record = Record("?", run="run-1", read=events)
    assert record.stored
    assert not read
    assert record.events == recorded(club_run()).events == record.events
    assert len(read) == 2
    assert (record.calls, record.step, record.finished) == (2, 3, club_run()[-1])
