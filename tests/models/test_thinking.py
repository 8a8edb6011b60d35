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
        ('<think type="x">a</think>b', "a", "b"),
        ("<thought>a</thought>b", "a", "b"),
        ("<reflection>a</reflection>b", "a", "b"),
        ("<seed:think>a</seed:think>b", "a", "b"),
        ("[THINK]a [1][/THINK]b [2]", "a [1]", "b [2]"),
        ("◁think▷a◁/think▷b", "a", "b"),
        ("<|START_THINKING|>a<|END_THINKING|>b", "a", "b"),
        ("<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>final<|message|>b", "a", "b"),
        (
            "<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>analysis<|message|>b<|end|>"
            "<|start|>assistant<|channel|>final <|constrain|>json<|message|>c",
            "ab",
            "c",
        ),
        ("<|channel|>final<|message|>b", "", "b"),
        ("<|channel|>analysis<|message|>a<|end|>b<|end|>", "a", "b<|end|>"),
        (
            "<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>commentary to=functions.x<|message|>{}",
            "a",
            "<|start|>assistant<|channel|>commentary to=functions.x<|message|>{}",
        ),
        (
            "analysisThey ask, analysis is over.assistantfinalOn Thursday.",
            "They ask, analysis is over.",
            "On Thursday.",
        ),
        ("analysisaassistantanalysisbassistantfinalthe assistant", "ab", "the assistant"),
        ("analysisNever ended, assistant", "Never ended, assistant", ""),
        (
            "analysisaassistantcommentary to=functions.x json{}",
            "a",
            "<|start|>assistant<|channel|>commentary to=functions.x json{}",
        ),
        ("analysis of assistantfinal", "", "analysis of assistantfinal"),
        ("analysis", "", "analysis"),
        ("anal", "", "anal"),
        ("The assistantfinal", "", "The assistantfinal"),
        ("a [think] and <thinker> ◁b▷", "", "a [think] and <thinker> ◁b▷"),
        ("1 < 2 and <b>bold</b> <thin", "", "1 < 2 and <b>bold</b> <thin"),
    ],
)
def test_thoughts_are_told_apart_wherever_the_tags_are_cut(text: str, thought: str, answer: str, size: int) -> None:
    assert split(text, size) == (thought, answer)


@pytest.mark.parametrize("size", [1, 2, 5, 1000])
@pytest.mark.parametrize(
    ("text", "thought", "answer"),
    [
        ("a</think>b", "a", "b"),
        ("a</think>b</think>c", "ab", "c"),
        ("<think>a<think>b</think>c</think>d", "abc", "d"),
        ("<think>a<reflection>b</reflection>c</think>d", "abc", "d"),
        ("a[/THINK]b", "a", "b"),
        ("a<|end|><|start|>assistant<|channel|>final<|message|>b", "a", "b"),
    ],
)
def test_all_before_the_last_end_of_a_thought_was_a_thought(text: str, thought: str, answer: str, size: int) -> None:
    splitter = ThoughtSplitter()
    thoughts = answers = ""
    for part in [*(text[start : start + size] for start in range(0, len(text), size)), None]:
        parts = splitter.close() if part is None else splitter.feed(part)
        if splitter.opened_before:
            splitter.opened_before = False
            thoughts, answers = thoughts + answers, ""
        thoughts += "".join(text for inside, text in parts if inside)
        answers += "".join(text for inside, text in parts if not inside)
    assert (thoughts, answers) == (thought, answer)


def test_an_end_without_a_beginning_makes_all_before_it_a_thought() -> None:
    splitter = ThoughtSplitter()
    assert splitter.feed("I think ") == [(False, "I think ")]
    assert splitter.feed("so.</think>Yes.") == [(True, "so."), (False, "Yes.")]
    assert splitter.opened_before
