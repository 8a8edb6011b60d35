"""Lets a person write a text in the editor of their own choice."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from types import FrameType
from typing import TYPE_CHECKING, Any

from campus_agent.errors import CampusAgentError
from campus_agent.tui.leaving import set_terminal_modes, terminal_modes

if TYPE_CHECKING:
    from textual.app import App

_MOST_BYTES = 1_000_000
_ENDS = ("SIGTERM", "SIGHUP")  # the last is not there on every system
_PATIENCE = 1.0  # seconds, for an editor to end by itself; that of the app, which waits for it, is longer


class EditorFailed(CampusAgentError):
    """There is no editor, or it did not end well."""


def chosen_editor(environ: Mapping[str, str]) -> list[str]:
    """Return the command of the editor that VISUAL or EDITOR names; raise `EditorFailed` when none can be started."""
    variable = next((name for name in ("VISUAL", "EDITOR") if environ.get(name, "").strip()), None)
    if variable is None:
        raise EditorFailed("No editor is set.", "Neither VISUAL nor EDITOR is in the environment.", _next("EDITOR"))
    try:
        command = shlex.split(environ[variable], posix=os.name != "nt")
    except ValueError as error:
        raise EditorFailed(f"{variable} cannot be read: {error}.", next=_next(variable)) from None
    if not command or shutil.which(command[0], path=environ.get("PATH")) is None:
        named = environ[variable].strip()
        raise EditorFailed(f"The editor {named} is not there.", f"{variable} names it.", _next(variable))
    return command


def _next(variable: str) -> str:
    return f"Set one, such as: export {variable}=nano"


def edited(text: str, command: list[str]) -> str:
    """Open `text` in the editor, wait until it is closed, and return what it then is.

    The terminal has to be free for it. Raises `EditorFailed`; what was written is then left in the file that it names.
    """
    folder = Path(tempfile.mkdtemp(prefix="campus-agent-"))
    file = folder / "question.md"
    keep = False
    try:
        file.write_text(text, encoding="utf-8")
        status = _closed([*command, str(file)])
        keep = status != 0
        if status != 0:
            raise EditorFailed(
                f"The editor ended with status {status}, so nothing was taken over.",
                next=f"What you wrote, if it was saved, is in {file}",
            )
        if file.stat().st_size > _MOST_BYTES:
            keep = True
            raise EditorFailed("The text is over 1 MB, so it was not taken over.", next=f"It is in {file}")
        return file.read_text(encoding="utf-8", errors="replace").rstrip()
    except OSError as error:
        raise EditorFailed(f"The editor could not be used: {error}", next=_next("EDITOR")) from None
    finally:
        if not keep:
            shutil.rmtree(folder, ignore_errors=True)


def _closed(command: list[str]) -> int:
    """Start an editor, wait until it is closed, and return its exit status: below 0 for the signal that ended it."""
    modes = terminal_modes()
    try:
        with _signals_meant_for_both() as editors, subprocess.Popen(command) as editor:
            editors.append(editor)
            return editor.wait()
    finally:
        set_terminal_modes(modes)  # one that is killed leaves it in its own


@contextmanager
def _signals_meant_for_both() -> Iterator[list[subprocess.Popen[bytes]]]:
    """Let Ctrl+C in the editor mean what it means there, and end the editor too at a signal that ends the app.

    Yields the list to put the editor into. A handler, unlike ignoring, is not passed on to it.
    """
    editors: list[subprocess.Popen[bytes]] = []
    before: dict[int, Any] = {}

    def end(number: int, frame: FrameType | None) -> None:
        for editor in editors:
            editor.terminate()
            Thread(target=_insist, args=(editor,), name="editor", daemon=True).start()
        if callable(before[number]):
            before[number](number, frame)

    for name in _ENDS:
        if hasattr(signal, name):
            before[getattr(signal, name)] = signal.signal(getattr(signal, name), end)
    before[signal.SIGINT] = signal.signal(signal.SIGINT, lambda number, frame: None)
    try:
        yield editors
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _insist(editor: subprocess.Popen[bytes]) -> None:
    """End an editor by force when it has not ended in time."""
    try:
        editor.wait(_PATIENCE)
    except subprocess.TimeoutExpired:
        editor.kill()


def write_in_editor(app: App[int], text: str) -> str:
    """Give the terminal to the editor that the environment names, and return what was written; raise `EditorFailed`."""
    from textual.app import SuspendNotSupported

    command = chosen_editor(os.environ)
    written: str | Exception
    try:
        with app.suspend():
            try:
                written = edited(text, command)
            except Exception as error:  # raised in here it would leave the terminal to the editor for ever
                written = error
    except SuspendNotSupported:
        raise EditorFailed("This terminal cannot be given to an editor.", next="Write in the prompt instead.") from None
    app.refresh(layout=True)
    if isinstance(written, EditorFailed):
        raise written
    if isinstance(written, Exception):
        raise EditorFailed(f"The editor could not be used: {written}", next="Write in the prompt instead.") from written
    return written
