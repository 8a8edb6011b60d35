from __future__ import annotations

import asyncio
from itertools import count

import pytest
from screen_runs import PlayedAgent, Script, campus_app
from textual import events
from textual.app import App, ComposeResult
from waiting import until

from campus_agent.agent.outcome import Outcome
from campus_agent.tui.app import CampusApp
from campus_agent.tui.widgets.answer import Answer
from campus_agent.tui.widgets.bounded_markdown import bounded_parser
from campus_agent.tui.widgets.piece import Piece
from campus_agent.tui.widgets.prompt import Prompt

FEW, MANY = 10, 400


def table(columns: int, rows: int) -> str:
    row = "| " + " | ".join(f"cell {column}" for column in range(columns)) + " |\n"
    return row + "|" + "---|" * columns + "\n" + row * rows


def items(count: int) -> str:
    return "".join(f"- item {number}\n" for number in range(count))


def nested(count: int) -> str:
    return "".join(f"{'  ' * (number % 5)}- item {number}\n" for number in range(count))


def quote(count: int) -> str:
    return "".join(f"> part {number}\n>\n" for number in range(count))


def with_code(count: int) -> str:
    return "- step\n  ```\n  run\n  ```\n" * count


def kinds(text: str) -> list[str]:
    return [token.type for token in bounded_parser().parse(text) if token.level == 0 and token.nesting >= 0]


@pytest.mark.parametrize(
    ("few", "many", "kind"),
    [
        (table(3, 3), table(MANY, 1), "flat_table"),
        (table(3, 3), table(3, MANY), "flat_table"),
        (with_code(FEW), with_code(MANY), "bullet_list_open"),
        (quote(FEW), quote(MANY), "blockquote_open"),
        (">" * 3 + " deep\n", ">" * MANY + " deep\n", "blockquote_open"),
    ],
    ids=["wide table", "long table", "list with code", "quote", "deep quote"],
)
def test_a_block_of_too_many_parts_is_shown_as_it_was_written_and_its_neighbours_as_they_are(
    few: str, many: str, kind: str
):
    assert kinds(f"Before.\n\n{few}\n\nAfter.") == ["paragraph_open", kind, "paragraph_open"]
    assert kinds(f"Before.\n\n{many}\n# After") == ["paragraph_open", "fence", "heading_open"]
    written = next(token for token in bounded_parser().parse(f"Before.\n\n{many}\n# After") if token.type == "fence")
    assert written.content.strip() == many.strip()
    assert written.map is not None
    assert written.map[0] == 2


@pytest.mark.parametrize("text", [items(MANY), nested(MANY), table(4, 90)], ids=["list", "nested list", "table"])
async def test_a_list_and_a_table_are_one_widget_whatever_their_size(text: str):
    app = Page()
    async with app.run_test(size=(80, 24)):
        piece = app.query_one(Piece)
        await piece.update(text)
        assert len(list(piece.walk_children())) == 1


@pytest.mark.parametrize("text", ["[a" * 3000, "*a " * 3000, "**a** " * 2000, "~~a" * 3000, "![a" * 3000])
def test_a_paragraph_of_nothing_but_marks_is_shown_as_it_was_written(text: str):
    inline = next(token for token in bounded_parser().parse(text) if token.type == "inline")
    assert [(child.type, child.content) for child in inline.children or ()] == [("text", text.strip())]


@pytest.mark.parametrize(
    ("fence", "language"),
    [
        ("```python\nprint()\n```", "python"),
        ("```\nprint()\n```", "text"),
        ("    print()", "text"),
        ("```python\n" + "print()\n" * 3000 + "```", "text"),
        ("- ```\n  print()\n  ```", "text"),
    ],
    ids=["named", "not named", "indented", "long", "in a list"],
)
def test_code_is_coloured_only_where_its_language_is_named_and_it_is_not_long(fence: str, language: str):
    tokens = bounded_parser().parse(fence)
    assert [token.info for token in tokens if token.type in ("fence", "code_block")] == [language]


class Page(App[None]):
    CSS_PATH = CampusApp.CSS_PATH
    get_theme_variable_defaults = CampusApp.get_theme_variable_defaults

    def compose(self) -> ComposeResult:
        yield Answer()


@pytest.mark.parametrize(
    "text",
    [items(60), table(4, 30), "word " * 400, "a\n\n" * 200, "```python\nprint()\n" * 50],
    ids=["list", "table", "paragraph", "paragraphs", "code"],
)
async def test_text_that_arrives_fast_is_drawn_in_few_goes_and_is_whole_in_the_end(
    text: str, monkeypatch: pytest.MonkeyPatch
):
    appended: list[str] = []
    append = Piece.append
    monkeypatch.setattr(Piece, "append", lambda piece, some: (appended.append(some), append(piece, some))[1])
    app = Page()
    async with app.run_test(size=(80, 24)) as pilot:
        answer = app.query_one(Answer)
        for start in range(0, len(text), 3):
            await answer.write(text[start : start + 3])
        await answer.settle(None)
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert "".join(appended) == answer.text[: len(answer.source)] == answer.source
        assert len(appended) < len(text) / 3 / 4
        whole = Piece()
        await app.mount(whole)
        await whole.update(answer.source)
        assert [type(block) for block in answer.query_one(Piece).children] == [type(one) for one in whole.children]


@pytest.mark.parametrize(
    ("written", "settled", "source"),
    [
        ("The club", None, "The club"),
        ("The club", "The club meets", "The club meets"),
        ("The club \n", "The club", "The club \n"),
        ("The club", "Nothing", "Nothing"),
        ("The club", "", ""),
        ("", "The club", "The club"),
    ],
)
@pytest.mark.parametrize("drawn", [True, False], ids=["drawn", "gathered"])
async def test_a_settled_answer_is_the_text_it_was_settled_with(
    written: str, settled: str | None, source: str, drawn: bool
):
    app = Page()
    async with app.run_test(size=(80, 24)) as pilot:
        answer = app.query_one(Answer)
        await answer.write(written)
        await until(pilot, lambda: not drawn or answer.source == written)
        await answer.settle(settled)
        assert answer.source == source
        await answer.settle(None)
        assert answer.source == source


class Flood(PlayedAgent):
    """An agent that writes without a pause until it is cancelled."""

    def __init__(self) -> None:
        super().__init__()
        self.under_way = asyncio.Event()

    async def run(self, question: str):
        script = Script().step()
        for event in script.events:
            yield event
        for line in count():
            await asyncio.sleep(0)
            yield script.write(f"- line {line}\n").events[-1]
            if line == 500:
                self.under_way.set()
            if self._cancelled.is_set():
                break
        yield script.end(Outcome.CANCELLED, "What was kept.").events[-1]


async def test_a_flood_of_text_can_be_stopped_and_gives_the_question_back():
    agent = Flood()
    app = campus_app(agent)
    async with app.run_test(size=(120, 36)) as pilot:
        await until(pilot, lambda: app.screen.assistant is not None)
        app.screen.question("a")
        await agent.under_way.wait()
        app.post_message(events.Key("escape", None))
        await app.workers.wait_for_complete()
        assert app.screen.query_one(Answer).source == "What was kept."
        assert app.screen.query_one(Prompt).text == "a"
