from __future__ import annotations

import base64
import re
from pathlib import Path

import pytest

from campus_agent.tui.clipboard import by_terminal, copied, copy_by_tool

LOCAL = {"DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-0"}
FAR = {**LOCAL, "SSH_CONNECTION": "192.0.2.1 5 192.0.2.2 22"}


@pytest.fixture
def tools(tmp_path: Path):
    """Make programs that write what they were given, and how they were called, into a file beside them."""

    def make(*names: str, works: bool = True) -> dict[str, str]:
        for name in names:
            program = tmp_path / name
            end = "exit 0" if works else "exit 1"
            program.write_text(
                f'#!/bin/sh\n/bin/cat > "{tmp_path}/{name}.got"\necho "$@" > "{tmp_path}/{name}.how"\n{end}\n'
            )
            program.chmod(0o755)
        return {"PATH": str(tmp_path)}

    return make


@pytest.mark.parametrize(
    ("names", "environ", "used"),
    [
        (("pbcopy",), {}, "pbcopy"),
        (("wl-copy", "xclip", "xsel"), LOCAL, "wl-copy"),
        (("wl-copy", "xclip", "xsel"), {"DISPLAY": ":0"}, "xclip"),
        (("xsel",), {"DISPLAY": ":0"}, "xsel"),
        (("wl-copy", "xclip", "xsel"), {}, None),
        (("clip.exe",), {}, "clip.exe"),
        (("tmux",), {}, None),
        (("tmux",), {"TMUX": "/tmp/tmux-0/default,1,0"}, "tmux"),
        (("pbcopy", "wl-copy", "xclip", "xsel", "clip.exe"), FAR, None),
        (("pbcopy", "wl-copy", "xclip"), {**FAR, "DISPLAY": "localhost:10.0"}, "xclip"),
        (("xclip", "tmux"), {**FAR, "TMUX": "/tmp/tmux-0/default,1,0"}, "tmux"),
        ((), LOCAL, None),
    ],
)
def test_the_tool_that_reaches_the_person_is_used(tools, tmp_path: Path, names, environ, used):
    assert copy_by_tool("Thursday — 5 PM", {**environ, **tools(*names)}) == used
    if used is not None:
        encoding = "utf-16" if used == "clip.exe" else "utf-8"
        assert (tmp_path / f"{used}.got").read_bytes().decode(encoding) == "Thursday — 5 PM"


def test_a_tool_that_fails_gives_way_to_the_next(tools):
    environ = {**LOCAL, **tools("wl-copy", works=False), **tools("xclip")}
    assert copy_by_tool("text", environ) == "xclip"


def test_a_tool_that_cannot_be_started_gives_way_too(tools, tmp_path: Path):
    environ = {**LOCAL, **tools("wl-copy", "xclip")}
    (tmp_path / "wl-copy").write_bytes(b"#!/no/such/interpreter\n")
    assert copy_by_tool("text", environ) == "xclip"


def test_half_a_character_is_copied_as_something_and_breaks_nothing(tools, tmp_path: Path):
    assert copy_by_tool("a\ud800b", tools("pbcopy")) == "pbcopy"
    assert (tmp_path / "pbcopy.got").read_bytes() == b"a?b"
    assert by_terminal("a\ud800b", {}) is not None


def carried(asked: str) -> str:
    """Return the text that a terminal finds in the request."""
    found = re.search(r"\x1b\]52;c;([A-Za-z0-9+/=]*)\x07", asked)
    assert found
    return base64.b64decode(found[1]).decode()


def test_the_terminal_is_asked_in_its_own_words():
    assert carried(by_terminal("Thursday — 5 PM", {}) or "") == "Thursday — 5 PM"


def test_within_tmux_the_request_is_sent_to_it_and_past_it():
    asked = by_terminal("text", {"TMUX": "x"}) or ""
    plain, wrapped = asked.split("\x1bPtmux;")
    assert carried(plain) == "text"
    assert wrapped.endswith("\x1b\\")
    assert carried(wrapped.removesuffix("\x1b\\").replace("\x1b\x1b", "\x1b")) == "text"


def test_within_gnu_screen_the_request_is_cut_into_pieces_that_it_lets_through():
    text = "long " * 400
    pieces = (by_terminal(text, {"STY": "x"}) or "").split("\x1b\\")
    assert pieces.pop() == ""
    assert all(piece.startswith("\x1bP") and len(piece) <= 252 for piece in pieces)
    assert carried("".join(piece.removeprefix("\x1bP") for piece in pieces)) == text


def test_what_is_longer_than_a_terminal_takes_is_not_sent_and_the_person_is_told():
    assert by_terminal("x" * 75_000, {}) is None
    assert "too long" in copied(None, asked=False)


@pytest.mark.parametrize(
    ("tool", "asked", "word"),
    [("xclip", False, "xclip"), ("tmux", False, "paste with its prefix (often Ctrl+B) and ]"), (None, True, "OSC 52")],
)
def test_the_person_is_told_which_way_was_used(tool: str | None, asked: bool, word: str):
    assert word in copied(tool, asked=asked)
