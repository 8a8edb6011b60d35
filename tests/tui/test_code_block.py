from __future__ import annotations

import pytest
from textual.app import App, ComposeResult
from textual.geometry import Offset
from textual.selection import Selection

from campus_agent.tui.app import CampusApp
from campus_agent.tui.widgets.code_block import CodeBlock, CodeText
from campus_agent.tui.widgets.piece import Piece

WIDE = "value = compute(alpha, beta)  # " + "".join(f"{number:03}" for number in range(30))
CODES = pytest.mark.parametrize(
    "code",
    [WIDE, f"if True:\n    {WIDE}\n    pass", "\tx = 1\n\n" + "y" * 300, "図書館" * 60, "short"],
    ids=["one line", "indented", "unbroken", "wide characters", "short"],
)


class Page(App[None]):
    CSS_PATH = CampusApp.CSS_PATH
    get_theme_variable_defaults = CampusApp.get_theme_variable_defaults

    def compose(self) -> ComposeResult:
        yield Piece()


@CODES
@pytest.mark.parametrize("width", [120, 40, 12])
async def test_all_of_a_wide_line_of_code_is_in_sight_and_a_sign_says_where_it_goes_on(code: str, width: int):
    app = Page()
    async with app.run_test(size=(width, 200)) as pilot:
        await app.query_one(Piece).update(f"```python\n{code}\n```")
        await pilot.pause()
        text = app.query_one(CodeText)
        drawn = [strip.text for strip in app.screen._compositor.render_strips()]
        shown = [
            drawn[y][text.content_region.x :].rstrip() for y in range(text.content_region.y, text.content_region.bottom)
        ]
        written = code.expandtabs().split("\n")
        assert "\n".join(shown).replace("\n↪ ", "").replace(" ", "") == "\n".join(written).replace(" ", "")
        assert sum(line.startswith("↪ ") for line in shown) == len(shown) - len(written)


@CODES
async def test_code_that_is_selected_is_as_it_was_written(code: str):
    app = Page()
    async with app.run_test(size=(40, 60)) as pilot:
        await app.query_one(Piece).update(f"```python\n{code}\n```")
        await pilot.pause()
        text = app.query_one(CodeText)
        everything = Selection(Offset(0, 0), Offset(*text.content_size))
        found = text.get_selection(everything)
        assert found is not None
        assert found[0] == code.expandtabs()
        assert app.query_one(CodeBlock).code.rstrip("\n") == code
