from __future__ import annotations

import pytest
from screen_runs import ABOUT, PlayedAgent, campus_app, capped_run, club_run, refused_run, rejected_run
from textual.theme import Theme
from waiting import until

from campus_agent.assemble import Assistant
from campus_agent.settings import Settings
from campus_agent.tui.app import CampusApp
from campus_agent.tui.run import run_app
from campus_agent.tui.screens.conversation import ConversationScreen
from campus_agent.tui.themes import CONTRAST, DARK, LIGHT, OURS, meanings, ours, usual
from campus_agent.tui.widgets.fold import FoldLine
from campus_agent.tui.widgets.status import Status

NAMES = ("foreground", "primary", "success", "warning", "error", "acting", "observing", "muted")


def luminance(colour: str) -> float:
    channels = (int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5))
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(theme: Theme, name: str, ground: str = "background") -> float:
    """Return the ratio that WCAG 2 defines for a colour of a theme on a ground of it."""
    colour = theme.variables.get(name) or getattr(theme, name)
    light, dark = sorted((luminance(colour), luminance(getattr(theme, ground))), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("theme", OURS, ids=lambda theme: theme.name)
def test_every_colour_of_our_themes_can_be_read_on_every_ground_of_them(theme: Theme, name: str):
    least = 7.0 if theme is CONTRAST else 4.5
    assert contrast(theme, name) >= least
    assert contrast(theme, name, "surface") >= 4.5
    assert contrast(theme, name, "panel") >= (4.5 if theme is CONTRAST else 3.9)


def test_the_high_contrast_theme_has_the_most_contrast_in_everything():
    for name in (*NAMES, "rule"):
        assert contrast(CONTRAST, name) > max(contrast(DARK, name), contrast(LIGHT, name))


@pytest.mark.parametrize(
    ("colours", "name"),
    [
        ("truecolor", "campus-dark"),
        ("256", "campus-dark"),
        (None, "campus-dark"),
        ("standard", "ansi-dark"),
        ("windows", "ansi-dark"),
    ],
)
def test_a_terminal_of_16_colours_gets_a_theme_of_its_own_colours(colours: str | None, name: str):
    assert usual(colours) == name


@pytest.mark.parametrize("colours", ["standard", "windows"])
def test_with_16_colours_each_of_our_themes_keeps_its_name_and_has_two_accents_and_a_colour_for_each_outcome(
    colours: str,
):
    assert [theme.name for theme in ours(colours)] == [theme.name for theme in OURS]
    for theme in ours(colours):
        seen = {**meanings(theme), **theme.variables}
        meant = [seen["acting"], seen["observing"], theme.success, theme.warning, theme.error]
        assert len(set(meant)) == len(meant)
        assert all(str(colour).startswith("ansi_") for colour in [*meant, seen["muted"], theme.background])


def test_with_more_colours_our_themes_are_as_they_are():
    assert ours("truecolor") == ours("256") == ours(None) == OURS


@pytest.mark.parametrize("name", [theme.name for theme in OURS])
async def test_a_theme_of_ours_is_drawn_in_the_16_colours_of_the_terminal(name: str):
    assistant = Assistant(PlayedAgent(club_run()), ABOUT)  # type: ignore[arg-type]
    app = CampusApp(Settings(theme=name), assemble=lambda _: assistant, colours="standard")
    async with app.run_test(size=(80, 24)):
        assert app.theme == name
        assert app.current_theme.ansi


@pytest.mark.parametrize(("term", "name"), [("xterm-16color", "ansi-dark"), ("xterm-256color", "campus-dark")])
def test_the_start_looks_at_how_many_colours_the_terminal_has(term: str, name: str, monkeypatch: pytest.MonkeyPatch):
    begun: list[CampusApp] = []

    async def begin(app: CampusApp, **_: object) -> None:
        begun.append(app)

    monkeypatch.setenv("TERM", term)
    monkeypatch.delenv("COLORTERM", raising=False)
    monkeypatch.setattr("rich.console.Console.is_terminal", property(lambda _: True))
    monkeypatch.setattr(CampusApp, "run_async", begin)
    run_app(Settings())
    assert begun[0].theme == name


def drawn(app: CampusApp) -> str:
    return "\n".join(strip.text for strip in app.screen._compositor.render_strips())


@pytest.mark.parametrize("size", [(120, 36), (60, 20)], ids=["wide", "small"])
@pytest.mark.parametrize(
    ("run", "said"),
    [(club_run, "✓ grounded"), (refused_run, "○ refused"), (capped_run, "◐ step limit"), (rejected_run, "✓ grounded")],
    ids=["answered", "refused", "capped", "rejected"],
)
async def test_without_colours_how_a_run_ended_stands_there_in_a_sign_and_words(
    run, said: str, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("NO_COLOR", "1")
    app = campus_app(PlayedAgent(run()))
    async with app.run_test(size=size) as pilot:
        screen = app.screen
        assert isinstance(screen, ConversationScreen)
        await until(pilot, lambda: screen.assistant is not None)
        screen.question("a")
        await until(pilot, lambda: screen.query(Status) and not screen.busy)
        assert said in drawn(app)


@pytest.mark.parametrize(
    ("theme", "no_color", "reversed_"),
    [
        ("campus-dark", False, False),
        ("campus-dark", True, True),
        ("ansi-dark", False, True),
        ("ansi-light", False, True),
    ],
)
async def test_a_line_with_the_focus_is_reversed_where_no_ground_can_show_it(
    theme: str, no_color: bool, reversed_: bool, monkeypatch: pytest.MonkeyPatch
):
    if no_color:
        monkeypatch.setenv("NO_COLOR", "1")
    app = campus_app(PlayedAgent(club_run()), theme=theme)
    async with app.run_test(size=(80, 30)) as pilot:
        screen = app.screen
        assert isinstance(screen, ConversationScreen)
        await until(pilot, lambda: screen.assistant is not None)
        screen.question("a")
        await until(pilot, lambda: screen.query(FoldLine) and not screen.busy)
        line = screen.query(FoldLine).first()
        line.focus()
        await pilot.pause()
        assert bool(line.visual_style.reverse) is reversed_


@pytest.mark.parametrize(("animations", "turns"), [("none", False), ("basic", True), ("full", True)])
async def test_where_nothing_may_move_the_spinner_stands_still_and_the_words_still_change(animations: str, turns: bool):
    app = campus_app(PlayedAgent(club_run(until_second_call=True)))
    async with app.run_test(size=(120, 36)) as pilot:
        app.animation_level = animations  # what TEXTUAL_ANIMATIONS sets
        screen = app.screen
        assert isinstance(screen, ConversationScreen)
        await until(pilot, lambda: screen.assistant is not None)
        screen.question("a")
        await until(pilot, lambda: "counting days to Thursday" in drawn(app))
        assert bool(screen.query_one(Status).auto_refresh) is turns
        screen.action_stop()
        await until(pilot, lambda: not screen.busy)
        assert "■ cancelled" in drawn(app)
