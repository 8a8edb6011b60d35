"""Makes the pictures of the app for the README and the documentation: `python docs/pictures.py`.

Every picture is of a real run: the app with the offline model and the bundled base, on a frozen day.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from unittest.mock import patch

from textual.pilot import Pilot

from campus_agent.assemble import Assistant, assemble
from campus_agent.models.chat_model import RequestedCall
from campus_agent.models.inventing import NAME, inventing_model
from campus_agent.models.scripted import ScriptedModel
from campus_agent.settings import Settings
from campus_agent.tui.app import CampusApp
from campus_agent.tui.screens.conversation import ConversationScreen
from campus_agent.tui.widgets.pause_card import PauseCard
from campus_agent.tui.widgets.row import Row

FOLDER = Path(__file__).with_name("pictures")
DAY = "2026-06-13T10:00:00-07:00"
DAYS = "How many days until the next USC AI Club meeting?"
WIFI = "What is the campus wifi password?"


@dataclass(frozen=True)
class Picture:
    """A picture: what is asked, what is pressed before and after it, on how many columns and rows, in which colours.

    With `until` it is taken in the middle of the run, as soon as its trace says that.
    """

    name: str
    questions: Sequence[str] = ()
    keys: Sequence[str] = ()
    before: Sequence[str] = ()
    settings: Mapping[str, object] = field(default_factory=dict)
    assemble: Callable[[Settings], Assistant] = assemble
    size: tuple[int, int] = (120, 34)
    theme: str | None = None
    environment: Mapping[str, str] = field(default_factory=dict)
    until: str = ""


def _stubborn(settings: Settings) -> Assistant:
    """Assemble an assistant whose model never stops searching."""
    assistant = assemble(settings)
    searches = (f"AI Club {word}" for word in ("meeting", "day", "time", "room", "members"))
    calls = [[RequestedCall("search_campus_info", json.dumps({"query": query}))] for query in searches]
    assistant.agent.model = ScriptedModel(calls)
    return assistant


def _inventing(settings: Settings) -> Assistant:
    """Assemble an assistant whose model is a script that makes facts up."""
    assistant = assemble(settings)
    assistant.agent.model = inventing_model(DAYS)
    return Assistant(assistant.agent, replace(assistant.about, model=NAME, brief=""))


PICTURES = (
    Picture("start"),
    Picture("halfway", [DAYS], before=["f7"], until="days_until_weekday"),
    Picture("answered", [DAYS]),
    Picture("refused", [WIFI]),
    Picture("invented", [DAYS], assemble=_inventing, size=(120, 40)),
    Picture("conversation", [DAYS, WIFI], size=(120, 44)),
    Picture("narrow", [DAYS], size=(72, 26)),
    Picture("light", [DAYS], theme="campus-light"),
    Picture("contrast", [DAYS], theme="campus-contrast"),
    Picture("colourless", [DAYS], environment={"NO_COLOR": "1"}),
    Picture("help", keys=["f1"]),
    Picture("commands", keys=["/"]),
    Picture("palette", keys=["ctrl+p"]),
    Picture("paused", [DAYS], keys=["space"], before=["f8"]),
    Picture("big", [DAYS], before=["f9"], size=(80, 24)),
    Picture("passage", [DAYS], keys=["f4"]),
    Picture("capped", [DAYS], assemble=_stubborn, settings={"max_steps": 3}),
    Picture("error", [DAYS], settings={"base_url": "http://localhost:9/v1", "model": "m", "request_retries": 0}),
    Picture("small", [DAYS], size=(60, 20)),
)


async def take(picture: Picture) -> str:
    """Run the app as the picture says and return what it shows, as SVG."""
    settings = Settings.model_validate({"now": DAY, "theme": picture.theme, **picture.settings})
    with patch.dict(os.environ, picture.environment):
        app = CampusApp(settings, assemble=picture.assemble)
    async with app.run_test(size=picture.size) as pilot:
        screen = app.screen
        if not isinstance(screen, ConversationScreen):
            raise TypeError(f"the app opened with {screen!r}")
        while screen.assistant is None:
            await pilot.pause(0.05)
        await pilot.press(*picture.before)
        for question in picture.questions:
            screen.question(question)
            await (_says(pilot, screen, picture.until) if picture.until else _settled(pilot, screen))
        for key in picture.keys:
            await pilot.press(key)
            await _settled(pilot, screen)
        return app.export_screenshot(title="campus-agent")


async def _settled(pilot: Pilot[int], screen: ConversationScreen) -> None:
    """Return when nothing goes on any more: the run is over, or the card of a pause is drawn and takes keys."""
    await pilot.pause(0.2)
    while screen.busy and not isinstance(screen.focused, PauseCard):
        await pilot.pause(0.05)
    await pilot.pause(0.2)


async def _says(pilot: Pilot[int], screen: ConversationScreen, words: str) -> None:
    """Return when the trace of the run that goes on says these words."""
    while not any(words in str(row.render()) for row in screen.query(Row) if row.is_attached):
        await pilot.pause(0.05)
    await pilot.pause(0.2)


async def main() -> None:
    """Take every picture."""
    FOLDER.mkdir(exist_ok=True)
    for picture in PICTURES:
        target = FOLDER / f"{picture.name}.svg"
        target.write_text(await take(picture), encoding="utf-8")
        print(target)


if __name__ == "__main__":
    asyncio.run(main())
