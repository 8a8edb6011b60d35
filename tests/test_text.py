from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campus_agent.text import one_line, sanitize, well_formed

HOSTILE = "\x1b]52;c;eA==\x07 \x1b[31m \x9b2J \u202eabc\u2066 \x00\x7f \r\b"


def test_nothing_that_drives_a_terminal_is_left() -> None:
    clean = sanitize(HOSTILE)
    assert not set(clean) & set("\x1b\x07\x9b\u202e\u2066\x00\x7f\r\b")
    assert "abc" in clean


def test_newlines_tabs_and_every_script_stay() -> None:
    text = "a\tb\nc — é 俱乐部 🦀 עברית"
    assert sanitize(text) == text
    assert sanitize("a\r\nb") == "a\nb"


@given(st.text(), st.text())
def test_a_text_in_pieces_comes_out_as_the_whole_does(one: str, two: str) -> None:
    assert sanitize(one) + sanitize(two) == sanitize(one + two)


@given(st.text())
def test_sanitizing_twice_changes_nothing_more(text: str) -> None:
    assert sanitize(sanitize(text)) == sanitize(text)


@pytest.mark.parametrize(
    ("text", "limit", "expected"),
    [("a\n  b\tc", 0, "a b c"), ("abcdef", 4, "abc…"), ("abc def", 5, "abc…"), ("abcd", 4, "abcd"), ("", 4, "")],
)
def test_one_line_is_one_line_and_no_longer_than_allowed(text: str, limit: int, expected: str) -> None:
    assert one_line(text, limit) == expected


def test_half_characters_are_replaced() -> None:
    assert well_formed("a\ud83d") == "a?"
    assert well_formed("é🦀") == "é🦀"
