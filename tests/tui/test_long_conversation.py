from __future__ import annotations

from itertools import pairwise

import pytest
from screen_runs import PlayedAgent, Script, campus_app, club_run
from textual.pilot import Pilot
from waiting import until

from campus_agent.agent.events import Event
from campus_agent.agent.outcome import Outcome
from campus_agent.tui.screens.conversation import ConversationScreen
from campus_agent.tui.widgets.answer import Answer
from campus_agent.tui.widgets.chat_pane import ChatPane
from campus_agent.tui.widgets.fold import Fold
from campus_agent.tui.widgets.piece import Piece, PieceLine
from campus_agent.tui.widgets.records_pane import RecordsPane
from campus_agent.tui.widgets.run_trace import RunTrace
from campus_agent.tui.widgets.trace_pane import TracePane
from campus_agent.tui.widgets.turn import Turn

WIDE = (120, 36)
MANY = 45
PANES = pytest.mark.parametrize("kind", [ChatPane, TracePane], ids=["chat", "trace"])


def answering(text: str) -> list[Event]:
    return Script().step().write(text).step_over().end(Outcome.ANSWERED, text).events


async def talked(pilot: Pilot[int], agent: PlayedAgent, count: int = MANY) -> ConversationScreen:
    """Ask so many questions and return the screen."""
    screen = pilot.app.screen
    assert isinstance(screen, ConversationScreen)
    await until(pilot, lambda: screen.assistant is not None)
    for number in range(count):
        screen.question(f"question {number}")
    await until(pilot, lambda: len(agent.asked) == count and not screen.busy)
    return screen


def numbers(pane: RecordsPane) -> list[int]:
    parts = [child for child in pane.body.children if isinstance(child, Turn | RunTrace | Fold)]
    return [int(part.record.question.split()[-1]) for part in parts]


def in_sight(pane: RecordsPane) -> list[int]:
    parts = [child for child in pane.body.children if isinstance(child, Turn | RunTrace | Fold)]
    return [
        int(part.record.question.split()[-1])
        for part in parts
        if part.region.y < pane.region.bottom and part.region.bottom > pane.region.y
    ]


def said(pane: RecordsPane) -> list[str]:
    return [str(line.render()) for line in pane.query(".earlier") if line.display]


async def scrolled(pilot: Pilot[int], pane: RecordsPane, pages: int) -> None:
    (pane.scroll_page_down if pages > 0 else pane.scroll_page_up)(animate=False)
    await pilot.pause()
    await until(pilot, lambda: not pane._moving)


async def back_to(pilot: Pilot[int], pane: RecordsPane, number: int) -> None:
    for _ in range(150):
        if number in in_sight(pane):
            return
        await scrolled(pilot, pane, -1)
    raise AssertionError(f"question {number} did not come back")


@PANES
async def test_everything_can_be_scrolled_back_to_and_on_to_again_with_few_parts_at_any_moment(kind: type[RecordsPane]):
    agent = PlayedAgent(*(answering(f"Answer {number}.") for number in range(MANY)))
    async with campus_app(agent).run_test(size=WIDE) as pilot:
        screen = await talked(pilot, agent)
        pane = screen.query_one(kind)
        await until(pilot, lambda: pane.max_scroll_y > 0)
        assert len(numbers(pane)) == pane.kept + 1
        most, top, bottom = 0, in_sight(pane)[0], 0
        while top > 0:
            await scrolled(pilot, pane, -1)
            assert in_sight(pane)[-1] >= top - 1, "a page back skips nothing"
            top = in_sight(pane)[0]
            most = max(most, len(numbers(pane)))
        assert most <= pane.kept + 2 * pane._at_once + 1
        assert numbers(pane)[-1] == MANY - 1
        gone = MANY - len(numbers(pane))
        assert said(pane) == ([f"↓ {gone} later questions: scroll on, or press End for the newest"] if gone else [])
        while bottom < MANY - 1:
            before = in_sight(pane)[-1]
            await scrolled(pilot, pane, 1)
            assert in_sight(pane)[0] <= before + 1, "a page on skips nothing"
            bottom = in_sight(pane)[-1]
        await until(pilot, lambda: len(numbers(pane)) == pane.kept + 1)
        assert numbers(pane) == list(range(MANY - pane.kept - 1, MANY))


@PANES
async def test_what_is_read_stays_where_it_is_when_more_comes_back_above_it(kind: type[RecordsPane]):
    agent = PlayedAgent(*(answering(f"Answer {number}.") for number in range(MANY)))
    async with campus_app(agent).run_test(size=WIDE) as pilot:
        pane = (await talked(pilot, agent)).query_one(kind)
        while pane.scroll_y > pane.size.height:
            pane.scroll_relative(y=-1, animate=False)
            await pilot.pause()
        part = next(child for child in pane.body.children if child.region.bottom > pane.region.y)
        first, line = numbers(pane)[0], part.region.y
        pane.scroll_relative(y=-1, animate=False)
        await until(pilot, lambda: numbers(pane)[0] < first and not pane._moving)
        assert part.region.y == line + 1


@pytest.mark.parametrize("how", ["End", "a question"])
@PANES
async def test_what_was_scrolled_back_to_is_released_again(kind: type[RecordsPane], how: str):
    agent = PlayedAgent(*(answering(f"Answer {number}.") for number in range(MANY + 1)))
    async with campus_app(agent).run_test(size=WIDE) as pilot:
        screen = await talked(pilot, agent)
        pane = screen.query_one(kind)
        await back_to(pilot, pane, 20)
        count = MANY
        if how == "End":
            screen.action_latest()
        else:
            screen.question(f"question {MANY}")
            await until(pilot, lambda: len(agent.asked) == MANY + 1 and not screen.busy)
            count += 1
        await until(pilot, lambda: numbers(pane) == list(range(count - pane.kept - 1, count)))
        await until(pilot, lambda: pane.scroll_y == pane.max_scroll_y)
        assert in_sight(pane)[-1] == count - 1


async def test_what_comes_back_is_as_it_was():
    agent = PlayedAgent(*(answering(f"Answer {number}.") for number in range(40)))
    agent.runs[1] = Script().end(Outcome.CANCELLED, "half").events
    async with campus_app(agent).run_test(size=WIDE) as pilot:
        screen = await talked(pilot, agent, 40)
        await back_to(pilot, screen.query_one(ChatPane), 0)
        turns = list(screen.query(Turn))[:3]
        assert [turn.text for turn in turns] == ["Answer 0.", "half", "Answer 2."]
        assert "cancelled" in str(turns[1].query_one("Status").render())
        assert [record.question for record in screen.records] == [f"question {number}" for number in range(40)]


async def test_a_run_goes_on_being_shown_while_the_person_reads_far_above():
    unfinished = Script().step().events
    agent = PlayedAgent(*([answering("Answer.")] * 60), unfinished)
    async with campus_app(agent).run_test(size=WIDE) as pilot:
        screen = await talked(pilot, agent, 60)
        screen.question("question 60")
        await until(pilot, lambda: screen.playing)
        turn = screen.query(Turn).last()
        await back_to(pilot, screen.query_one(ChatPane), 5)
        screen.action_stop()
        await until(pilot, lambda: not screen.busy)
        assert turn.is_attached
        assert "cancelled" in str(turn.query_one("Status").render())
        assert 5 in in_sight(screen.query_one(ChatPane))


async def test_a_later_question_costs_no_more_widgets_and_layouts_than_an_early_one(monkeypatch: pytest.MonkeyPatch):
    arranged: list[int] = []
    arrange = ConversationScreen._refresh_layout

    def counted(screen: ConversationScreen, *args: object, **more: object) -> None:
        arranged.append(len(screen.query("*")))
        arrange(screen, *args, **more)

    monkeypatch.setattr(ConversationScreen, "_refresh_layout", counted)
    agent = PlayedAgent(club_run())
    async with campus_app(agent).run_test(size=WIDE) as pilot:
        screen = await talked(pilot, agent, 30)
        early = len(screen.query("*"))
        for number in range(30, MANY):
            screen.question(f"question {number}")
        await until(pilot, lambda: len(agent.asked) == MANY and not screen.busy)
        assert len(screen.query("*")) <= early + 5
        assert max(arranged) < 400


async def test_a_thousand_turns_are_remembered_and_the_first_of_more_is_forgotten():
    agent = PlayedAgent(club_run())
    async with campus_app(agent).run_test(size=WIDE) as pilot:
        screen = await talked(pilot, agent, 1)
        trace = screen.query_one(TracePane)
        for number in range(1, 1005):
            await trace.begin(type(screen.records[0])(f"question {number}"))
        assert len(trace.records) == 1000
        assert trace.records[0].question == "question 5"
        assert await trace.bring(screen.records[0]) is None
        assert len(numbers(trace)) == trace.kept + 1


async def test_runs_stand_one_under_the_other_without_a_gap_however_many_were_folded_at_once():
    agent = PlayedAgent(club_run())
    async with campus_app(agent).run_test(size=WIDE) as pilot:
        screen = await talked(pilot, agent, 8)
        pane = screen.query_one(TracePane)
        parts = [child for child in pane.body.children if isinstance(child, RunTrace | Fold)]
        for above, below in pairwise(parts):
            assert below.virtual_region.y == above.virtual_region.bottom + 1


@pytest.mark.parametrize("times", [2, 3, 4, 5])
async def test_a_fold_that_is_toggled_from_several_places_at_once_ends_as_one_after_the_other(times: int):
    agent = PlayedAgent(club_run())
    async with campus_app(agent).run_test(size=(80, 24)) as pilot:
        screen = await talked(pilot, agent, 1)
        fold = screen.query_one("Turn > Fold", Fold)
        for _ in range(times):
            screen.run_worker(fold.toggle(), exit_on_error=False)
        await pilot.app.workers.wait_for_complete()
        await pilot.pause()
        assert fold.is_open == bool(times % 2)
        assert len(fold.query(RunTrace)) == times % 2
        assert len(fold.query("StepCard")) == 3 * (times % 2)


@pytest.mark.parametrize("outcome", [Outcome.CANCELLED, Outcome.ANSWERED])
async def test_a_very_long_answer_is_over_before_all_of_it_is_drawn_and_is_drawn_in_pieces(
    outcome: Outcome, monkeypatch: pytest.MonkeyPatch
):
    drawn: list[int] = []
    append = Piece.append

    def counted(piece: Piece, markdown: str):
        drawn.append(len(markdown))
        return append(piece, markdown)

    monkeypatch.setattr(Piece, "append", counted)
    text = "".join(f"Paragraph {number} of many.\n\n" for number in range(1200))
    agent = PlayedAgent(Script().step().write(text).step_over().end(outcome, text).events)
    async with campus_app(agent).run_test(size=WIDE) as pilot:
        screen = await talked(pilot, agent, 1)
        turn = screen.query_one(Turn)
        assert turn.text == text
        early = len(turn.query_one(Answer).source)
        await pilot.app.workers.wait_for_complete()
        assert turn.text == text
        assert early < len(turn.query_one(Answer).source) < len(text)
        assert turn.query_one(PieceLine).display
        assert max(drawn) <= 2_000


@PANES
async def test_home_goes_to_the_very_beginning_at_once_and_end_to_the_newest(kind: type[RecordsPane]):
    agent = PlayedAgent(*(answering(f"Answer {number}.") for number in range(MANY)))
    async with campus_app(agent).run_test(size=WIDE) as pilot:
        screen = await talked(pilot, agent)
        pane = screen.query_one(kind)
        await until(pilot, lambda: pane.max_scroll_y > 0 and 0 not in numbers(pane))
        pane.focus()
        await pilot.press("home")
        await until(pilot, lambda: not pane._moving and in_sight(pane)[0] == 0)
        assert pane.scroll_y == 0
        await pilot.press("end")
        await until(pilot, lambda: not pane._moving and in_sight(pane)[-1] == MANY - 1)
