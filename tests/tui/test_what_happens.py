from __future__ import annotations

import pytest
from screen_runs import HOSTILE, PlayedAgent, Script, campus_app, club_run, rejected_run
from textual.app import App, ComposeResult
from traced import CLUB, LAB, Traced, ask
from waiting import until

from campus_agent.agent.events import Event
from campus_agent.agent.outcome import Outcome
from campus_agent.tui.record import Record
from campus_agent.tui.verdict import verdict
from campus_agent.tui.widgets.live_step import LiveStep
from campus_agent.tui.widgets.row import Row
from campus_agent.tui.widgets.status import Status

NARROW, WIDE = (80, 24), (120, 36)


def of(events: list[Event]) -> Record:
    record = Record("?")
    for event in events:
        record.add(event)
    return record


def stuck() -> list[Event]:
    script = Traced().sized_step(10).act("search_campus_info", {"query": "club"}).find(CLUB, LAB).cost(ms=1)
    return script.sized_step(20).events


def live(screen) -> str:
    return "\n".join(str(row.render()) for row in screen.query("LiveStep Row").results(Row))


# ---- the step that goes on


async def test_where_the_trace_has_no_room_the_newest_acting_and_observing_stand_under_the_question():
    async with campus_app(PlayedAgent(stuck())).run_test(size=NARROW) as pilot:
        screen = pilot.app.screen
        await until(pilot, lambda: screen.assistant is not None)
        screen.question("?")
        await until(pilot, lambda: "every Thursday" in live(screen))
        assert "search_campus_info" in live(screen)
        assert screen.panes.front.region.contains_region(screen.query_one(LiveStep).region)  # all of it is in sight
        await pilot.press("escape")
        await until(pilot, lambda: not screen.busy)
        assert not screen.query(LiveStep)


async def test_where_the_trace_is_in_sight_nothing_is_shown_twice():
    async with campus_app(PlayedAgent(stuck())).run_test(size=WIDE) as pilot:
        screen = pilot.app.screen
        await until(pilot, lambda: screen.assistant is not None)
        screen.question("?")
        await until(pilot, lambda: screen.query("TracePane PassageRow"))
        assert not screen.query(LiveStep)
        await pilot.press("escape")


async def test_the_answer_takes_the_place_of_the_step_that_goes_on():
    run = club_run()
    upto = next(number for number, event in enumerate(run) if event.kind == "answer_delta")
    async with campus_app(PlayedAgent(run[: upto + 2])).run_test(size=NARROW) as pilot:
        screen = pilot.app.screen
        await until(pilot, lambda: screen.assistant is not None)
        screen.question("?")
        await until(pilot, lambda: screen.query("Answer"))
        assert live(screen) == ""
        await pilot.press("escape")


async def test_a_note_is_shown_where_the_run_says_what_it_does():
    said = "The server has too many requests; waiting 6 s because the server asked for it, then trying again (2 of 3)."
    async with campus_app(PlayedAgent(Script().step().note(said, step=1).events)).run_test(size=NARROW) as pilot:
        screen = pilot.app.screen
        await until(pilot, lambda: screen.assistant is not None)
        screen.question("?")
        await until(pilot, lambda: screen.query(Status))
        await until(pilot, lambda: "waiting 6 s" in str(screen.query_one(Status).render()))
        assert screen.query_one(Status).size.height == 1
        await pilot.press("escape")


async def test_a_wait_that_a_server_asked_for_is_counted_down():
    moment = 100.0
    status = Status(of([]), clock=lambda: moment)

    class Waiting(App[None]):
        def compose(self) -> ComposeResult:
            yield status

    async with Waiting().run_test(size=(40, 3)):
        for event in Script().step().note("Too many requests.", step=1, wait=6.0).events:
            status.show(event)
        assert "waiting 6 s · Too many requests" in str(status.render())
        moment += 4.5
        assert "waiting 2 s · Too many requests" in str(status.render())
        moment += 2
        assert "waiting" not in str(status.render())


# ---- what came of it


@pytest.mark.parametrize("width", [60, 80, 100])
async def test_what_stands_under_an_answer_is_wrapped_and_never_cut(width: int):
    sources = [CLUB.model_copy(update={"source": f"a-folder-with-a-long-name/page-{number}.md"}) for number in range(4)]
    script = Traced().sized_step(10).act("search_campus_info", {"query": "club"}).find(*sources).cost(ms=1)
    script.sized_step(20).write("5 PM.").ground(*sources, facts=[("5 PM", "time", sources[0].source)]).cost(ms=1)
    run = script.end(Outcome.ANSWERED, "5 PM.").events
    async with campus_app(PlayedAgent(run)).run_test(size=(width, 30)) as pilot:
        screen = await ask(pilot)
        status = screen.query_one(Status)
        drawn = "".join(status.render_line(y).text.rstrip() + " " for y in range(status.size.height)).replace(
            "\u00a0", " "
        )
        assert all(f"[{number + 1}] a-folder-with-a-long-name/page-{number}.md" in drawn for number in range(4))


def test_a_refusal_by_the_checks_says_how_many_facts_nothing_supported():
    script = Script().step().write("Tuesday in 7.").step_over()
    script.check(("Tuesday", "weekday", None), ("7", "number", None)).withdraw("rejected")
    script.step().write("No.").step_over().check().end(Outcome.REFUSED, "No.")
    assert str(verdict(of(script.events))) == "○ refused · the draft named 2 facts that no source supports"


def test_a_refusal_after_a_weak_search_names_the_missing_word() -> None:
    script = Traced().sized_step(1).act("search_campus_info", {"query": "sauna"}).find(CLUB, match="weak").cost(ms=1)
    last = script.events[-2]
    script.events[-2] = last.model_copy(update={"content": f"{last.content}\nWeak match: no passage mentions sauna."})
    said = verdict(of(script.end(Outcome.REFUSED, "No.").events))
    assert (said.more, said.below) == ("searched “sauna”", "Weak match: no passage mentions sauna.")


@pytest.mark.parametrize(
    ("limit", "steps", "below"),
    [
        (1, 1, "the limit of 1 step left no search: /steps allows more"),
        (2, 2, "the limit of 2 steps left no search: /steps allows more"),
        (2, 1, ""),
        (5, 0, ""),
    ],
)
def test_a_refusal_in_the_last_step_without_any_search_names_the_limit(limit: int, steps: int, below: str):
    script = Script(max_steps=limit)
    for _ in range(steps):
        script.step().step_over()
    said = verdict(of(script.end(Outcome.REFUSED, "No.").events))
    assert (str(said), said.below) == ("○ refused", below)


def test_a_refusal_in_the_last_step_after_a_search_does_not_name_the_limit():
    script = Script(max_steps=2).step().act("search_campus_info", {"query": "sauna"}).observe("- Pool").step_over()
    said = verdict(of(script.step().step_over().end(Outcome.REFUSED, "No.").events))
    assert (said.more, said.below) == ("searched “sauna”", "")


def test_a_draft_that_was_mended_counts_no_longer():
    assert str(verdict(of(rejected_run()))) == "✓ grounded · 2 facts"


@pytest.mark.parametrize(
    ("matches", "below"),
    [
        (["weak"], "Weak match: no passage mentions sauna."),
        (["weak", "strong"], ""),
        (["strong", "weak"], "Weak match: no passage mentions sauna."),
        (["strong"], ""),
    ],
)
async def test_a_weak_match_names_the_missing_word_under_the_answer(matches: list[str], below: str):
    script = Traced()
    for number, match in enumerate(matches):
        script.sized_step(10).act("search_campus_info", {"query": f"club {number}"}).find(CLUB, match=match).cost(ms=1)
        if match == "weak":
            last = script.events[-2]
            content = f"{last.content}\nWeak match: no passage mentions sauna."
            script.events[-2] = last.model_copy(update={"content": content, "length": len(content)})
    script.sized_step(20).write("5 PM.").ground(CLUB, facts=[("5 PM", "time", CLUB.source)]).cost(ms=1)
    run = script.end(Outcome.ANSWERED, "5 PM.").events
    async with campus_app(PlayedAgent(run)).run_test(size=WIDE) as pilot:
        screen = await ask(pilot)
        assert "\n".join(str(said.render()) for said in screen.query("Turn .nothing")) == below


def test_what_a_run_came_to_is_one_line_whatever_stands_in_it():
    script = Script().step().act("search_campus_info", {"query": HOSTILE}).observe("x").step_over()
    said = str(verdict(of(script.end(Outcome.REFUSED, "No.").events)))
    assert "\n" not in said
    assert not any(sign in said for sign in "\x1b\x07\x9b\u202e")
