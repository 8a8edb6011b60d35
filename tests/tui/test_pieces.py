from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from itertools import count, pairwise

import pytest
from screen_runs import PlayedAgent, Script, campus_app
from textual.pilot import Pilot
from traced import ask
from waiting import until

from campus_agent.agent.events import Event
from campus_agent.agent.outcome import Outcome
from campus_agent.tui.screens.conversation import ConversationScreen
from campus_agent.tui.widgets.answer import Answer
from campus_agent.tui.widgets.chat_pane import ChatPane
from campus_agent.tui.widgets.piece import Piece, PieceLine
from campus_agent.tui.widgets.pieces import Cut, cut
from campus_agent.tui.widgets.turn import Turn

PARAGRAPHS = "".join(f"Paragraph {number} of many.\n\n" for number in range(2_000))
ITEMS = "".join(f"- item {number}\n" for number in range(3_000))
CODE = "Before.\n\n```python\n" + "".join(f"print({number})\n" for number in range(2_000)) + "```\n\nAfter.\n"
TABLE = "| a | b |\n|---|---|\n" + "".join(f"| {number} | x |\n" for number in range(2_000)) + "\nAfter.\n"
DEEP = "".join("  " * number + f"- level {number}\n" for number in range(400))
LINE = "word " * 20_000
UNBROKEN = "x" * 60_000
LONG = pytest.mark.parametrize(
    "text",
    [PARAGRAPHS, ITEMS, CODE, TABLE, DEEP, LINE, UNBROKEN, "line\n" * 9_000],
    ids=["paragraphs", "items", "code", "table", "deep", "line", "unbroken", "lines"],
)


def cuts(text: str) -> list[Cut]:
    found = [Cut(0)]
    for _ in count():
        found.append(cut(text, found[-1].end, found[-1].carried))
        if not found[-1].complete:
            return found
    raise AssertionError("there is an end")


@LONG
def test_pieces_are_small_and_together_they_are_the_text(text: str):
    found = cuts(text)
    ends = [one.end for one in found]
    assert "".join(text[start:end] for start, end in pairwise(ends)) == text
    assert len(found) > 3
    for start, end in pairwise(ends):
        assert 0 < end - start <= 10_200
        assert text[start:end].count("\n") <= 400


@LONG
def test_a_piece_ends_in_the_same_place_however_much_of_the_text_has_come(text: str):
    whole = cut(text)
    for length in range(1, whole.end + 400, 37):
        so_far = cut(text[:length])
        assert so_far == whole or (not so_far.complete and so_far.end == length)


@pytest.mark.parametrize(("text", "carried"), [(CODE, "```python\n"), (TABLE, "| a | b |\n|---|---|\n")])
def test_code_and_tables_go_on_as_such_in_the_next_piece_and_end_where_they_end(text: str, carried: str):
    found = cuts(text)
    assert {one.carried for one in found[1:-1]} == {carried}
    assert cut(f"{text}{'After.' * 9_000}", found[-2].end, carried).carried == ""


def test_a_piece_ends_between_two_paragraphs_and_a_common_answer_is_one_piece():
    assert PARAGRAPHS[: cut(PARAGRAPHS).end].endswith("\n\n")
    common = "The club meets.\n\n- on Thursdays\n" * 40
    assert cut(common) == Cut(len(common))


def answering(text: str) -> list[Event]:
    return Script().step().write(text).step_over().end(Outcome.ANSWERED, text).events


async def answered(pilot: Pilot[int]) -> tuple[ConversationScreen, Answer]:
    screen = await ask(pilot)
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()
    return screen, screen.query_one(Answer)


def said(answer: Answer) -> str:
    return str(answer.query_one(PieceLine).render())


async def test_a_long_answer_is_leafed_through_and_copied_whole():
    app = campus_app(PlayedAgent(answering(PARAGRAPHS)))
    async with app.run_test(size=(120, 36)) as pilot:
        _, answer = await answered(pilot)
        first = answer.source
        assert said(answer) == f"… {len(PARAGRAPHS) - len(first):,} more characters ▸"
        answer.query_one(PieceLine).focus()
        await pilot.press("enter")
        await until(pilot, lambda: said(answer).startswith("piece 2 "))
        assert PARAGRAPHS.startswith(first + answer.source)
        assert answer.query_one(Piece).region.y >= 0
        await pilot.press("left")
        await until(pilot, lambda: answer.source == first and "▸" in said(answer))
        await pilot.press("ctrl+y")
        await app.workers.wait_for_complete()
        assert app.clipboard == PARAGRAPHS


async def test_after_the_last_piece_comes_the_first():
    text = PARAGRAPHS[:12_000]
    app = campus_app(PlayedAgent(answering(text)))
    async with app.run_test(size=(120, 36)) as pilot:
        _, answer = await answered(pilot)
        answer.query_one(PieceLine).focus()
        while "the last" not in said(answer):
            number = said(answer)
            await pilot.press("enter")
            await until(pilot, lambda number=number: said(answer) not in ("", number))
        assert text.endswith(answer.source)
        await pilot.press("enter")
        await until(pilot, lambda: said(answer).endswith("▸"))
        assert text.startswith(answer.source)


async def test_a_common_answer_has_no_line_under_it():
    app = campus_app(PlayedAgent(answering("The club meets.\n\n- on Thursdays\n")))
    async with app.run_test(size=(120, 36)) as pilot:
        _, answer = await answered(pilot)
        assert not answer.query(PieceLine)
        assert answer.source == answer.text


@LONG
async def test_however_long_an_answer_is_few_widgets_draw_it(text: str):
    app = campus_app(PlayedAgent(answering(text)))
    async with app.run_test(size=(120, 36)) as pilot:
        screen, answer = await answered(pilot)
        assert len(list(screen.walk_children())) < 250
        assert answer.text.strip() == text.strip()


class Writing(PlayedAgent):
    """An agent that has written all but its last paragraphs, and goes on when it is told to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text
        self.go = asyncio.Event()

    async def run(self, question: str) -> AsyncGenerator[Event, None]:
        at = len(self.text) - 200
        script = Script().step().write(*(self.text[start : min(at, start + 500)] for start in range(0, at, 500)))
        for event in script.events:
            yield event
        await self.go.wait()
        before = len(script.events)
        for event in script.write(self.text[at:]).step_over().end(Outcome.ANSWERED, self.text).events[before:]:
            yield event


async def begun(pilot: Pilot[int], *, back: bool = False) -> ConversationScreen:
    """Ask, and wait for the line under the first piece, or the newest; `back` when the person does not follow."""
    screen = pilot.app.screen
    assert isinstance(screen, ConversationScreen)
    await until(pilot, lambda: screen.assistant is not None)
    screen.question("a")
    if back:
        await until(pilot, lambda: screen.query(Turn))
        screen.query_one(ChatPane).release_anchor()
    await until(pilot, lambda: screen.query(PieceLine) and (back or "the last" in said(screen.query_one(Answer))))
    return screen


@pytest.mark.parametrize("text", [PARAGRAPHS, CODE, LINE], ids=["paragraphs", "code", "line"])
async def test_while_a_long_answer_arrives_its_newest_piece_is_shown_and_stays_when_it_is_whole(text: str):
    agent = Writing(text)
    app = campus_app(agent)
    async with app.run_test(size=(120, 36)) as pilot:
        screen = await begun(pilot)
        answer, pane = screen.query_one(Answer), screen.query_one(ChatPane)
        await until(pilot, lambda: text[:-200].endswith(answer.source) and pane.scroll_y == pane.max_scroll_y)
        assert answer.source
        agent.go.set()
        await until(pilot, lambda: not screen.busy)
        await app.workers.wait_for_complete()
        await until(pilot, lambda: not said(answer).endswith("▸"))
        assert text.find(answer.source, 1) > 0


async def test_who_turns_back_while_a_long_answer_arrives_stays_there_and_gets_to_the_newest_piece_by_turning_on():
    agent = Writing(PARAGRAPHS)
    app = campus_app(agent)
    async with app.run_test(size=(120, 36)) as pilot:
        screen = await begun(pilot)
        answer = screen.query_one(Answer)
        await until(pilot, lambda: PARAGRAPHS[:-200].endswith(answer.source))
        newest = said(answer)
        answer.query_one(PieceLine).focus()
        await pilot.press("left")
        await until(pilot, lambda: said(answer) != newest and "more character" in said(answer))
        stays = answer.source
        agent.go.set()
        await until(pilot, lambda: not screen.busy)
        assert answer.source == stays
        await pilot.press("enter")
        await until(pilot, lambda: "the last" in said(answer))
        assert PARAGRAPHS.endswith(answer.source)


async def test_who_has_scrolled_back_in_a_long_answer_keeps_the_piece_that_is_read():
    app = campus_app(Writing(PARAGRAPHS))
    async with app.run_test(size=(120, 36)) as pilot:
        screen = await begun(pilot, back=True)
        answer = screen.query_one(Answer)
        await until(pilot, lambda: answer.query(PieceLine) and said(answer).endswith("▸"))
        assert PARAGRAPHS.startswith(answer.source)
        screen.action_stop()
