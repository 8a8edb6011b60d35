"""What a search prefers among passages that share the asked words: their forms, numbers, names and languages."""

from __future__ import annotations

import pytest

from campus_agent.knowledge.base import KnowledgeBase
from campus_agent.knowledge.passage import Passage

FILLER = (
    "The greenhouse grows tomatoes and beans for the kitchen of the college.",
    "Every spring the choir travels to the coast for a concert in the old theatre.",
)


def base(*passages: tuple[str, str], language: str = "english") -> KnowledgeBase:
    told = [*passages, *(("", text) for text in FILLER)]
    return KnowledgeBase(
        "test", [Passage(title, text, "facts.md", n) for n, (title, text) in enumerate(told, 1)], language=language
    )


def first(base: KnowledgeBase, query: str) -> str:
    return base.search(query).passages[0].passage.text


@pytest.mark.parametrize(
    ("query", "wanted", "other"),
    [
        ("goods", "Goods are handed out at the loading gate on Fridays.", "The soup here is good on Sundays."),
        ("paintings", "Old paintings hang in the corridor of the second floor.", "Whoever paints is given a smock."),
        ("how much are the settings", "The settings of the loom cost four euros a metre, yarn included.", "It sets."),
    ],
)
def test_the_form_that_is_asked_for_is_more_than_another_of_the_same_stem(query: str, wanted: str, other: str):
    assert first(base(("", other), ("", wanted)), query) == wanted


def test_what_a_text_says_itself_counts_before_the_title_that_all_share():
    general = "All-house readings are held on the first evening of each month in the blue salon."
    readers = "The judges read on Mondays."
    assert first(base(("Readings", readers), ("Readings", general)), "when are the readings") == general


def test_a_form_that_no_passage_has_changes_nothing():
    scored = base(("", "The tutor mends bikes."), ("", "The baker mends shoes.")).search("mending").passages
    assert scored[0].score == pytest.approx(scored[1].score)


@pytest.mark.parametrize("title", ["What if I lose the badge?", "Badge sleeve"])
def test_a_title_that_is_asked_for_in_part_does_not_raise_what_stands_under_it(title: str):
    row = "Item: Badge; Price: 4 euros"
    assert first(base((title, "Ask for another one at the gate."), ("Prices", row)), "badge") == row


def test_a_title_that_is_asked_for_whole_stays_below_what_has_every_word_of_the_query():
    hall = ("Salt Hall", "It was a store for the salt of four towns on the river.")
    both = ("News", "In Salt Hall the lanterns are lit at dusk by the keepers of the harbour, who carry them out.")
    assert first(base(hall, both), "Salt Hall lanterns") == both[1]


def test_the_name_of_a_row_is_what_it_is_about():
    rows = ("Part: Drill; Partner: Anchor crew", "Part: Anchor; Partner: Drill crew")
    assert first(base(*(("Parts", row) for row in rows)), "anchor") == rows[1]


@pytest.mark.parametrize(
    ("query", "wanted", "other"),
    [
        ("where is hut 5", "Hut 5 is 12 steps above the old mill on the far side of the river.", "Hut 12 has 5 beds."),
        ("hw 2", "Item: Homework 2; Topic: Weaving and looms; Due: May 9", "Item: Homework 9; Due: May 2"),
        ("task 2", "Item: Task 2; Topic: Weaving and the history of looms; Due: May 9", "Item: Task 9; Due: May 2"),
    ],
)
def test_a_number_with_the_noun_before_it_is_one_name(query: str, wanted: str, other: str):
    assert first(base(("", other), ("", wanted)), query) == wanted


def test_a_number_in_the_digits_of_another_script_is_the_same_number():
    texts = ("المختبر 3 في البرج", "المختبر 7 في القبو")
    assert first(base(*(("", text) for text in texts), language="arabic"), "المختبر ٣") == texts[0]


@pytest.mark.parametrize(
    ("query", "meant"),
    [("when do the dorms open", {"dorms": "residence halls"}), ("residence halls", {}), ("open", {})],
)
def test_words_that_the_best_passage_has_only_otherwise_are_said_to_be_read_so(query: str, meant: dict[str, str]):
    assert base(("", "The residence halls open on August 20.")).search(query).corrected == meant


def test_a_phrase_that_was_read_as_one_word_is_said_as_a_phrase():
    assert base(("", "The dorm has a piano.")).search("residence hall piano").corrected == {"residence hall": "dorm"}


def test_a_base_says_its_own_words_for_a_thing():
    passages = [Passage("", text, "facts.md", n) for n, text in enumerate(("The burrow opens at nine.", *FILLER))]
    own = KnowledgeBase("test", passages, synonyms={"lounge": ["burrow"]})
    assert own.search("lounge").corrected == {"lounge": "burrow"}


def test_somebody_who_lectures_is_not_a_lecture():
    lecturer, lecture = "The lecturer is Ada Moss.", "The lecture on lectures is a lecture."
    assert first(base(("", lecture), ("", lecturer)), "prof") == lecturer
    assert base(("", lecture)).search("prof").found is False


@pytest.mark.parametrize(
    ("query", "title", "text"),
    [
        ("wo ist das Schwimmbad", "Wo ist das Haus?", "Das Schwimmbad liegt am Fluss hinter dem alten Turm."),
        ("dónde está la piscina", "¿Dónde está la casa?", "La piscina queda junto al río, detrás de la torre vieja."),
    ],
)
def test_the_small_words_of_a_question_in_another_language_than_the_base_do_not_count(
    query: str, title: str, text: str
):
    assert first(base((title, "Im Park, en el parque."), ("", text)), query) == text


def test_the_small_words_of_a_language_count_where_a_question_is_not_surely_in_it():
    assert first(base(("", "Die is a tool."), ("", "Cast is another.")), "die") == "Die is a tool."
