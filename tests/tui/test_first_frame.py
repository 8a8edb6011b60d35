from __future__ import annotations

import gc
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from screen_runs import PlayedAgent, club_run
from waiting import until

from campus_agent.assemble import About, Assistant
from campus_agent.errors import KnowledgeError, SettingsError
from campus_agent.settings import Settings
from campus_agent.tui.app import CampusApp
from campus_agent.tui.remembered import Look, LookFile
from campus_agent.tui.run import _Assembly, run_app
from campus_agent.tui.screens.conversation import ConversationScreen
from campus_agent.tui.widgets.prompt import Prompt

WIDE = (120, 36)
PAINTED = """
import sys
import campus_agent.cli.entry, campus_agent.tui.run
from campus_agent.tui.app import CampusApp
from campus_agent.tui.beginning import Beginning

def begin(beginning, chosen):
    print(*sorted(sys.modules))
    app.exit(0)

Beginning.start = begin
app = CampusApp(assemble=None)
app.run(headless=True, size=(120, 36))
"""
LATER = (
    "pydantic",
    "openai",
    "click",
    "markdown_it",
    "rank_bm25",
    "campus_agent.settings",
    "campus_agent.layers",
    "campus_agent.assemble",
    "campus_agent.agent.events",
    "campus_agent.tools",
    "campus_agent.models",
    "campus_agent.knowledge",
    "campus_agent.cli.root",
    "campus_agent.tui.record",
    *(
        f"campus_agent.tui.widgets.{name}"
        for name in ("turn", "answer", "status", "fold", "run_trace", "step_card", "row", "passage_row", "pause_card")
    ),
)


def test_what_the_first_frame_does_not_show_is_not_imported_for_it():
    done = subprocess.run([sys.executable, "-c", PAINTED], capture_output=True, text=True, check=True, timeout=60)
    there = done.stdout.split()
    assert "campus_agent.tui.widgets.prompt" in there
    assert [name for name in LATER if name in there] == []


class Late:
    """Settings that are read when the test lets them be."""

    def __init__(self, **values: Any) -> None:
        self.may_come = Event()
        self.values = values

    def __call__(self, **changes: object) -> Settings:
        self.may_come.wait(30)
        return Settings(**{**self.values, **changes})


class Wrong:
    """Settings that cannot be used."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    def __call__(self, **_: object) -> Settings:
        raise self.error


def app_of(load: Callable[..., Settings], **options: Any) -> CampusApp:
    about = About("a played model", "test base, 1 passage", (), ())
    return CampusApp(
        assemble=lambda _: Assistant(PlayedAgent(club_run()), about),  # type: ignore[arg-type]
        load=load,
        clock=lambda: 0.0,
        **options,
    )


def look_of(path: Path, theme: str | None) -> LookFile:
    look = LookFile(path / "look.json")
    look.keep(Look(theme=theme))
    return look


@pytest.mark.parametrize(
    ("named", "remembered", "theme"),
    [
        ("", None, "ansi-dark"),
        ("", "nord", "nord"),
        ("monokai", "nord", "monokai"),
        ("no such theme", "nord", "nord"),
        ("", "no such theme", "ansi-dark"),
    ],
)
async def test_the_first_frame_has_the_theme_that_is_named_else_the_one_that_is_remembered(
    named: str, remembered: str | None, theme: str, tmp_path: Path
):
    late = Late()
    app = app_of(late, theme=named, look=look_of(tmp_path, remembered), colours="standard")
    async with app.run_test(size=WIDE) as pilot:
        assert not app.settled.is_set()
        assert app.theme == theme
        late.may_come.set()
        await until(pilot, app.settled.is_set)
        assert app.theme == theme


async def test_a_theme_of_the_settings_is_shown_when_they_are_there_and_is_not_remembered(tmp_path: Path):
    late = Late(theme="dracula")
    look = look_of(tmp_path, "nord")
    app = app_of(late, look=look)
    async with app.run_test(size=WIDE) as pilot:
        late.may_come.set()
        await until(pilot, lambda: app.theme == "dracula")
        await until(pilot, lambda: isinstance(app.screen, ConversationScreen) and app.screen.assistant)
        assert look.look.theme == "nord"
        app.theme = "monokai"
        await until(pilot, lambda: look.look.theme == "monokai")


async def test_step_mode_of_the_settings_begins_when_they_are_there():
    late = Late(step=True)
    app = app_of(late)
    async with app.run_test(size=WIDE) as pilot:
        screen = app.screen
        assert isinstance(screen, ConversationScreen)
        assert not screen.stepping.on
        late.may_come.set()
        await until(pilot, lambda: screen.stepping.on)
        assert "step mode" in str(screen.query_one("#asking").border_title)


async def test_step_mode_that_was_turned_on_before_the_settings_are_there_stays_on():
    late = Late()
    app = app_of(late)
    async with app.run_test(size=WIDE) as pilot:
        screen = app.screen
        assert isinstance(screen, ConversationScreen)
        await pilot.press("f8")
        late.may_come.set()
        await until(pilot, lambda: screen.assistant)
        assert screen.stepping.on


async def test_a_question_that_is_sent_before_the_settings_are_there_waits_and_is_asked():
    late = Late()
    app = app_of(late)
    async with app.run_test(size=WIDE) as pilot:
        screen = app.screen
        assert isinstance(screen, ConversationScreen)
        await pilot.press(*"when", "enter")
        await until(pilot, lambda: screen.query_one(".waiting").display)
        late.may_come.set()
        await until(pilot, lambda: app.runs and not screen.busy)
        assert not screen.query_one(".waiting").display


@pytest.mark.parametrize(
    ("typed", "holds"),
    [
        ("/theme dracula", lambda app: app.theme == "dracula"),
        ("/steps", lambda app: any("/steps is 5" in note.message for note in app._notifications)),
        ("/pace slow", lambda app: app.screen.pace.speed == "slow"),
    ],
    ids=["set", "say", "pace"],
)
async def test_a_command_that_is_sent_before_the_settings_are_there_is_carried_out_with_them(
    typed: str, holds: Callable[[CampusApp], bool]
):
    late = Late()
    app = app_of(late)
    async with app.run_test(size=WIDE) as pilot:
        app.screen.query_one(Prompt).put(typed)
        await pilot.press("enter")
        await pilot.pause()
        assert not holds(app)
        late.may_come.set()
        await until(pilot, lambda: holds(app))


async def test_a_list_of_models_is_empty_until_the_settings_say_which_server_to_ask():
    app = app_of(late := Late(provider="offline"))
    async with app.run_test(size=WIDE):
        prompt = app.screen.query_one(Prompt)
        assert prompt.models() == ()
        late.may_come.set()


@pytest.mark.parametrize("error", [SettingsError("A setting cannot be used."), OSError("no disk")], ids=repr)
async def test_settings_that_cannot_be_used_end_the_app(error: Exception):
    app = app_of(Wrong(error))
    async with app.run_test(size=WIDE) as pilot:
        await until(pilot, lambda: app.failure)
    assert app.failure is error
    assert app._exit


def test_whoever_opens_the_app_is_told_why_the_settings_cannot_be_used(monkeypatch: pytest.MonkeyPatch):
    error = SettingsError("A setting cannot be used.")

    async def begin(app: CampusApp, **_: object) -> None:
        app.failure = error

    monkeypatch.setattr(CampusApp, "run_async", begin)
    with pytest.raises(SettingsError) as raised:
        run_app(load=Wrong(error))
    assert raised.value is error


@pytest.mark.parametrize(("variable", "flag", "theme"), [("nord", "", "nord"), ("nord", "dracula", "dracula")])
def test_the_theme_of_the_environment_is_known_at_the_start_and_that_of_the_flag_wins(
    variable: str, flag: str, theme: str, monkeypatch: pytest.MonkeyPatch
):
    begun: list[CampusApp] = []

    async def begin(app: CampusApp, **_: object) -> None:
        begun.append(app)

    monkeypatch.setenv("CAMPUS_AGENT_THEME", variable)
    monkeypatch.setattr(CampusApp, "run_async", begin)
    run_app(theme=flag)
    assert begun[0].theme == theme


@pytest.mark.parametrize("kb", [(), ("missing",)], ids=["made", "not made"])
def test_once_the_assistant_is_made_all_that_is_there_is_not_looked_through_again(kb: tuple[str, ...]):
    try:
        with suppress(KnowledgeError):
            _Assembly()(Settings(provider="offline", kb=kb))
        assert gc.get_freeze_count() > len(gc.get_objects())
    finally:
        gc.unfreeze()
