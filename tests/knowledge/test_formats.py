from __future__ import annotations

import contextlib
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from campus_agent.knowledge.encoding import Unreadable, decode
from campus_agent.knowledge.formats.blocks import split_long
from campus_agent.knowledge.formats.json_facts import read_json, read_json_lines
from campus_agent.knowledge.formats.markdown import read_markdown
from campus_agent.knowledge.formats.plain_text import read_plain_text
from campus_agent.knowledge.formats.table import read_table
from campus_agent.knowledge.passage import Passage, Problem

Told = list[tuple[str, str, int | None]]


def told(reader, text: str, source: str = "office_hours.md") -> Told:
    return [(item.title, item.text, item.line) for item in reader(text, source) if isinstance(item, Passage)]


def texts(reader, text: str) -> list[str]:
    return [text for _, text, _ in told(reader, text)]


# ---- Markdown ------------------------------------------------------------------------------------------------------


def test_headings_become_the_title_path_and_lines_are_those_of_the_text():
    text = "# Clubs\n\n## AI Club\n\nIt meets on Thursday.\n\nChess\n=====\n\nThe board is in hall one.\n"
    assert told(read_markdown, text) == [
        ("Clubs › AI Club", "It meets on Thursday.", 5),
        ("Chess", "The board is in hall one.", 10),
    ]


def test_a_document_without_a_heading_is_titled_by_its_name():
    assert told(read_markdown, "The dean is in on Monday.") == [("Office hours", "The dean is in on Monday.", 1)]


def test_a_heading_with_nothing_under_it_is_a_fact_of_its_own():
    assert told(read_markdown, "# Pool\n\n## Closed on Sundays\n") == [("Pool", "Closed on Sundays", 3)]


@pytest.mark.parametrize(
    "front",
    ["---\ndate: 2026-01-01\ntags:\n  - a\n---\n", "+++\ndraft = true\n+++\n", "---\n---\n", "---\ntitle: >\n---\n"],
)
def test_front_matter_is_left_out_and_its_lines_count(front: str):
    assert told(read_markdown, f"{front}The pool is open daily.") == [
        ("Office hours", "The pool is open daily.", front.count("\n") + 1)
    ]


@pytest.mark.parametrize(
    "front",
    [
        "---\nlayout: page\ntitle: Café & pool\n---\n",
        "---\ntitle: 'Café & pool' \n---\n",
        '+++\ntitle = "Café & pool"\n+++\n',
    ],
)
def test_the_title_in_the_front_matter_stands_for_a_heading_of_the_first_level(front: str):
    text = "The pool is open daily.\n\n## Prices\n\nIt costs 4 euros a day.\n\n# Gym\n\nThe gym is open daily.\n"
    assert [title for title, _, _ in told(read_markdown, front + text)] == [
        "Café & pool",
        "Café & pool › Prices",
        "Gym",
    ]


@pytest.mark.parametrize("reader", [read_markdown, read_plain_text])
def test_lines_that_each_begin_with_a_label_are_kept_apart_and_wrapped_ones_are_not(reader):
    labels = "Instructor: Dr. Vera Holt\nOffice: Maple Hall 312\nOffice hours: Tuesdays 2 to 4 PM"
    assert texts(reader, labels) == [labels.replace("\n", "; ")]
    wrapped = "Note: the desk in the hall is\nopen until the last bus: at ten."
    assert texts(reader, wrapped) == [wrapped.replace("\n", " ")]


def test_a_line_across_the_page_is_no_front_matter():
    assert texts(read_markdown, "---\n\nThe pool is open daily.\n\n---\n\nThe gym is open daily.\n") == [
        "The pool is open daily.",
        "The gym is open daily.",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Chess is on Monday.\n\nGo is on Tuesday in hall two.",
            ["Chess is on Monday.", "Go is on Tuesday in hall two."],
        ),
        ("The lab is in hall two.\n\nIt opens at ten daily.", ["The lab is in hall two. It opens at ten daily."]),
        ("Opening hours:\n\n- Monday 9-5\n- Tuesday 9-6", ["Opening hours: Monday 9-5; Tuesday 9-6"]),
        ("Before you come:\n\n- Bring your card with you.\n- Wear shoes with laces.", None),
        ("- Chess is on Monday.\n- Go is on Tuesday.", ["Chess is on Monday.", "Go is on Tuesday."]),
        (
            "- Chess is on Monday\n  in hall one.\n- Go is on Tuesday.",
            ["Chess is on Monday in hall one.", "Go is on Tuesday."],
        ),
        ("- Sports:\n  - Football\n  - Tennis\n- Arts", ["Sports: Football, Tennis; Arts"]),
        ("1. Chess is on Monday.\n2. Go is on Tuesday.", ["Chess is on Monday.", "Go is on Tuesday."]),
        ("- [x] Bring your student card.\n- [ ] Fill in the form.", ["Bring your student card.", "Fill in the form."]),
        ("Printing\n\nColour pages cost 20 cents.", ["Printing: Colour pages cost 20 cents."]),
        ("> The dean is in on Monday.", ["The dean is in on Monday."]),
        ("The network is this one.\n\n```\n# campus-5\n```", ["The network is this one. # campus-5"]),
    ],
)
def test_what_belongs_together_is_one_passage(text: str, expected: list[str] | None):
    whole = ["Before you come: Bring your card with you. Wear shoes with laces."]
    assert texts(read_markdown, text) == (expected or whole)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("**Room** _204_ is `open` all day.", "Room 204 is open all day."),
        ("Ask [the desk](https://desk.edu/a) for a key.", "Ask the desk (https://desk.edu/a) for a key."),
        ("Ask at <https://desk.edu> for a key.", "Ask at https://desk.edu for a key."),
        ("Write to [a@b.edu](mailto:a@b.edu) for a key.", "Write to a@b.edu for a key."),
        ("See [the rules][r] before you come.\n\n[r]: https://r.edu", "See the rules (https://r.edu) before you come."),
        ("Open on ~~Monday~~ Tuesday all day.", "Open on Tuesday all day."),
        ("Open <!-- not really --> on Tuesday all day.", "Open on Tuesday all day."),
        ("When: Thursday  \nWhere: room 204<br>Who: all of you.", "When: Thursday; Where: room 204; Who: all of you."),
        ("The pool is open\nall day.\n\n<style>p { color: red }</style>", "The pool is open all day."),
        ("The variable is my_room_name, is it not?", "The variable is my_room_name, is it not?"),
        ("The map ![of the campus](map.png) is here.", "The map of the campus is here."),
        ("R&amp;D is 5 &lt; 6 floors up.", "R&D is 5 < 6 floors up."),
    ],
)
def test_marks_are_taken_away_and_what_they_hold_stays(text: str, expected: str):
    assert texts(read_markdown, text) == [expected]


def test_each_row_of_a_table_keeps_the_header():
    text = "# Clubs\n\n| Club | Day | Room |\n|---|---|---|\n| AI | Thursday | 204 |\n| Chess | Tuesday | |\n"
    assert told(read_markdown, text) == [
        ("Clubs", "Club: AI; Day: Thursday; Room: 204", 5),
        ("Clubs", "Club: Chess; Day: Tuesday", 6),
    ]


@pytest.mark.parametrize(
    ("after", "told_apart"),
    [
        ("- Room A\n- Room B", "Room A; Room B"),
        ("They hold until May.", "They hold until May."),
        ("```\ncampus-5\n```", "campus-5"),
    ],
)
@pytest.mark.parametrize("label", ["", "Hours:\n\n"])
def test_what_stands_after_a_table_does_not_belong_to_its_last_row(label: str, after: str, told_apart: str):
    table = f"{label}| Day | Open |\n|---|---|\n| Sunday | never |\n\n{after}"
    row = "Day: Sunday; Open: never"
    assert texts(read_markdown, table) == [f"Hours: {row}" if label else row, told_apart]


# Each is cheap for a reader that looks at a line once, and would take minutes where the work is not bounded.
@pytest.mark.parametrize(
    "text",
    [
        "[ " * 15_000,
        "![" * 15_000,
        "~~a~" * 10_000,
        "# a\n" * 6_000,
        "1. a\n" * 6_000,
        "a\n-\n" * 6_000,
        "|a" * 3_000 + "|\n" + "|-" * 3_000 + "|\n" + "|b|\n" * 50,
    ],
    ids=["brackets", "images", "strokes", "headings", "items", "underlined", "columns"],
)
def test_what_is_too_much_work_as_markdown_is_read_as_text_and_named(text: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("campus_agent.knowledge.formats.markdown._MOST_WORK", 200_000)
    items = list(read_markdown(f"# Pool\n\nThe pool is open daily.\n\n{text}", "a.md"))
    assert items[0] == Passage("Pool", "The pool is open daily.", "a.md", 3)
    (problem,) = (item for item in items if isinstance(item, Problem))
    assert "read as plain text" in problem.reason
    assert problem.line is not None
    assert [item for item in items if isinstance(item, Passage) and item.line == problem.line]


def test_a_tag_that_is_never_closed_is_looked_for_only_once():
    (item,) = told(read_markdown, "<div>\n" + "<a" * 50_000)
    assert item[1] == "<a" * 50_000


def test_a_picture_written_into_the_document_is_not_too_much_work():
    text = f"# Map\n\n![the campus](data:image/png;base64,{'iVBORw0KGgo' * 50_000})\n\nThe pool is in hall two.\n"
    assert texts(read_markdown, text) == ["the campus: The pool is in hall two."]


@pytest.mark.parametrize(
    ("reader", "text"),
    [
        (read_markdown, f"# {'a' * 100_000}\n\n" + "The pool is open.\n\n" * 50),
        (read_markdown, f"| {'a' * 100_000} |\n|-|\n" + "| b |\n" * 50),
        (read_table, f"{'a' * 100_000},b\n" + "1,2\n" * 50),
        (read_json, json.dumps({"a" * 100_000: {"rooms": [{"x": 1, "y": {"z": 2}}] * 50}, "n": 1})),
        (read_json, '{"n": 1, "aa": ' * 150 + json.dumps([{"x": 1}] * 50) + "}" * 150),
        (read_json, json.dumps({"tag": "a" * 100_000, "responses": [f"{n} {n * n} is it" for n in range(60)]})),
    ],
    ids=["heading", "column", "header", "key", "keys", "tag"],
)
def test_a_title_or_a_name_as_long_as_a_book_is_not_repeated_in_every_passage(reader, text: str):
    passages = [item for item in reader(text, "a.txt") if isinstance(item, Passage)]
    assert len(passages) >= 50
    assert max(len(passage.title) + len(passage.text) for passage in passages) < 2_000


# ---- plain text ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The lab opens\nat ten.\n\nThe gym is\nclosed.", [("The lab opens at ten.", 1), ("The gym is closed.", 4)]),
        ("Archery\nChess\nGo\nPolo\nRowing", [("Archery", 1), ("Chess", 2), ("Go", 3), ("Polo", 4), ("Rowing", 5)]),
        ("Archery\n\nChess\n\nGo\n\nPolo\n\nJudo", [("Archery", 1), ("Chess", 3), ("Go", 5), ("Polo", 7), ("Judo", 9)]),
        ("Chess is on Monday.\nGo is on Tuesday.", [("Chess is on Monday.", 1), ("Go is on Tuesday.", 2)]),
        ("- Archery\n- Chess", [("Archery", 1), ("Chess", 2)]),
        ("Library hours\n\nIt opens at eight daily.", [("Library hours: It opens at eight daily.", 1)]),
        ("", []),
        (" \n\n\t\n", []),
    ],
)  # fmt: skip
def test_plain_text_is_paragraphs_or_a_list_of_lines(text: str, expected: list[tuple[str, int]]):
    assert told(read_plain_text, text, "clubs.txt") == [("Clubs", line, number) for line, number in expected]


# ---- tables --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("question,answer\nWhen?,At noon\n", [("When?", "At noon", 2)]),
        ("Answer,QUESTION\nAt noon,When?\n", [("When?", "At noon", 2)]),
        ("title,text,category\nPool,Open daily,Sport\n", [("Sport › Pool", "Open daily", 2)]),
        ("question,answer,Contact\nWhen?,At noon,the desk\n", [("When?", "At noon (Contact: the desk)", 2)]),
        ("Club,Day\nAI,Thursday\nChess,\n", [("Clubs", "Club: AI; Day: Thursday", 2), ("Clubs", "Club: Chess", 3)]),
        ("Club;Day\n\n\"Chess; Go\";Tuesday\n", [("Clubs", "Club: Chess; Go; Day: Tuesday", 3)]),
        ("Club\tDay\nAI\tThursday\n", [("Clubs", "Club: AI; Day: Thursday", 2)]),
        ("q,a\n\"Say \"\"hi\"\"?\",\"two\nlines\"\nNext?,Yes\n", [('Say "hi"?', "two\nlines", 2), ("Next?", "Yes", 4)]),
        ("name,day\nAI Club,Thursday\n", [("AI Club", "name: AI Club; day: Thursday", 2)]),
        ("Frage;Antwort\nWann?;Um acht\n", [("Wann?", "Um acht", 2)]),
        ("PREGUNTA,Respuesta,Categoría\n¿Cuándo?,A las ocho,Piscina\n", [("Piscina › ¿Cuándo?", "A las ocho", 2)]),
        ("Título,Descripción\nPiscina,Abre a las ocho\n", [("Piscina", "Abre a las ocho", 2)]),
        ("Questions,Answers\nWhen?,At noon\n", [("When?", "At noon", 2)]),
        ("question,answer\nWhen?,\n", []),
        ("question,answer\n", []),
        ("", []),
    ],
)  # fmt: skip
def test_a_row_is_told_with_the_names_of_the_header(text: str, expected: Told):
    assert told(read_table, text, "clubs.csv") == expected


def test_a_row_with_too_many_cells_is_named_and_the_rest_is_read():
    items = list(read_table("club,day\nAI,Thursday\nChess,Tuesday,late\nGo,Friday\n", "clubs.csv"))
    assert [item.line for item in items] == [2, 3, 4]
    assert isinstance(items[1], Problem)


def test_a_quotation_that_never_ends_is_named_where_it_begins():
    rows = read_table('club,day\nAI,Thursday\n"Chess,Tuesday\nGo,Friday\n', "clubs.csv")
    assert isinstance(next(rows), Passage)
    with pytest.raises(Unreadable) as caught:
        next(rows)
    assert caught.value.line == 3


# ---- JSON ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ([{"title": "Pool", "text": "Open daily."}], [("Pool", "Open daily.")]),
        ([{"question": "When?", "answer": "At noon."}], [("When?", "At noon.")]),
        ({"faqs": [{"Question": "When?", "Answer": "At noon."}]}, [("When?", "At noon.")]),
        (["The pool is open daily."], [("Facts", "The pool is open daily.")]),
        ({"AI Club": "Meets on Thursday.", "Pool": "Daily"}, [("AI Club", "Meets on Thursday."), ("Pool", "Daily")]),
        ({"clubs": {"AI Club": "Meets on Thursday."}, "n": 1}, [("n", "1"), ("clubs › AI Club", "Meets on Thursday.")]),
        (
            {"library": {"hours": {"mon": "9-5", "sat": None}, "open_now": True}, "gym": {"floor": 2}},
            [("library", "open now: yes"), ("library › hours", "mon: 9-5"), ("gym", "floor: 2")],
        ),
        (
            {"library": {"floors": {"first": "The desk is there."}}},
            [("library › floors › first", "The desk is there.")],
        ),
        ({"north": {"gym": {"floor": 2}}}, [("north › gym", "floor: 2")]),
        (
            [{"name": "AI Club", "day": "Thursday", "rooms": [204, "205"]}],
            [("AI Club", "name: AI Club; day: Thursday; rooms: 204, 205")],
        ),
        ([{"name": "AI Club", "meets": {"day": "Thursday"}}], [("AI Club › meets", "day: Thursday")]),
        ({"rules": ["No food in the labs.", "Be quiet."]}, [("Facts", "No food in the labs."), ("Facts", "Be quiet.")]),
        ({}, []),
        ([], []),
        (None, []),
        ([[], {}, "", None], []),
        (7, [("Facts", "7")]),
    ],
)
def test_json_is_told_whatever_its_shape(value: object, expected: list[tuple[str, str]]):
    assert [(title, text) for title, text, _ in told(read_json, json.dumps(value), "facts.json")] == expected


def test_an_intent_is_its_responses_each_said_once_and_found_by_its_patterns():
    intent = {
        "tag": "fees",
        "patterns": ["how much is it", "what does it cost"],
        "responses": ["Pay at the desk.", "pay at the desk", "Online too, until Friday noon."],
    }
    passages = list(read_json(json.dumps({"intents": [intent]}), "bot.json"))
    assert [passage.text for passage in passages] == ["Pay at the desk.", "Online too, until Friday noon."]
    assert {passage.title for passage in passages} == {"fees"}
    assert passages[0].phrasings == ("how much is it", "what does it cost")


def test_responses_that_are_no_ways_to_say_one_thing_do_not_all_carry_the_patterns():
    intent = {"tag": "fees", "patterns": ["how much is it"], "responses": [f"{n} {n * n} {n**3}" for n in range(500)]}
    passages = [item for item in read_json(json.dumps(intent), "bot.json") if isinstance(item, Passage)]
    assert len(passages) == 500
    assert sum(bool(passage.phrasings) for passage in passages) == 20


def test_broken_json_is_named_with_its_line():
    with pytest.raises(Unreadable) as caught:
        list(read_json('{\n "a": 1,\n "b": }\n', "facts.json"))
    assert caught.value.line == 3


def test_of_json_lines_the_broken_ones_are_named_and_the_rest_is_read():
    items = list(
        read_json_lines('{"title": "Pool", "text": "Open."}\n\nnope\n{"q": "When?", "a": "Noon."}\n', "f.jsonl")
    )
    assert [(type(item), item.line) for item in items] == [(Passage, 1), (Problem, 3), (Passage, 4)]


# ---- anything ------------------------------------------------------------------------------------------------------

_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner) | st.dictionaries(st.text() | st.sampled_from(["tag", "responses", "title", "a"]), inner)
    ),
)


@settings(max_examples=80, deadline=None, derandomize=True)
@given(st.text())
@pytest.mark.parametrize("reader", [read_markdown, read_plain_text, read_table, read_json, read_json_lines])
def test_no_text_breaks_a_reader(reader, text: str):
    items: list[Passage | Problem] = []
    with contextlib.suppress(Unreadable):
        items.extend(reader(text, "any.txt"))
    assert all(item.source == "any.txt" for item in items)


@settings(max_examples=80, deadline=None, derandomize=True)
@given(_JSON)
def test_no_json_value_breaks_its_reader(value: object):
    assert all(item.text for item in read_json(json.dumps(value), "any.json"))


@settings(max_examples=80, deadline=None, derandomize=True)
@given(st.binary())
def test_bytes_are_text_or_unreadable(data: bytes):
    text = ""
    with contextlib.suppress(Unreadable):
        text = decode(data)
    assert "\r" not in text


@pytest.mark.parametrize("reader", [read_json, read_json_lines])
def test_a_number_of_thousands_of_digits_is_named_in_words_for_who_wrote_it(reader):
    text = f'[{{"title": "Gym", "text": "Open.", "n": {"9" * 5000}}}]'
    try:
        problems = [item.reason for item in reader(text, "a.json") if isinstance(item, Problem)]
    except Unreadable as error:
        problems = [error.reason]
    assert len(problems) == 1
    assert "a number in it has thousands of digits; put it in quotes" in problems[0]


@pytest.mark.parametrize("border", ["; ", ", and then ", " over there ", "x"])
def test_a_sentence_without_an_end_is_cut_at_a_border_into_pieces_of_a_bounded_length(border):
    text = border.join(["the gym opens on Monday, June 8, 2026 at 5 PM"] * 500)
    pieces = list(split_long(text))
    assert max(map(len, pieces)) <= 2_000
    assert "".join(pieces).replace(" ", "") == text.replace(" ", "")
    if border != "x":
        assert all(piece.count("June") == piece.count("June 8, 2026 at 5 PM") for piece in pieces)


def test_a_sentence_that_somebody_wrote_stays_whole():
    sentence = "It is open " + "and light " * 300 + "at night."
    assert list(split_long(sentence)) == [sentence]
