from __future__ import annotations

from pathlib import Path
from threading import Event

import numpy as np
import pytest

from campus_agent.knowledge.base import KnowledgeBase
from campus_agent.knowledge.passage import Passage
from campus_agent.knowledge.semantic import meaning
from campus_agent.knowledge.semantic.meaning import Nearness
from campus_agent.tools.campus import FollowedBase, search_tool
from tests.knowledge.embedders import DANCE, NURSE, PASSAGES, STANDS, WordsWithMeaning, base, broken


def texts(found) -> list[str]:
    return [scored.passage.text for scored in found.passages]


# ---- what is found -------------------------------------------------------------------------------------------------


def test_a_passage_that_shares_no_word_with_the_question_is_found_by_its_meaning_as_a_weak_match() -> None:
    found = base(WordsWithMeaning()).search("I feel ill")
    assert (texts(found)[0], found.found, found.confidence) == (NURSE, True, "low")
    assert found.unmatched_terms == ("feel", "ill")


def test_without_an_embedder_the_same_question_finds_nothing() -> None:
    plain = KnowledgeBase("test", [Passage("", text, "facts.md", n) for n, text in enumerate(PASSAGES, 1)])
    assert not plain.search("I feel ill").found


@pytest.mark.parametrize("question", ["what is the capital of mongolia", "play some jazz", "xyzzy", ""])
def test_a_question_that_nothing_is_about_still_finds_nothing(question: str) -> None:
    found = base(WordsWithMeaning()).search(question)
    assert (found.found, found.passages, found.notes) == (False, (), ())


def test_a_passage_that_has_all_the_words_stays_first_beside_one_that_is_nearer_in_meaning() -> None:
    organ = "The organ practice room is in Wren Hall."
    found = base(WordsWithMeaning(), organ, "Organ pipes pipes organ.", DANCE).search("organ practice room")
    assert texts(found)[0] == organ
    assert found.confidence == "high"


def test_the_nearest_in_meaning_decides_between_passages_that_share_as_many_words() -> None:
    two = ("The course on Friday is about dance steps.", "The course on Friday is about tax forms.")
    assert texts(base(WordsWithMeaning(), *reversed(two)).search("ballroom course"))[0] == two[0]


def test_the_embedder_is_asked_with_misspelt_words_set_right() -> None:
    embedder = WordsWithMeaning()
    assert base(embedder).search("bicycel").corrected == {"bicycel": "bicycle"}
    assert embedder.asked_about("query")[-1] == "bicycle"


def test_an_explanation_names_what_the_meaning_adds_and_its_parts_are_the_score() -> None:
    for question in ("I feel ill", "dance course ballroom"):
        for one in base(WordsWithMeaning()).explain(question):
            assert sum(part.score for part in one.contributions) == pytest.approx(one.score)
        first = base(WordsWithMeaning()).explain(question)[0]
        assert "meaning" in {part.origin for part in first.contributions}


def test_a_base_in_another_language_finds_nothing_by_meaning_alone_and_words_come_first_in_it() -> None:
    spanish = (
        "La biblioteca de la universidad abre a las ocho y no cierra hasta la noche.",
        "Las clases de dance son en la sala de la planta baja los viernes.",
    )
    made = base(WordsWithMeaning(), *spanish)
    assert not made.search("waltz").found
    assert texts(made.search("waltz biblioteca abre"))[0] == spanish[0]


def test_a_base_without_passages_finds_nothing_and_says_nothing_more() -> None:
    empty = KnowledgeBase("test", [])
    empty.understand(WordsWithMeaning())
    assert empty.search("ill").notes == ()


@pytest.mark.parametrize("share", [0.0, 0.2, 0.5, 1.0])
def test_the_sum_ranks_as_the_words_by_their_share_and_the_meaning_each_divided_by_its_greatest(share: float) -> None:
    words, cosines = np.array([4.0, 2.0, 0.0, 1.0]), np.array([0.1, 0.6, 0.5, -0.4])
    summed = words + Nearness(cosines, 0.5, 0.0, 0.5).added(words, share)
    expected = max(share, 0.1) * words / 4 + 0.5 * np.maximum(cosines, 0) / 0.6
    assert list(np.argsort(-summed)) == list(np.argsort(-expected))


# ---- when it is not there ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("failure", [broken(), ValueError("ragged"), MemoryError()])
def test_a_failure_leaves_the_search_by_words_as_it_was_and_is_told_once(failure: Exception) -> None:
    embedder = WordsWithMeaning()
    embedder.failure = failure
    made = base(embedder)
    first, second = made.search("bicycle stands"), made.search("bicycle stands")
    assert texts(first)[0] == texts(second)[0] == STANDS
    assert [len(first.notes), len(second.notes)] == [1, 0]
    assert "words alone are searched" in first.notes[0]


def test_a_failure_of_the_query_alone_is_survived_too_and_what_failed_is_left_alone_for_a_while() -> None:
    embedder = WordsWithMeaning()
    made = base(embedder)
    assert made.search("I feel ill").found
    embedder.failure = broken()
    found = made.search("bicycle stands")
    assert (texts(found)[0], len(found.notes)) == (STANDS, 1)
    embedder.failure, asked = None, len(embedder.asked)
    assert not made.search("I feel ill").found
    assert len(embedder.asked) == asked


def test_what_failed_is_tried_again_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meaning, "_PAUSE", 0.0)
    embedder = WordsWithMeaning()
    embedder.failure = broken()
    made = base(embedder)
    assert made.search("I feel ill").notes
    embedder.failure = None
    assert made.search("I feel ill").found
    embedder.failure = broken()
    assert made.search("I feel ill").notes, "a second failure is another one"


def test_while_the_passages_are_being_read_the_search_goes_by_words_and_says_so_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(meaning, "_PATIENCE", 0.0)
    go_on = Event()

    class Slow(WordsWithMeaning):
        def warm(self) -> None:
            go_on.wait(60)

    made = base(Slow())
    first, second = made.search("bicycle stands"), made.search("bicycle stands")
    go_on.set()
    assert texts(first)[0] == texts(second)[0] == STANDS
    assert [len(first.notes), len(second.notes)] == [1, 0]


def test_the_trace_says_once_that_the_search_by_meaning_failed() -> None:
    embedder = WordsWithMeaning()
    embedder.failure = broken()
    tool = search_tool(FollowedBase(base(embedder)))
    found = tool.function(query="bicycle stands")
    assert [note.partition("searched. ")[2] for note in found.notes] == ["The server is asleep. Wake it up."]
    assert "asleep" not in found.content
    assert tool.function(query="bicycle").notes == ()


def test_the_note_is_no_part_of_the_json_of_a_search() -> None:
    embedder = WordsWithMeaning()
    embedder.failure = broken()
    assert "notes" not in base(embedder).search("bicycle").as_json()


# ---- what is read again --------------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "kb").mkdir()
    for name, text in (("nurse.md", NURSE), ("stands.md", STANDS)):
        (tmp_path / "kb" / name).write_text(text, encoding="utf-8")
    return tmp_path / "kb"


def opened(folder: Path, embedder: WordsWithMeaning) -> KnowledgeBase:
    made = KnowledgeBase.load([folder])
    made.understand(embedder)
    return made


def test_a_second_start_asks_for_the_question_alone(folder: Path) -> None:
    first, second = WordsWithMeaning(), WordsWithMeaning()
    before = opened(folder, first).search("I feel ill")
    after = opened(folder, second).search("I feel ill")
    assert len(first.asked_about("passage")) == 2
    assert second.asked == [("query", "I feel ill")]
    assert after == before


def test_another_model_has_vectors_of_its_own(folder: Path) -> None:
    opened(folder, WordsWithMeaning()).search("ill")
    other = WordsWithMeaning("another")
    opened(folder, other).search("ill")
    assert len(other.asked_about("passage")) == 2


@pytest.mark.parametrize("keeps", [True, False])
def test_of_a_base_that_changed_only_the_new_passages_are_read(
    folder: Path, keeps: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not keeps:
        monkeypatch.setattr("campus_agent.knowledge.semantic.store.VectorStore.add", lambda *_: None)
    embedder = WordsWithMeaning()
    made = opened(folder, embedder)
    made.search("ill")
    embedder.asked.clear()
    (folder / "dance.md").write_text(DANCE, encoding="utf-8")
    assert made.refresh()
    assert texts(made.search("waltz"))[0] == DANCE
    assert [text.endswith(DANCE) for text in embedder.asked_about("passage")] == [True]


def test_a_base_that_is_prepared_reads_its_passages_before_the_first_question() -> None:
    embedder = WordsWithMeaning()
    made = base(embedder)
    made.prepare()
    read = made._ready().meaning.start().result(60)
    assert read.matrix.shape == (3, 64)
    assert len(embedder.asked_about("passage")) == 3
