from __future__ import annotations

import pytest

from campus_agent.guardrail.clauses import sentences
from campus_agent.guardrail.words import fold, spelled_out, stem, stems, words


@pytest.mark.parametrize(
    "forms",
    [
        ("meet", "meets", "meeting", "meetings"),
        ("tutor", "tutors", "tutoring", "tutored"),
        ("library", "libraries"),
        ("require", "requires", "required", "requirement"),
        ("close", "closes", "closed"),
        ("play", "plays", "played", "playing"),
        ("class", "classes"),
        ("plan", "planned", "planning", "plans"),
        ("compute", "computer", "computers", "computing"),
        ("professor", "faculty", "instructors", "teacher's"),
        ("club", "clubs", "society", "societies"),
    ],
)
def test_forms_of_a_word_have_one_stem(forms: tuple[str, ...]) -> None:
    assert len({stem(form) for form in forms}) == 1


@pytest.mark.parametrize(("one", "other"), [("dinner", "dining"), ("chess", "choir"), ("code", "cost")])
def test_different_words_have_different_stems(one: str, other: str) -> None:
    assert stem(one) != stem(other)


def test_folding_leaves_case_accents_and_curly_apostrophes_behind() -> None:
    assert fold("Café’S") == "cafe's"


def test_a_script_without_spaces_is_read_in_pairs() -> None:
    assert stems("俱乐部") == {"俱乐", "乐部"}


def test_a_capitalised_name_also_counts_as_its_initials() -> None:
    assert "rag" in stems("Retrieval Augmented Generation")


def test_a_name_that_a_passage_abbreviates_is_read_as_its_initials() -> None:
    text = "The artificial intelligence club"
    assert set(spelled_out({"ai"}, list(words(text)), text).values()) == {"ai"}


def test_sentences_end_at_full_stops_and_lines_but_not_after_titles() -> None:
    text = "It meets at 5 p.m. in room 3. Ask Dr. Lee!\n- Monday"
    assert [text[part.start : part.end].strip() for part in sentences(text)] == [
        "It meets at 5 p.m. in room 3.",
        "Ask Dr. Lee!",
        "- Monday",
    ]


def test_a_sentence_is_cut_where_its_subject_may_change() -> None:
    (sentence,) = sentences("Office hours are Tuesdays and the club meets Thursdays")
    assert [clause.subjects for clause in sentence.clauses] == [
        ("offic", "hour", "tuesday"),
        ("club", "meet", "thursday"),
    ]
