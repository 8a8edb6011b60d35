from __future__ import annotations

from datetime import date
from importlib.resources import files

import pytest

from campus_agent.knowledge.base import KnowledgeBase
from campus_agent.knowledge.files import once
from campus_agent.knowledge.language import likely_language
from campus_agent.knowledge.passage import Passage
from campus_agent.knowledge.query import everyday_words
from campus_agent.knowledge.synonyms import Synonyms
from campus_agent.knowledge.words import Words, languages

HALLS = "Every residence hall has a laundry in the basement."
LIBRARY = "The library opens at eight on weekdays."
GYM = "Swimming lessons begin in the gymnasium on Monday."
CAFE = "Coffee is served in the courtyard."


def base(*texts: str, language: str = "english", **synonyms: list[str]) -> KnowledgeBase:
    passages = [Passage("", text, "facts.md", n) for n, text in enumerate(texts, 1)]
    return KnowledgeBase("test", passages, language=language, synonyms=synonyms)


def first(base: KnowledgeBase, query: str) -> str:
    return base.search(query).passages[0].passage.text


# ---- words that mean the same --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("dorm", HALLS),
        ("Are there dorms?", HALLS),
        ("where is the gym", GYM),
        ("prof for chemistry", "The instructor for chemistry is in room 7."),
        ("spring break", "The spring recess begins on March 9."),
        ("when are finals", "Examinations begin in May."),
        ("sign up for a course", "Registration for classes is in April."),
        ("mark sheet", "Transcripts are made by the registrar."),
    ],
)
def test_a_word_finds_what_means_the_same(query: str, text: str):
    result = base(text, LIBRARY, CAFE).search(query)
    assert result.passages[0].passage.text == text
    assert result.unmatched_terms == ()
    assert result.corrected  # it says what it read the words as


def test_the_word_itself_comes_before_what_means_the_same():
    texts = ("The recess in winter is two weeks.", "The break in winter is two weeks.", LIBRARY, CAFE)
    assert first(base(*texts), "winter break") == texts[1]


@pytest.mark.parametrize(
    "many", ["Test, examination, final, exam: all of them.", "Exam, final, exams and examination."]
)
def test_what_means_the_same_does_not_drown_the_other_words_of_a_query(many: str):
    texts = ("The exam in history is in hall A.", many, LIBRARY)
    assert first(base(*texts), "history test") == texts[0]


def test_a_word_that_stands_there_as_asked_counts_once_however_long_it_is():
    found = base("The ark stands in hall B.", "The internationalisation stands in hall B.").search(
        "ark internationalisation"
    )
    assert found.passages[0].score == found.passages[1].score


@pytest.mark.parametrize("query", ["application", "applications"])
def test_letters_find_a_word_that_its_stem_keeps_apart(query: str):
    assert first(base("You apply at the desk.", GYM, CAFE, LIBRARY), query) == "You apply at the desk."


@pytest.mark.parametrize(
    ("query", "text"),
    [("dorms", "The boat house is at 4 Quay Lane."), ("prof for chemistry", "Lectures on Monday are in the hall.")],
)
def test_a_word_for_the_same_is_not_taken_for_another_of_its_stem(query: str, text: str):
    assert base(text, CAFE).search(query).found is False


def test_half_of_a_phrase_does_not_mean_the_same():
    assert base("The hall is large.", LIBRARY, CAFE).search("dorm").found is False


def test_a_word_that_means_nothing_else_here_is_named_as_missing():
    assert base(LIBRARY, GYM, CAFE).search("library dorm").unmatched_terms == ("dorm",)


def test_a_misspelt_word_finds_what_the_right_one_means():
    result = base(HALLS, LIBRARY, CAFE).search("dormitry")
    assert (result.corrected, result.unmatched_terms) == ({"dormitry": "residence hall"}, ())
    assert result.passages[0].passage.text == HALLS
    assert base(LIBRARY, CAFE).search("dormitry").unmatched_terms == ("dormitry",)


def test_a_base_adds_its_own_in_both_directions_and_in_any_language():
    french = base(
        "Le restaurant universitaire ouvre à midi.", LIBRARY, language="french", RU=["restaurant universitaire"]
    )
    assert first(french, "ru ouvert ?") == "Le restaurant universitaire ouvre à midi."
    local = base("The Nest is beside the lake.", LIBRARY, CAFE, nest=["student union"])
    assert first(local, "where is the student union") == "The Nest is beside the lake."


def test_the_general_ones_are_for_their_own_language_only():
    assert base(HALLS, LIBRARY, CAFE, language="german").search("dorm").found is False
    assert base(HALLS, LIBRARY, CAFE, language="swedish").search("dorm").found is False


@pytest.mark.parametrize(
    ("language", "query", "text"),
    [
        ("german", "Wo finde ich die Bibliothek?", "Die Bücherei ist im Haus Linde."),
        ("german", "Wie kann ich mich zur Klausur anmelden?", "Die Anmeldung zu Prüfungen geht über das Portal."),
        ("german", "Ich habe mein Passwort vergessen", "Das Kennwort setzt der Servicepunkt zurück."),
        ("spanish", "¿Dónde puedo aparcar el coche?", "El estacionamiento está detrás del edificio Roble."),
        ("spanish", "¿Cuándo empieza la matrícula?", "Las inscripciones comienzan el 8 de septiembre."),
        ("spanish", "Olvidé mi contraseña", "La clave se cambia en la página del alumno."),
    ],
)
def test_a_question_in_other_words_than_the_text_is_answered_in_its_language(language: str, query: str, text: str):
    others = {
        "german": ("Die Sauna schließt um neun.", "Der Chor singt am Montag."),
        "spanish": ("La sauna cierra a las nueve.", "El coro canta los lunes."),
    }
    assert first(base(text, *others[language], language=language), query) == text


@pytest.mark.parametrize(
    ("language", "text", "query"),
    [
        ("german", "Die Sauna schließt um neun.", "Um wie viel Uhr schließt eigentlich heute die Sauna?"),
        ("spanish", "La sauna cierra a las nueve.", "¿Me puedes decir a qué hora cierra hoy la sauna?"),
    ],
)
def test_words_that_only_ask_are_not_missed_in_any_language_that_has_a_list(language: str, text: str, query: str):
    found = base(text, "Chor.", language=language).search(query)
    assert (found.confidence, found.unmatched_terms) == ("high", ())


@pytest.mark.parametrize(
    ("language", "text", "query"),
    [
        ("german", "Jeden Montag singt der Chor.", "Mit wem kann ich reden?"),
        ("spanish", "Cada lunes canta el coro.", "¿Puedo llevarlo a casa?"),
    ],
)
def test_an_everyday_word_is_not_read_as_a_short_word_that_asks(language: str, text: str, query: str):
    assert base(text, language=language).search(query).corrected == {}


@pytest.mark.parametrize("language", ["english", "german", "spanish"])
def test_every_line_of_a_list_is_a_group_that_goes_both_ways(language: str):
    words = Words(language)
    synonyms = Synonyms(words)
    one, other = {
        "english": ("dorm", "residence hall"),
        "german": ("Semesterferien", "vorlesungsfreie Zeit"),
        "spanish": ("carné", "tarjeta universitaria"),
    }[language]
    one_phrase, other_phrase = (tuple(map(words.stem, words.tokens(phrase))) for phrase in (one, other))
    assert other_phrase in synonyms.of(one_phrase)
    assert one_phrase in synonyms.of(other_phrase)


@pytest.mark.parametrize("language", ["english", "german", "spanish"])
def test_no_line_of_a_list_has_a_phrase_of_stop_words_or_of_one_thing_only(language: str):
    words = Words(language)
    listed = files("campus_agent.knowledge").joinpath("same_meaning", f"{language}.txt").read_text(encoding="utf-8")
    groups = [line.split(",") for line in listed.splitlines() if not line.startswith("#")]
    assert all(any(token not in words.stop for token in words.tokens(phrase)) for line in groups for phrase in line)
    stems = [{tuple(map(words.stem, words.tokens(phrase))) for phrase in line} for line in groups]
    assert [line for line, said in zip(groups, stems, strict=True) if len(said) < 2] == []


# ---- letters, and what is no slip ----------------------------------------------------------------------------------


def test_a_form_that_the_stemmer_keeps_apart_is_found_by_its_letters():
    texts = ("Applications close on January 15.", "Tuition is due in August.", "The pool is closed in July.")
    assert first(base(*texts, language="none"), "applicant") == texts[0]


def test_an_everyday_word_is_not_read_as_a_word_of_the_base():
    result = base("Students like the notes of last year.", "The gate is black.", LIBRARY).search(
        "life moon back library"
    )
    assert result.corrected == {}
    assert {"life", "library"} <= everyday_words() | {"library"}


def test_a_misspelt_word_that_only_asks_is_not_missed():
    result = base(LIBRARY, GYM, CAFE).search("is the library open tomorow")
    assert (result.confidence, result.unmatched_terms) == ("high", ())


@pytest.mark.parametrize("language", [name for name in languages() if name != "auto"])
def test_a_query_in_any_language_breaks_no_base_in_any(language: str):
    queries = ("Où est la bibliothèque ?", "Где библиотека?", "図書館はどこですか", "أين المكتبة؟", "🙂 ?", "kütüphane")
    mixed = base(LIBRARY, "图书馆在教学楼旁边", "Библиотека открыта.", language=language)
    assert all(0 <= mixed.search(query).share <= 1 for query in queries)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The library is open on weekdays and the gym is closed in the summer.", "english"),
        ("La bibliothèque est ouverte en semaine et le gymnase est fermé pour les vacances.", "french"),
        ("Die Bibliothek ist am Montag geöffnet und die Mensa ist im Sommer zu.", "german"),
        ("La biblioteca está abierta de lunes a viernes y el gimnasio está cerrado en verano.", "spanish"),
        ("Библиотека открыта по будням.", "russian"),
        ("图书馆在教学楼旁边", "none"),
        ("Xyzzy plugh frotz rezrov gnusto.", "none"),
        ("", "none"),
        ("2026 ?!", "none"),
    ],
)
def test_the_language_of_a_base_is_told_from_what_it_says(text: str, language: str):
    assert likely_language([text]) == language
    assert KnowledgeBase("test", [Passage("", text, "a.md", 1)], language="auto").language == language


# ---- said more than once -------------------------------------------------------------------------------------------


def test_what_is_said_again_is_kept_once_with_the_other_places():
    passages = [
        Passage("Library", LIBRARY, "a.md", 3),
        Passage("Gym", GYM, "a.md", 7),
        Passage("LIBRARY", "the library opens – at eight, on weekdays", "b.md", 1, ("when does it open",)),
        Passage("Library", LIBRARY, "c.pdf, page 2", None, page=2),
    ]
    kept = once(passages)
    assert [(one.source, one.also) for one in kept] == [("a.md", ("b.md, line 1", "c.pdf, page 2")), ("a.md", ())]
    assert kept[0].phrasings == ("when does it open",)


# ---- explained -----------------------------------------------------------------------------------------------------


def test_a_score_is_explained_word_by_word_and_adds_up():
    passages = [
        Passage("Halls", HALLS, "a.md", 1),
        Passage("Library", "It opens at eight on Friday, June 19, in summer.", "a.md", 2),
        Passage("Gym", GYM, "a.md", 3),
    ]
    explaining = KnowledgeBase("test", passages)
    explained = explaining.explain("libary eight dorm Friday", k=3, today=date(2026, 6, 13))
    asked = explaining.search("libary eight dorm Friday", today=date(2026, 6, 13))
    scores = {scored.passage: scored.score for scored in asked.passages}
    assert explained[0].passage is passages[1]
    for one in explained:
        assert sum(part.score for part in one.contributions) == pytest.approx(one.score)
        assert all(part.score > 0 for part in one.contributions)
        assert one.score == pytest.approx(scores.get(one.passage, one.score))
    assert {(part.word, part.origin) for part in explained[0].contributions} == {
        ("libary", "correction"),
        ("eight", "text"),
        ("Friday", "text"),
        ("", "whole title"),
        ("", "time"),
    }
    halls = next(one for one in explained if one.passage is passages[0])
    assert ("dorm", "resid hall", "synonym") in {(part.word, part.term, part.origin) for part in halls.contributions}


def test_a_word_in_the_title_is_explained_as_such():
    explained = base(LIBRARY).explain("library", k=1)
    titled = KnowledgeBase("test", [Passage("Library", "It opens at eight.", "a.md", 1)]).explain("library")
    assert [part.origin for part in explained[0].contributions] == ["text"]
    assert [part.origin for part in titled[0].contributions] == ["title", "whole title"]


def test_letters_in_common_are_explained_at_their_word():
    (part,) = base("The planetarium is dark.", GYM, CAFE).explain("planetary", k=1)[0].contributions
    assert (part.word, part.origin, part.weight) == ("planetary", "letters", 0.0)


def test_a_title_that_is_asked_for_whole_comes_before_one_that_goes_on():
    meets = "The AI Club meets every Thursday at 5 PM in room 204 of the engineering building."
    club = Passage("Clubs › AI Club", meets, "a.md", 1)
    workshop = Passage("Clubs › AI Club workshop", "Retrieval is the topic of the next AI Club workshop.", "a.md", 2)
    clubs = KnowledgeBase("test", [workshop, club])
    explained = clubs.explain("AI Club")
    assert [one.passage for one in explained] == [club, workshop]
    assert explained[0].contributions[-1].origin == "whole title"
    for one in explained:
        assert sum(part.score for part in one.contributions) == pytest.approx(one.score)
    assert clubs.search("AI Club workshop").passages[0].passage == workshop


def test_what_was_not_found_is_explained_too():
    asking = base(LIBRARY, GYM, CAFE)
    assert asking.search("library quantum entanglement").found is False
    assert asking.explain("library quantum entanglement")[0].share < 0.33
