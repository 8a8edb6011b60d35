from __future__ import annotations

import pytest
from textual.app import App, ComposeResult

from campus_agent.tui.app import CampusApp
from campus_agent.tui.widgets.answer import Answer
from campus_agent.tui.widgets.flat_block import FlatBlock
from campus_agent.tui.widgets.piece import Piece


class Page(App[None]):
    CSS_PATH = CampusApp.CSS_PATH
    get_theme_variable_defaults = CampusApp.get_theme_variable_defaults

    def compose(self) -> ComposeResult:
        yield Piece()


async def drawn(*texts: str, width: int = 40) -> str:
    app = Page()
    async with app.run_test(size=(width, 30)) as pilot:
        piece = app.query_one(Piece)
        for text in texts:
            await piece.append(text)
            await pilot.pause()
        blocks = [str(block.render()) for block in piece.query(FlatBlock)]
        return "\n".join(line.rstrip() for line in "\n".join(blocks).splitlines())


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("- one\n- two\n", ["• one", "• two"]),
        ("- one\n\n- two\n\n  more\n", ["• one", "• two", "  more"]),
        ("9. nine\n10. ten\n", [" 9. nine", "10. ten"]),
        ("1. one\n1. two\n", ["1. one", "2. two"]),
        ("- one\n  1. first\n     - deep\n  2. second\n- two\n", None),
        ("- \n- b\n", ["• b"]),
        ("- a very long item of a list that is wrapped\n", ["• a very long item of a list that is", "  wrapped"]),
    ],
    ids=["bullets", "loose", "numbers", "counted", "nested", "empty item", "wrapped"],
)
async def test_a_list_keeps_each_item_to_its_own_column(text: str, lines: list[str] | None):
    nested = ["• one", "  1. first", "     ▪ deep", "  2. second", "• two"]
    assert (await drawn(text)).splitlines() == (lines or nested)


async def test_a_table_has_columns_where_there_is_room_and_names_each_cell_where_there_is_none():
    text = "| Day | Room | Seats |\n|---|---|--:|\n| Monday | 204 | 30 |\n| Tuesday | 12 | 5 |\n"
    assert (await drawn(text)).splitlines() == [
        "Day     │ Room │ Seats",
        "────────┼──────┼──────",
        "Monday  │ 204  │    30",
        "Tuesday │ 12   │     5",
    ]
    assert (await drawn(text, width=18)).splitlines() == [
        "Day  Monday",
        "Room  204",
        "Seats  30",
        "",
        "Day  Tuesday",
        "Room  12",
        "Seats  5",
    ]


async def test_cells_are_wrapped_to_their_column_and_their_rows_kept_apart():
    text = "| a | b |\n|---|---|\n| x | one two three four five six |\n| y | z |\n"
    assert (await drawn(text, width=20)).splitlines() == [
        "a │ b",
        "──┼─────────────────",
        "x │ one two three",
        "  │ four five six",
        "",
        "y │ z",
    ]


@pytest.mark.parametrize("text", ["- one\n- **two** and\n- three\n", "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n"])
async def test_a_block_that_arrives_letter_by_letter_is_drawn_as_one_that_came_whole(text: str):
    assert await drawn(*text) == await drawn(text)


class Asked(App[None]):
    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []

    def compose(self) -> ComposeResult:
        yield Answer()

    def on_answer_link(self, message: Answer.Link) -> None:
        self.addresses.append(message.address)


@pytest.mark.parametrize(
    "text", ["- see [here](https://example.edu)\n", "|see [here](https://example.edu)|\n|---|\n|b|\n"]
)
async def test_a_link_in_a_list_or_a_table_is_reported(text: str):
    app = Asked()
    async with app.run_test(size=(40, 10)) as pilot:
        await app.query_one(Answer).settle(text)
        await pilot.pause()
        await pilot.click(FlatBlock, offset=(7, 0))
        await pilot.pause()
        assert app.addresses == ["https://example.edu"]
