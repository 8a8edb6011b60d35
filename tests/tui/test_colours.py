from __future__ import annotations

import pytest
from screen_runs import PlayedAgent, campus_app, club_run
from textual.css.stylesheet import Stylesheet
from traced import ask


@pytest.mark.parametrize("theme", [None, "campus-light", "campus-contrast", "ansi-dark", "nord"])
async def test_the_style_sheet_is_read_once_for_the_first_frame_whatever_its_theme(
    theme: str | None, monkeypatch: pytest.MonkeyPatch
):
    read: list[Stylesheet] = []
    reparse = Stylesheet.reparse
    monkeypatch.setattr(Stylesheet, "reparse", lambda sheet: (read.append(sheet), reparse(sheet))[1])
    app = campus_app(PlayedAgent(club_run()), theme=theme)
    async with app.run_test(size=(120, 36)) as pilot:
        await pilot.pause()
        assert read == []
        assert app.screen.styles.background == app.screen.styles.background.parse(app.current_theme.background or "")


@pytest.mark.parametrize("end", ["campus-light", "campus-contrast", "ansi-dark", "nord"])
async def test_a_theme_that_is_chosen_later_looks_like_one_that_was_there_from_the_start(end: str):
    pictures = []
    for begin in ("campus-dark", end):
        app = campus_app(PlayedAgent(club_run()), theme=begin)
        async with app.run_test(size=(120, 36)) as pilot:
            await ask(pilot, "?")
            app.theme = end
            await pilot.pause()
            strips = app.screen._compositor.render_strips()
            pictures.append([[(part.text, part.style) for part in strip] for strip in strips])
    assert pictures[0] == pictures[1]
