"""Makes the pictures of the app for the README and the documentation: `python docs/pictures.py`.

Every picture is of a real run: the app with the offline model and the bundled base, on a frozen day.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from campus_agent.assemble import assemble
from campus_agent.settings import Settings
from campus_agent.tui.app import CampusApp
from campus_agent.tui.screens.conversation import ConversationScreen

FOLDER = Path(__file__).with_name("pictures")
DAY = "2026-06-13T10:00:00-07:00"
DAYS = "How many days until the next USC AI Club meeting?"
WIFI = "What is the campus wifi password?"


@dataclass(frozen=True)
class Picture:
    """A picture: what is asked, what is pressed after it, on how many columns and rows, in which theme."""

    name: str
    questions: Sequence[str] = ()
    keys: Sequence[str] = ()
    size: tuple[int, int] = (120, 34)
    theme: str | None = None


PICTURES = (
    Picture("start"),
    Picture("answered", [DAYS]),
    Picture("refused", [WIFI]),
    Picture("conversation", [DAYS, WIFI], size=(120, 44)),
    Picture("narrow", [DAYS], size=(72, 26)),
    Picture("light", [DAYS], theme="campus-light"),
    Picture("help", keys=["f1"]),
)


async def take(picture: Picture) -> str:
    """Run the app as the picture says and return what it shows, as SVG."""
    app = CampusApp(Settings.model_validate({"now": DAY, "theme": picture.theme}), assemble=assemble)
    async with app.run_test(size=picture.size) as pilot:
        screen = app.screen
        if not isinstance(screen, ConversationScreen):
            raise TypeError(f"the app opened with {screen!r}")
        while screen.assistant is None:
            await pilot.pause(0.05)
        for question in picture.questions:
            await screen.question(question)
            while screen.busy:
                await pilot.pause(0.05)
        await pilot.press(*picture.keys)
        await pilot.pause()
        return app.export_screenshot(title="campus-agent")


async def main() -> None:
    """Take every picture."""
    FOLDER.mkdir(exist_ok=True)
    for picture in PICTURES:
        target = FOLDER / f"{picture.name}.svg"
        target.write_text(await take(picture), encoding="utf-8")
        print(target)


if __name__ == "__main__":
    asyncio.run(main())
