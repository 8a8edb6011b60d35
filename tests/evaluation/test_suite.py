from __future__ import annotations

import json
from datetime import datetime

import pytest

from campus_agent.evaluation.case import Suite, known_keys
from campus_agent.evaluation.suite import EXAMPLES, SuiteError, check_tools, example_path, read_example, read_suites
from tests.evaluation.made import only_case, suite_file

GOOD = '[[cases]]\nname = "one"\nquestion = "When?"\nexpect = { outcome = "answered" }\n'


def complaint(path) -> str:
    with pytest.raises(SuiteError) as error:
        read_suites([path])
    return str(error.value)


@pytest.mark.parametrize(
    ("table", "misspelt", "nearest"),
    [
        ("suite", "nwo", "now"),
        ("case", "questin", "question"),
        ("turn", "new_conversatoin", "new_conversation"),
        ("expect", "outcom", "outcome"),
        ("call", "argument", "arguments"),
    ],
)
def test_an_unknown_key_is_named_with_the_nearest_known_one_the_file_and_the_case(tmp_path, table, misspelt, nearest):
    call, expect = {"tool": "t"}, {"most_steps": 1}
    turn = {"question": "q", "expect": expect | {"calls": [call]}}
    case = {"name": "wifi", "turns": [turn]}
    tables = {"suite": {"cases": [case]}, "case": case, "turn": turn, "expect": turn["expect"], "call": call}
    tables[table][misspelt] = "x"
    path = suite_file(tmp_path, json.dumps(tables["suite"]), "mine.yaml")  # JSON is YAML too
    where = str(path) if table == "suite" else f"{path}, case wifi"
    said = complaint(path)
    assert f"{where}: " in said
    assert f"{misspelt}: there is no such key; did you mean {nearest}?" in said


@pytest.mark.parametrize("key", ["zzz", "foo", "x", "answerable_by_anybody"])
def test_a_key_that_is_like_no_other_is_answered_with_all_there_are(tmp_path, key):
    path = suite_file(tmp_path, GOOD + f"{key} = 1")
    assert f"case one: {key}: there is no such key; there are name, question, turns, " in complaint(path)
    path = suite_file(tmp_path, GOOD.replace("{ outcome", f"{{ {key} = 1, outcome"))
    assert f"case one: expect.{key}: there is no such key; there are outcome, facts, " in complaint(path)


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ('outcome = "anserd"', "expect.outcome.1: should be 'answered', 'refused'"),
        ('facts = ["hello"]', "expect.facts.1: 'hello' holds no fact"),
        ('facts = "Thursday"', "expect.facts: should be a list in square brackets"),
        ("most_steps = 0", "expect.most_steps: should be greater than or equal to 1, not 0"),
        ("calls = [{ arguments = {} }]", "expect.calls.1.tool: is missing"),
        ("calls = [5]", "expect.calls.1: should be a table of keys"),
        ('answer_contains = [" "]', "expect.answer_contains.1: should be a text that is not empty"),
        ("", "expects nothing"),
        ("facts = []", "expect.facts: names nothing, so it expects nothing; leave the key out"),
        ("tools_called = []", "expect.tools_called: names nothing"),
        ("calls = []", "expect.calls: names nothing"),
        ("outcome = []", "expect.outcome: names nothing"),
        ('remembers = ["Thursday"]', "remembers is for a turn that has another one before it"),
    ],
)
def test_a_wrong_expectation_is_said_in_words_with_its_case(tmp_path, lines, said):
    path = suite_file(tmp_path, f'[[cases]]\nname = "one"\nquestion = "When?"\n[cases.expect]\n{lines}\n')
    assert f"{path}, case one: {said}" in complaint(path)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[[cases]", "it is not valid TOML"),
        ("", "cases: is missing"),
        ("cases = []", "there is no case in it"),
        (GOOD + GOOD, "two cases have the same name: one"),
        ('[[cases]]\nexpect = {outcome = "refused"}\nquestion = "q"', "case number 1: name: is missing"),
        ('[[cases]]\nname = "a"\nexpect = {outcome = "refused"}', "case a: needs either a question or turns"),
        (GOOD + 'turns = ["q"]', "case one: needs either a question or turns"),
        (GOOD + 'now = "soon"', "case one: now: 'soon' is not a date and time"),
        (GOOD + "now = 0001-01-01T10:00:00", "case one: now: should be between the years"),
        (GOOD + 'kb = ["nowhere"]', "case one: kb: there is nothing at"),
        (
            '[[cases]]\nname = "a"\nturns = [{ question = "q" }, 5]\nexpect = {most_calls = 1}',
            "turns.2: should be a tab",
        ),
    ],
)
def test_a_suite_that_is_not_right_is_refused_with_the_reason(tmp_path, text, said):
    assert said in complaint(suite_file(tmp_path, text))


def test_all_mistakes_of_all_files_are_said_at_once(tmp_path):
    first = suite_file(tmp_path, "cases = []", "a.toml")
    with pytest.raises(SuiteError) as error:
        read_suites([first, tmp_path / "b.toml", tmp_path])
    assert all(part in str(error.value) for part in ("a.toml", "b.toml", str(tmp_path), "3 mistakes"))


def test_the_suite_gives_its_moment_and_its_base_to_the_cases_that_have_none(tmp_path):
    (tmp_path / "base").mkdir()
    (tmp_path / "other").mkdir()
    own = GOOD.replace('"one"', '"two"') + 'now = "2026-07-01T09:00:00"\nkb = ["other"]\n'
    path = suite_file(tmp_path, f'kb = ["base"]\nnow = 2026-06-13T10:00:00\n{GOOD}{own}')
    (suite,) = read_suites([path])
    assert suite.name == "mine"
    assert [case.now for case in suite.cases] == [datetime(2026, 6, 13, 10), datetime(2026, 7, 1, 9)]
    assert [case.kb for case in suite.cases] == [(str(tmp_path / "base"),), (str(tmp_path / "other"),)]


def test_a_case_expects_of_its_last_turn_and_a_turn_may_be_a_text(tmp_path):
    text = '[[cases]]\nname = "a"\nturns = [{question = "x", expect = {facts = ["Monday"]}}, "y"]\n'
    one = only_case(suite_file(tmp_path, text + "expect = {most_calls = 1}"))
    assert [(turn.question, turn.expect.facts, turn.expect.most_calls) for turn in one.conversation] == [
        ("x", ("Monday",), None),
        ("y", (), 1),
    ]


def test_yaml_says_the_same_as_toml_and_a_time_in_it_stays_a_time(tmp_path):
    text = """
now: 2026-06-13T10:00:00
cases:
  - name: a
    turns: [x, {question: y, new_conversation: true}]
    expect: {facts: [17:00], most_steps: 3, grounded: true, calls: [{tool: t, arguments: {n: 5}}]}
"""
    one = only_case(suite_file(tmp_path, text, "mine.yml"))
    expect = one.conversation[-1].expect
    assert (expect.facts, expect.most_steps, expect.grounded) == (("17:00",), 3, True)
    assert expect.calls[0].arguments == {"n": "5"}
    assert one.conversation[-1].new_conversation
    assert one.now == datetime(2026, 6, 13, 10)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: &a [x]\nb: *a", "it uses an alias"),
        ("cases: [\n", "it is not valid YAML"),
        ("- a", "it should begin with keys"),
        ("", "cases: is missing"),
        ("now: 2026-06-13\nnow: 2026-06-14", "now stands there twice"),
        ("[" * 5000, "it is not valid YAML"),
    ],
    ids=["alias", "cut", "list", "empty", "twice", "deep"],
)
def test_yaml_that_cannot_be_read_is_said(tmp_path, text, said):
    assert said in complaint(suite_file(tmp_path, text, "mine.yaml"))


def test_a_file_that_is_no_text_or_far_too_large_is_said(tmp_path):
    (tmp_path / "a.toml").write_bytes(b"\xff\xfe\x00")
    assert "it is not UTF-8 text" in complaint(tmp_path / "a.toml")
    (tmp_path / "b.toml").write_bytes(b"#" * 1_000_001)
    assert "it is over 1 MB" in complaint(tmp_path / "b.toml")


@pytest.mark.parametrize("key", ["tools_called", "tools_in_order", "tools_not_called", "calls"])
def test_a_tool_that_does_not_exist_is_named_because_it_could_never_be_called(tmp_path, key):
    value = '[{ tool = "serch_campus_info" }]' if key == "calls" else '["serch_campus_info"]'
    path = suite_file(tmp_path, f'[[cases]]\nname = "a"\nquestion = "q"\nexpect = {{ {key} = {value} }}')
    with pytest.raises(SuiteError, match="case a: there is no tool serch_campus_info; did you mean search_campus_info"):
        check_tools(read_suites([path]), ["search_campus_info", "get_current_time"])


def test_every_shipped_suite_is_listed_and_can_be_read():
    assert {path.stem for path in example_path("x").parent.glob("*.toml")} == set(EXAMPLES)
    assert [len(read_example(name).cases) for name in EXAMPLES] == [5, 5]


def test_the_keys_of_a_place_are_those_of_its_table():
    assert known_keys(()) == tuple(Suite.model_fields)
    assert known_keys(("cases", 0, "turns", 1, "expect", "calls", 0)) == ("tool", "arguments", "status")


@pytest.mark.parametrize("hostile", ["\x1b[31mred", "\u202eback"])
def test_no_escape_sequence_of_a_suite_reaches_the_message(tmp_path, hostile):
    path = suite_file(tmp_path, f'{{cases: [{{name: "{hostile}", "{hostile}": 1}}]}}'.replace("\x1b", "\\e"), "a.yaml")
    assert "\x1b" not in complaint(path)
    assert "\u202e" not in complaint(path)


@pytest.mark.parametrize("fact", ["lunes", "a las seis y media de la tarde", "Omar Haddad", "Haddad", "Ana de la Cruz"])
def test_a_fact_in_any_language_that_the_guardrail_knows_and_a_name_are_facts(tmp_path, fact):
    one = only_case(suite_file(tmp_path, f'[[cases]]\nname = "one"\nquestion = "q"\nexpect.facts = ["{fact}"]\n'))
    assert one.expect.facts == (fact,)
