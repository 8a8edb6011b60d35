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
    ("event", "drawn"),
    [
        pytest.param(Resize(SMALL, SMALL), NOW, id="an older size that comes last"),
        pytest.param(Resize(REPORTED, REPORTED, pixel_size=Size(900, 560)), REPORTED, id="the terminal's own report"),
    ],
)
async def test_the_app_is_drawn_in_the_size_that_the_terminal_has(
    monkeypatch: pytest.MonkeyPatch, event: Resize, drawn: Size
):
    about = About("a played model", "test base, 1 passage", (), ())
    app = _AtTheTerminal(Settings(), assemble=lambda _: Assistant(PlayedAgent(club_run()), about))  # type: ignore[arg-type]
    async with app.run_test(size=(120, 36)) as pilot:
        monkeypatch.setenv("COLUMNS", str(NOW.width))
        monkeypatch.setenv("LINES", str(NOW.height))
        app.post_message(event)
        await until(pilot, lambda: app.screen.size == drawn)
