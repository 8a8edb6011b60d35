from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from screen_runs import PlayedAgent, campus_app, club_run
from textual.app import App
from textual.geometry import Region
from textual.widgets import OptionList, Static
from waiting import until

from campus_agent.tui.browsing import opened_in_browser
from campus_agent.tui.screens.link import LinkScreen, LinksScreen, is_web_address

ADDRESS = "https://clubs.example.edu/ai"
LONG = f"https://trusted.example.edu.{'a' * 60}.evil.example/{'path/' * 120}the-end"


def browser(folder: Path, name: str, script: str) -> Path:
    file = folder / name
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(file.stat().st_mode | stat.S_IXUSR)
    return file


@pytest.mark.skipif(os.name == "nt", reason="the browsers of the test are shell scripts")
@pytest.mark.parametrize("name", ["lynx", "w3m", "links", "elinks", "www-browser"])
@pytest.mark.parametrize("named", [True, False])
def test_a_browser_that_is_drawn_in_the_terminal_is_never_started(tmp_path: Path, name: str, named: bool):
    browser(tmp_path, name, f"touch {tmp_path}/started")
    environ = {"PATH": str(tmp_path), "TERM": "xterm", **({"BROWSER": f"{tmp_path / name} %s"} if named else {})}
    assert not opened_in_browser(ADDRESS, environ=environ)
    assert not (tmp_path / "started").exists()


@pytest.mark.skipif(os.name == "nt", reason="the browser of the test is a shell script")
def test_a_browser_gets_the_address_as_it_is_and_no_terminal(tmp_path: Path):
    mine = browser(tmp_path, "mine", f'echo "$1" > {tmp_path}/got; tty > {tmp_path}/terminal; exit 0')
    address = f"{ADDRESS}?q=a&b=$(touch {tmp_path}/bad)"
    environ = {"PATH": os.environ["PATH"], "TERM": "xterm", "BROWSER": f"lynx{os.pathsep}{mine}"}
    assert opened_in_browser(address, environ=environ)
    assert (tmp_path / "got").read_text() == f"{address}\n"
    assert "not a tty" in (tmp_path / "terminal").read_text()
    assert not (tmp_path / "bad").exists()


@pytest.mark.skipif(os.name == "nt", reason="the browser of the test is a shell script")
def test_a_browser_that_fails_is_not_said_to_have_opened_anything(tmp_path: Path):
    mine = browser(tmp_path, "mine", "exit 3")
    assert not opened_in_browser(ADDRESS, environ={"PATH": os.environ["PATH"], "BROWSER": str(mine)})


def shown(app: App[int]) -> str:
    return "\n".join(str(part.render()) for part in app.screen.query(Static))


@pytest.mark.parametrize("opens", [True, False])
async def test_it_is_said_whether_a_browser_took_the_address(opens: bool, monkeypatch: pytest.MonkeyPatch):
    asked: list[str] = []

    def answer(address: str, **_: object) -> bool:
        asked.append(address)
        return opens

    monkeypatch.setattr("campus_agent.tui.screens.link.opened_in_browser", answer)
    app = campus_app(PlayedAgent(club_run()))
    async with app.run_test(size=(120, 36), notifications=True) as pilot:
        app.push_screen(LinkScreen(ADDRESS))
        await until(pilot, lambda: isinstance(app.screen, LinkScreen))
        await pilot.press("enter")
        if opens:
            await until(pilot, lambda: not isinstance(app.screen, LinkScreen))
            assert "Opened in your browser" in "".join(note.message for note in app._notifications)
        else:
            await until(pilot, lambda: "No browser" in shown(app))
            assert ADDRESS in shown(app)
            await pilot.press("c")
            await until(pilot, lambda: app._clipboard == ADDRESS)
        assert asked == [ADDRESS]


@pytest.mark.parametrize("size", [(120, 36), (80, 24), (60, 20), (60, 10)])
async def test_the_host_and_the_keys_of_a_long_address_are_always_in_sight(size: tuple[int, int]):
    app = campus_app(PlayedAgent(club_run()))
    async with app.run_test(size=size) as pilot:
        app.push_screen(LinkScreen(LONG))
        await until(pilot, lambda: isinstance(app.screen, LinkScreen) and app.screen.query(".host"))
        await pilot.pause()
        window = Region(0, 0, *size)
        sheet = app.screen.query_one(".sheet").content_region
        host = app.screen.query_one(".host", Static)
        keys = app.screen.query(Static).last()
        assert "evil.example" in str(host.render())
        for part in (host, keys):
            assert part.region.area
            assert sheet.contains_region(part.region)
            assert window.contains_region(part.region)
        scrolled = app.screen.query_one(".whole")
        assert scrolled.region.area
        await pilot.press("end")
        await until(pilot, lambda: scrolled.scroll_y == scrolled.max_scroll_y)
        assert scrolled.max_scroll_y > 0 or size[1] > 30


@pytest.mark.parametrize("size", [(120, 36), (60, 20), (60, 10)])
async def test_a_list_of_many_long_links_leaves_its_keys_in_sight(size: tuple[int, int]):
    app = campus_app(PlayedAgent(club_run()))
    async with app.run_test(size=size) as pilot:
        app.push_screen(LinksScreen([f"{LONG}/{number}" for number in range(50)]))
        await until(pilot, lambda: isinstance(app.screen, LinksScreen) and app.screen.query(OptionList))
        await pilot.pause()
        keys = app.screen.query(Static).last().region
        assert keys.area
        assert app.screen.query_one(".sheet").content_region.contains_region(keys)


@pytest.mark.parametrize(
    ("address", "is_one"),
    [
        (ADDRESS, True),
        (f"https://{'a' * 300}.edu/", False),
        ("https://user:pw@evil.example/", True),
        ("https:///x", False),
    ],
)
def test_a_web_address_has_a_host_that_can_be(address: str, is_one: bool):
    assert is_web_address(address) is is_one
