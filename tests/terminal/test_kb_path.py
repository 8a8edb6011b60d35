from __future__ import annotations

import sys
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("a pseudo-terminal of this kind is not there on Windows", allow_module_level=True)

from tests.terminal.test_real_terminal import Terminal

CLUBS = "# Clubs\n\n## Chess club\n\nThe chess club meets every {} at 5 PM in room 12.\n"
QUESTION = "When does the chess club meet?"


@pytest.mark.parametrize("keys", ["/kb {}\r", "/kb \x1b[200~{}\x1b[201~\r"], ids=["typed", "dropped"])
def test_a_base_is_opened_asked_edited_and_asked_again_and_the_answer_and_the_change_are_shown(
    tmp_path: Path, keys: str
):
    folder = tmp_path / "hillside"
    folder.mkdir()
    (folder / "clubs.md").write_text(CLUBS.format("Thursday"))
    terminal = Terminal()
    try:
        terminal.until(lambda text: "offline model" in text)
        terminal.type(keys.format(folder))
        terminal.until(lambda text: "hillside, 1 passage" in text)
        terminal.type(f"{QUESTION}\r")
        terminal.until(lambda text: text.count("every Thursday at 5 PM") == 2 and "answered in" in text)
        (folder / "clubs.md").write_text(CLUBS.format("Wednesday"))
        terminal.type(f"{QUESTION}\r")
        text = terminal.until(lambda text: text.count("every Wednesday at 5 PM") == 2)
        assert "clubs.md changed: 1 passage" in text
        terminal.type("\x11")
        assert terminal.ended() == 0
        assert b"Traceback" not in terminal.output
    finally:
        terminal.close()
