"""`campus-agent kb new`: a folder with a few documents to begin a base from."""

from __future__ import annotations

from pathlib import Path

import click

from campus_agent.cli.flags import Command
from campus_agent.cli.output import result
from campus_agent.errors import SettingsError
from campus_agent.text import one_line

_DOCUMENTS = {
    "campus.toml": "what the base says of itself: its name, time zone, refusal line and first questions",
    "places.md": "headings and sentences: the easiest form to keep right",
    "questions.csv": "questions with their answers, as a spreadsheet saves them",
    "calendar.ics": "a calendar, as every calendar program exports it",
}
_NEXT = """
Write your own campus into these files, or put your own files in their place. Then:

  campus-agent kb check {folder}
  campus-agent kb search "library saturday" --kb {folder}
  campus-agent ask "When does the chess club meet?" --kb {folder}
  campus-agent --kb {folder}"""


@click.command(cls=Command)
@click.argument("folder", default="my-campus", type=click.Path())
def new(folder: str) -> int:
    """Make a small base in FOLDER (by default my-campus) to begin from.

    The folder may not be there yet, or has to be empty: nothing is ever overwritten.
    """
    from importlib.resources import files

    place = _made(folder)
    for name, about in _DOCUMENTS.items():
        content = files("campus_agent.knowledge").joinpath("starter", name).read_bytes()
        try:
            with (place / name).open("xb") as file:
                file.write(content)
        except OSError as error:
            raise _cannot_write(place / name, error) from None
        result(f"  {name:<13}  {about}")
    result(_NEXT.format(folder=_as_argument(folder)))
    return 0


def _made(folder: str) -> Path:
    """Return the folder, made where it is not there; raise `SettingsError` when it cannot be used."""
    if not folder.strip():
        raise SettingsError("The folder has no name.", next="Name one: campus-agent kb new my-campus.")
    place = Path(folder)
    try:
        place = place.expanduser()
        place.mkdir(parents=True, exist_ok=True)
        taken = next(place.iterdir(), None)
    except (OSError, RuntimeError) as error:  # RuntimeError: the home of a person who does not exist
        raise _cannot_write(place, error) from None
    if taken is not None:
        raise SettingsError(
            f"{one_line(str(place), 200)} is not empty: {one_line(taken.name, 80)} is there.",
            "Nothing is overwritten, and your documents are not mixed with those of an invented campus.",
            "Name another folder. To look over one with your own documents: campus-agent kb check FOLDER.",
        )
    return place


def _cannot_write(place: Path, error: Exception) -> SettingsError:
    why = error.strerror if isinstance(error, OSError) else None
    return SettingsError(
        f"{one_line(str(place), 200)} cannot be made: {one_line(why or str(error), 200)}.",
        "The path may lead through a file, or to a place where you may not write.",
        "Name a folder in your own home: campus-agent kb new ~/my-campus.",
    )


def _as_argument(folder: str) -> str:
    """Return the folder as it is typed into a command, in quotes where it has to be."""
    import shlex

    return shlex.quote(one_line(folder))
