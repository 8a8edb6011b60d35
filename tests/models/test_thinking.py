from __future__ import annotations

import pytest

from campus_agent.models.thinking import ThoughtSplitter


def split(text: str, size: int) -> tuple[str, str]:
    splitter = ThoughtSplitter()
    parts = [part for start in range(0, len(text), size) for part in splitter.feed(text[start : start + size])]
    parts += splitter.close()
    return "".join(text for thought, text in parts if thought), "".join(text for thought, text in parts if not thought)


@pytest.mark.parametrize("size", [1, 2, 5, 1000])
@pytest.mark.parametrize(
    ("text", "thought", "answer"),
    [
        ("plain", "", "plain"),
        ("<think>a < b</think>c", "a < b", "c"),
        ("<think>a</think>b<think>c</think>d", "ac", "bd"),
        ("<THINKING>a</THINKING>b", "a", "b"),
        ("<think>never ended", "never ended", ""),
        ("1 < 2 and <b>bold</b> <thin", "", "1 < 2 and <b>bold</b> <thin"),
    ],
)
def test_thoughts_are_told_apart_wherever_the_tags_are_cut(text: str, thought: str, answer: str, size: int) -> None:
    assert split(text, size) == (thought, answer)


def test_an_end_without_a_beginning_makes_all_before_it_a_thought() -> None:
    splitter = ThoughtSplitter()
    assert splitter.feed("I think ") == [(False, "I think ")]
    assert splitter.feed("so.</think>Yes.") == [(True, "so."), (False, "Yes.")]
    assert splitter.opened_before
