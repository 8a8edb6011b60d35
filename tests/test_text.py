from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campus_agent.text import one_line, sanitize, unfenced, well_formed, without_credentials

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


@pytest.mark.parametrize(
    "text",
    ["{}", " {}\n", "```\n{}\n```", "```json\n{}\n```", "```{}```", "```json {}```", "\n```python \n {} \n```\n"],
)
def test_a_fence_all_around_is_taken_off(text: str) -> None:
    assert unfenced(text) == "{}"


@pytest.mark.parametrize("text", ["```", "`````", "a ```b```", "```a``` b"])
def test_what_is_not_all_in_a_fence_stays(text: str) -> None:
    assert unfenced(text) == text


def test_a_fence_before_a_hundred_thousand_lines_takes_no_time() -> None:
    assert unfenced("```" + "\n" * 100_000) == "```"


@pytest.mark.parametrize("secret", ["secret", "p@ss", "a/b", "p:q"])
def test_the_user_and_password_of_an_address_are_masked(secret: str) -> None:
    shown = without_credentials(f"at postgresql://user:{secret}@host/base")
    assert shown == "at postgresql://********@host/base"
