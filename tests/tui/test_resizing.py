from __future__ import annotations

import pytest
from screen_runs import PlayedAgent, club_run
from textual.events import Resize
from textual.geometry import Size
from waiting import until

from campus_agent.assemble import About, Assistant
from campus_agent.settings import Settings
from campus_agent.tui.run import _AtTheTerminal

SMALL, NOW, REPORTED = Size(20, 5), Size(100, 30), Size(90, 28)


@pytest.mark.parametrize(
    ("event", "in_a_browser", "drawn"),
    [
        pytest.param(Resize(SMALL, SMALL), False, NOW, id="an older one that comes last"),
        pytest.param(Resize(REPORTED, REPORTED, pixel_size=Size(900, 560)), False, REPORTED, id="the terminal's"),
        pytest.param(Resize(REPORTED, REPORTED), True, REPORTED, id="a browser's"),
    ],
)
async def test_the_app_is_drawn_in_the_size_that_the_terminal_has(
    monkeypatch: pytest.MonkeyPatch, event: Resize, in_a_browser: bool, drawn: Size
):
    monkeypatch.setattr(_AtTheTerminal, "is_web", in_a_browser)
    about = About("a played model", "test base, 1 passage", (), ())
    app = _AtTheTerminal(Settings(), assemble=lambda _: Assistant(PlayedAgent(club_run()), about))  # type: ignore[arg-type]
    async with app.run_test(size=(120, 36)) as pilot:
        monkeypatch.setenv("COLUMNS", str(NOW.width))
        monkeypatch.setenv("LINES", str(NOW.height))
        app.post_message(event)
        await until(pilot, lambda: app.screen.size == drawn)
