from __future__ import annotations

import math
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from campus_agent.errors import KnowledgeError
from campus_agent.knowledge.base import KnowledgeBase
from campus_agent.knowledge.bundled import bundled_base
from campus_agent.knowledge.passage import Passage

LIBRARY = "The library opens at eight on weekdays."
GYM = "Swimming lessons begin in the gym on Monday."
CAFE = "Coffee is served in the courtyard."


def base(*texts: str, title: str = "", language: str = "english") -> KnowledgeBase:
    return KnowledgeBase(
        "test", [Passage(title, text, "facts.md", n) for n, text in enumerate(texts, 1)], language=language
    )


def found(base: KnowledgeBase, query: str, k: int = 3) -> list[str]:
    return [scored.passage.text for scored in base.search(query, k).passages]


@pytest.fixture(scope="module")
def demo() -> KnowledgeBase:
    return KnowledgeBase.load([bundled_base()])


# ---- the traps of rank-bm25 ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("texts", [[LIBRARY], [LIBRARY, GYM], [LIBRARY, GYM, CAFE], [LIBRARY, GYM] * 5])
def test_the_right_passage_comes_first_with_a_positive_score_however_small_the_base(texts: Sequence[str]):
    result = base(*texts).search("library")
    assert result.passages[0].passage.text == LIBRARY
    assert all(scored.score > 0 for scored in result.passages)
    assert result.confidence == "high"


def test_a_word_that_nearly_every_passage_has_ranks_those_above_the_one_that_has_not():
    texts = [f"The campus has building number {n}." for n in range(9)] + ["A passage of another kind, about coffee."]
    assert texts[9] not in found(base(*texts), "campus", k=10)


def test_a_rarer_word_never_weighs_less_than_a_commoner_one():
    texts = [" ".join(f"word{n}" for n in range(1, 11) if i < n) for i in range(10)]
    scores = [base(*texts).search(f"word{n}").passages[0].score for n in (1, 10)]
    assert scores[0] > scores[1] > 0


@pytest.mark.parametrize("texts", [[], [""], ["", ""], ["?!", "—"]])
def test_a_base_without_words_finds_nothing_and_does_not_break(texts: Sequence[str]):
    result = base(*texts).search("library")
    assert (result.found, result.confidence, result.share, result.passages) == (False, "none", 0.0, ())
    assert result.unmatched_terms == ("library",)


def test_a_blank_passage_among_others_is_never_found():
    assert found(base("", LIBRARY, ""), "library") == [LIBRARY]


def test_unknown_words_only_find_nothing_instead_of_the_last_passages():
    result = base(LIBRARY, GYM, CAFE).search("quantum entanglement")
    assert result.passages == ()
    assert result.unmatched_terms == ("quantum", "entanglement")


def test_a_passage_without_any_word_of_the_query_is_not_returned_to_fill_up():
    assert found(base(LIBRARY, GYM, CAFE), "library", k=3) == [LIBRARY]


def test_more_passages_can_be_asked_for_than_there_are():
    assert sorted(found(base(LIBRARY, GYM), "library gym", k=50)) == sorted([GYM, LIBRARY])


def test_no_passages_are_returned_when_none_are_asked_for():
    assert found(base(LIBRARY, GYM), "library", k=0) == []


def test_equal_scores_keep_the_order_of_the_documents():
    texts = [f"The hall number {name} is here." for name in ("one", "two", "six", "ten")]
    assert found(base(*texts), "hall", k=4) == texts


def test_a_repeated_word_of_the_query_counts_once():
    once, thrice = (base(LIBRARY, GYM).search(query) for query in ("library gym", "library library LIBRARY gym"))
    assert once.passages == thrice.passages
    assert once.share == thrice.share


def test_twenty_copies_of_a_passage_fill_one_place():
    passages = [Passage("Library", LIBRARY, f"copy{n}.md", 1) for n in range(20)]
    texts = found(KnowledgeBase("test", [*passages, Passage("Gym", GYM, "gym.md", 1)]), "library gym")
    assert sorted(texts) == sorted([LIBRARY, GYM])


def test_the_same_hours_under_two_titles_are_found_under_each():
    passages = [Passage(name, "Open from nine to five.", "hours.md", n) for n, name in enumerate(("Library", "Gym"), 1)]
    twins = KnowledgeBase("test", passages)
    titles = [twins.search(query).passages[0].passage.title for query in ("library hours", "gym hours")]
    assert titles == ["Library", "Gym"]
    assert {scored.passage.title for scored in twins.search("library and gym hours").passages} == {"Library", "Gym"}


@pytest.mark.parametrize("query", ["LIBRARY?", "the library!", "(library)", "Library's", "ｌｉｂｒａｒｙ"])
def test_case_punctuation_and_width_do_not_matter(query: str):
    assert found(base(LIBRARY, GYM), query) == [LIBRARY]


@pytest.mark.parametrize(
    ("text", "query", "language"),
    [
        ("La médiathèque ouvre à huit heures.", "mediatheque", "french"),
        ("Cursurile încep în săptămâna a doua.", "saptamana", "romanian"),
        ("Библиотека открыта по будням.", "БИБЛИОТЕКИ", "russian"),
        ("Η βιβλιοθήκη ανοίγει στις οκτώ.", "ΒΙΒΛΙΟΘΗΚΗ", "greek"),
        ("Die Straße zur Mensa.", "STRASSE", "german"),
        ("पुस्तकालय सुबह आठ बजे खुलता है", "पुस्तकालय", "hindi"),
        ("The menus of the canteen and its GPUs.", "menu gpu", "english"),
        ("A meeting every week.", "meets", "english"),
        ("图书馆在教学楼旁边", "图书馆在哪里", "none"),
        ("図書館は八時に開きます", "図書館", "none"),
        ("도서관은 여덟 시에 엽니다", "도서관", "none"),
        ("ห้องสมุดเปิดแปดโมงเช้า", "ห้องสมุด", "none"),
        ("GPU实验室每天开放", "实验室", "none"),
    ],
)
def test_words_are_found_in_any_script(text: str, query: str, language: str):
    others = ("Something else entirely.", "And one more thing.")
    assert found(base(*others, text, language=language), query)[:1] == [text]


def test_a_question_in_a_script_without_spaces_about_something_else_finds_nothing():
    assert base("食堂每天十二点开门", "图书馆在教学楼旁边", language="none").search("宿舍密码是什么").found is False


def test_a_word_counts_more_in_the_title_than_in_the_text():
    passages = [
        Passage("Opening", "The pool opens, and so does everything beside the library here.", "a.md", 1),
        Passage("Library", "It opens at eight, and so does everything else that is here.", "b.md", 1),
    ]
    assert KnowledgeBase("test", passages).search("library").passages[0].passage.title == "Library"


def test_a_query_of_stop_words_only_is_searched_by_them():
    assert found(base("Who we are.", LIBRARY), "who are") == ["Who we are."]


def test_a_passage_is_found_by_its_other_phrasings_which_are_not_shown():
    passage = Passage("fees", "Pay at the bursar.", "intents.json", None, ("how much is tuition",))
    result = KnowledgeBase("test", [passage, Passage("x", LIBRARY, "a.md", 1)]).search("tuition")
    assert result.passages[0].passage is passage
    assert result.as_json()["passages"][0].keys() == {"title", "text", "source", "line", "score"}


# ---- misspelt words ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "corrected"),
    [
        ("libary", {"libary": "library"}),
        ("Libarry", {"Libarry": "library"}),
        ("weekdasy", {"weekdasy": "weekdays"}),
        ("swmiming lesons", {"swmiming": "swimming", "lesons": "lessons"}),
        ("gim", {}),  # too short to tell
        ("libxxry", {}),  # two slips in seven letters
        ("library2", {}),  # a digit is no slip
        ("opening", {}),  # another form of a known word
        ("swim", {}),  # what a known word begins with
        ("libra", {}),  # also if only one letter more would make another word of it
    ],
)
def test_an_unknown_word_is_read_as_the_nearest_known_one(query: str, corrected: dict[str, str]):
    assert base(LIBRARY, GYM).search(query).corrected == corrected


def test_a_weekday_is_never_read_as_another_one():
    result = base("The chess club meets on Tuesday.", LIBRARY).search("club on Thursday")
    assert result.corrected == {}
    assert result.unmatched_terms == ("Thursday",)


def test_a_short_word_whose_last_letter_is_not_doubled_is_a_slip_all_the_same():
    assert base("The chess club is open to all.", LIBRARY).search("ches").corrected == {"ches": "chess"}


def test_a_short_form_is_not_read_as_a_word_that_it_begins():
    result = base("Grades come out on Friday. Every grade counts.", LIBRARY).search("grad")
    assert (result.corrected, result.unmatched_terms) == ({}, ("grad",))


def test_of_two_equally_near_words_the_commoner_is_meant():
    assert base("A cart.", "The card. A card.", LIBRARY).search("carx").corrected == {"carx": "card"}


# ---- found, or not -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "confidence", "unmatched"),
    [
        ("library", "high", ()),
        ("library opens eight weekdays unicorn", "high", ("unicorn",)),
        ("library weekdays unicorn", "low", ("unicorn",)),
        ("library unicorn Dragon", "none", ("unicorn", "Dragon")),
        ("", "none", ()),
        ("   ?!  ", "none", ()),
    ],
)
def test_the_share_of_the_query_that_a_passage_has_decides(query: str, confidence: str, unmatched: tuple[str, ...]):
    result = base(LIBRARY, GYM, CAFE).search(query)
    assert (result.confidence, result.unmatched_terms) == (confidence, unmatched)
    assert result.found == (confidence != "none") == bool(result.passages)


def test_the_share_is_that_of_the_idf_with_unknown_words_counted_as_the_rarest():
    known, unknown = math.log(1 + 2.5 / 1.5), math.log(1 + 3.5 / 0.5)
    assert base(LIBRARY, GYM, CAFE).search("library unicorn").share == pytest.approx(known / (known + unknown))


@pytest.mark.parametrize("query", ["What time does the library open?", "library location", "library hours today"])
def test_a_word_that_only_asks_is_not_missed(query: str):
    result = base(LIBRARY, GYM, CAFE).search(query)
    assert (result.confidence, result.unmatched_terms) == ("high", ())


def test_the_result_as_json_has_the_fields_of_the_command_line():
    assert base(LIBRARY, title="Library").search("libary unicorn").as_json() == {
        "query": "libary unicorn",
        "found": False,
        "confidence": "none",
        "share": pytest.approx(math.log(1 + 0.5 / 1.5) / (math.log(1 + 0.5 / 1.5) + math.log(1 + 1.5 / 0.5))),
        "corrected": {"libary": "library"},
        "unmatched_terms": ["unicorn"],
        "passages": [],
    }
    (passage,) = base(LIBRARY, title="Library").search("library").as_json()["passages"]
    assert passage | {"score": 0} == {"title": "Library", "text": LIBRARY, "source": "facts.md", "line": 1, "score": 0}


def test_an_unknown_language_is_named_with_those_there_are():
    with pytest.raises(KnowledgeError, match=r"'klingon'[\s\S]*english"):
        base(LIBRARY, language="klingon")


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.text(), st.lists(st.text(), max_size=4))
def test_no_query_and_no_text_breaks_a_search(query: str, texts: list[str]):
    result = base(*texts).search(query)
    assert 0 <= result.share <= 1
    assert result.found == bool(result.passages)


# ---- the bundled base ----------------------------------------------------------------------------------------------


def test_the_bundled_base_is_seven_passages_without_problems(demo: KnowledgeBase):
    assert (demo.name, len(demo.passages), demo.documents, demo.problems) == ("USC demo", 7, 3, ())


@pytest.mark.parametrize(
    ("query", "fact"),
    [
        ("AI Club meeting day", "every Thursday at 5 PM in room 204 of the engineering building"),
        ("When does the USC AI Club meet?", "every Thursday at 5 PM"),
        ("How many days until the next USC AI Club meeting?", "every Thursday at 5 PM"),
        ("Is the USC GPU lab open right now?", "Monday to Friday, 10 AM to 6 PM"),
        ("when can I use GPUs", "Monday to Friday, 10 AM to 6 PM"),
        ("python help", "Wednesdays from 1 PM to 3 PM"),
        ("soldering", "safety training"),
        ("RAG topic", "Retrieval Augmented Generation (RAG)"),
        ("faculty hours", "Tuesdays, 2-4 PM"),
        ("free developer signup", "NVIDIA Developer Program is free"),
        ("room of the club", "room 204"),
    ],
)
def test_a_paraphrase_finds_its_fact_first(demo: KnowledgeBase, query: str, fact: str):
    assert fact in found(demo, query)[0]


@pytest.mark.parametrize("query", ["wifi password", "campus wifi password", "What is the campus wifi password?"])
def test_what_nobody_wrote_is_not_found_and_its_words_are_named(demo: KnowledgeBase, query: str):
    result = demo.search(query)
    assert not result.found
    assert {"wifi", "password"} <= set(result.unmatched_terms)


def test_what_is_no_word_but_a_page_of_letters_is_not_stemmed_and_still_found():
    letters = "y" * 200_000
    assert found(base(f"The key is {letters} for all.", GYM), letters) == [f"The key is {letters} for all."]
