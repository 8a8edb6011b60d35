from __future__ import annotations

import signal
from xml.etree import ElementTree as Xml

import pytest
from played import Terminal

from campus_agent.cli import eval as eval_command
from campus_agent.evaluation.suite import EXAMPLES
from campus_agent.models.scripted import ScriptedModel

NOW = "now = 2026-06-13T10:00:00\n"
CLUB = '[[cases]]\nname = "club"\nquestion = "When does the USC AI Club meet?"\nexpect = { facts = ["17:00"] }\n'
WRONG = '[[cases]]\nname = "wrong"\nquestion = "When does the USC AI Club meet?"\nexpect = { facts = ["6 PM"] }\n'


@pytest.fixture
def suite(tmp_path):
    def write(*cases: str) -> str:
        path = tmp_path / "mine.toml"
        path.write_text(NOW + "".join(cases), encoding="utf-8")
        return str(path)

    return write


@pytest.fixture
def scripted(monkeypatch):
    """Let the offline model play these replies, from the first one for each agent."""

    def play(*replies) -> None:
        monkeypatch.setattr("campus_agent.models.offline.model.OfflineModel", lambda **_: ScriptedModel(replies))

    return play


def test_without_a_suite_it_says_what_to_do_and_names_the_examples(cli):
    ran = cli("eval")
    assert (ran.status, ran.out) == (2, "")
    assert all(f"--example {name}" in ran.err for name in EXAMPLES)
    assert "eval init" in ran.err


def test_the_shipped_suites_pass_and_print_their_steps(cli):
    assert set(EXAMPLES) == set(eval_command._EXAMPLES)
    ran = cli("eval", "--example", "workshop", "--example", "grounded")
    assert ran.status == 0
    rows = [line.split() for line in ran.out.splitlines() if line.startswith("●")]
    assert len(rows) == 10
    assert all(row[-2:] == ["n/a", "0"] for row in rows)  # piped, there is room for every figure
    assert ran.out.splitlines()[-1].startswith("eval summary: 10 passed, 0 flaky, 0 failed — ")
    assert "offline model" in ran.err


def test_a_case_that_fails_makes_the_status_one_and_says_why(cli, suite):
    ran = cli("eval", suite(CLUB, WRONG))
    assert ran.status == 1
    assert "facts: expected 6 PM; came " in ran.out
    assert "room 204" in ran.out
    assert "eval summary: 1 passed, 0 flaky, 1 failed — " in ran.out


def test_a_flaky_case_fails_only_when_that_is_asked_for(cli, suite, scripted):
    club = '[[cases]]\nname = "hello"\nquestion = "Hello?"\nexpect = { answer_contains = ["good"] }\n'
    scripted("Hello!", "Hello, good day!", "Hello!")
    assert cli("eval", suite(club)).status == 0
    assert cli("eval", suite(club), "--strict").status == 1
    ran = cli("eval", suite(club), "--repeat", "3")
    assert "0 passed, 1 flaky, 0 failed" in ran.out
    assert "(2 of 3 times)" in ran.out


@pytest.mark.parametrize(
    "text", ["nwo = 1\n" + CLUB, "", "[[cases", CLUB.replace("{ facts", '{ tools_called = ["search"], facts')]
)
def test_a_suite_that_is_not_right_is_wrong_usage_and_nothing_is_asked(cli, suite, monkeypatch, text):
    asked = []
    monkeypatch.setattr("campus_agent.agent.agent.Agent.run", lambda self, question: asked.append(question))
    ran = cli("eval", suite(text))
    assert (ran.status, ran.out, asked) == (2, "", [])
    assert "mine" in ran.err


def test_settings_that_cannot_be_met_are_wrong_usage(cli, suite):
    assert cli("eval", suite(CLUB), "--provider", "nonsense").status == 2
    assert cli("eval", suite(CLUB), "--kb", "nowhere").status == 2


def test_as_json_it_is_one_object_with_every_run(cli, suite):
    ran = cli("eval", suite(CLUB, WRONG), "--json", "--jobs", "1")
    (told,) = ran.objects
    assert (ran.status, ran.err) == (1, "")
    assert (told["model"], told["provider"], told["passed"], told["failed"]) == ("offline", "offline", 1, 1)
    assert [(case["suite"], case["name"], case["verdict"]) for case in told["cases"]] == [
        ("mine", "club", "PASS"),
        ("mine", "wrong", "FAIL"),
    ]
    assert len(told["cases"][1]["attempts"]) == 2
    assert told["cases"][0]["attempts"][0]["runs"][0]["steps"][0]["tool"] == "search_campus_info"
    assert told["usage"] is None
    assert set(told["model_ms"]) == {"p50", "p95"}


def test_the_junit_report_is_written_and_an_earlier_one_replaced_but_no_other_file(cli, suite, tmp_path):
    report = tmp_path / "report.xml"
    for status, case in ((1, WRONG), (0, CLUB)):
        ran = cli("eval", suite(case), "--junit", str(report))
        assert (ran.status, "JUnit report: " in ran.err) == (status, True)
        assert Xml.parse(report).getroot()[0].attrib["failures"] == str(status)
    notes = tmp_path / "notes.md"
    notes.write_text("mine", encoding="utf-8")
    assert cli("eval", suite(CLUB), "--junit", str(notes)).status == 2
    assert notes.read_text(encoding="utf-8") == "mine"


def test_a_flag_wins_over_the_suite_and_the_suite_over_the_base(cli, suite, tmp_path):
    base = tmp_path / "base"
    base.mkdir()
    (base / "chess.md").write_text("# Chess club\n\nThe chess club meets every Monday at noon.\n", encoding="utf-8")
    (base / "campus.toml").write_text('refusal = "Ask at the desk."\n', encoding="utf-8")
    of_base = 'kb = ["base"]\n[[cases]]\nname = "chess"\nquestion = "How many days until the chess club meets?"\n'
    expect = '[cases.expect]\nfacts = ["{} days"]\n'
    assert cli("eval", suite(of_base + expect.format(2))).status == 0
    assert cli("eval", suite(of_base + expect.format(5)), "--now", "2026-06-10T10:00:00").status == 0
    refused = (
        '[[cases]]\nname = "r"\nquestion = "What is the wifi password?"\nexpect = { answer_contains = ["desk"] }\n'
    )
    assert cli("eval", suite(refused), "--kb", str(base)).status == 0
    assert cli("eval", suite(refused)).status == 1


def test_an_interrupt_prints_what_there_is(cli, suite, scripted, monkeypatch):
    def interrupt(request):
        signal.raise_signal(signal.SIGINT)
        return "Hello, too late!"

    hello = '[[cases]]\nname = "{}"\nquestion = "Hello?"\nexpect = {{ most_calls = 0 }}\n'
    replies = iter([("Hello!",)] * 2 + [(interrupt,)])
    monkeypatch.setattr("campus_agent.models.offline.model.OfflineModel", lambda **_: ScriptedModel(next(replies)))
    ran = cli("eval", suite(*map(hello.format, "abc")), "--jobs", "1")
    assert ran.status == 130
    assert "● PASS a" in ran.out
    assert "not played   2 cases, because of the interrupt" in ran.out
    assert "eval summary: 1 passed, 0 flaky, 0 failed — " in ran.out


def test_an_interrupt_leaves_one_whole_object_for_json(cli, suite, scripted):
    def interrupt(request):
        signal.raise_signal(signal.SIGINT)
        return "Hello, too late!"

    scripted(interrupt)
    ran = cli("eval", suite(CLUB), "--json")
    (told,) = ran.objects
    assert (ran.status, told["interrupted"], told["not_played"], told["cases"]) == (130, True, 1, [])


def test_progress_is_shown_on_a_terminal_only(cli, suite, monkeypatch):
    assert "%" not in cli("eval", suite(CLUB)).err
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    cli("eval", suite(CLUB, WRONG))
    assert "100%" in terminal.getvalue()


@pytest.mark.parametrize("columns", [30, 60, 80])
def test_the_report_fits_the_terminal_and_no_escape_sequence_gets_through(cli, suite, scripted, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    scripted(*["Hello \x1b]0;owned\x07 \u202e there!"] * 2)
    case = '[[cases]]\nname = "\\u001b[31mhello"\nquestion = "Hello?"\nexpect = { facts = ["6 PM"] }\n'
    ran = cli("eval", suite(case), "--guardrail", "off")
    assert "owned" in ran.out
    assert not any(mark in ran.out + ran.err for mark in "\x1b\x07\u202e")
    assert max(map(len, ran.out.splitlines()[:-1])) <= columns


def test_init_writes_a_suite_of_the_bundled_base_that_passes_and_is_never_overwritten(cli, tmp_path):
    path = tmp_path / "eval.toml"
    ran = cli("eval", "init", str(path))
    assert (ran.status, ran.err) == (0, "")
    text = path.read_text(encoding="utf-8")
    assert 'outcome = "refused"' in text
    assert text.count("[[cases]]") >= 6
    assert cli("eval", str(path)).status == 0
    assert cli("eval", "init", str(path)).status == 2
    assert path.read_text(encoding="utf-8") == text


def test_init_writes_a_suite_for_a_base_of_ones_own_with_the_way_to_it(cli, tmp_path, monkeypatch):
    base = tmp_path / "harbour"
    base.mkdir()
    (base / "campus.toml").write_text('refusal = "Ask at the harbour office."\n', encoding="utf-8")
    (base / "pool.md").write_text(
        "# Harbour pool\n\nThe harbour pool is open Tuesday to Sunday from 7:30 AM to 9 PM.\n\n"
        "## Prices\n\nA ticket for the harbour pool costs 6 euros; students pay 4 euros.\n",
        encoding="utf-8",
    )
    (base / "faq.csv").write_text(
        "question,answer\nWhere is the story hour?,The story hour is in room 12 on Wednesdays.\n", encoding="utf-8"
    )
    (tmp_path / "suites").mkdir()
    monkeypatch.chdir(tmp_path / "suites")
    assert cli("eval", "init", "--kb", str(base)).status == 0
    text = (tmp_path / "suites" / "eval.toml").read_text(encoding="utf-8")
    assert 'kb = ["../harbour"]' in text
    assert 'question = "Where is the story hour?"' in text
    monkeypatch.chdir(tmp_path)
    ran = cli("eval", "suites/eval.toml", "--json")
    assert (ran.status, ran.objects[0]["passed"]) == (0, text.count("[[cases]]"))
    assert ran.objects[0]["passed"] >= 4


@pytest.mark.parametrize("language", ["spanish", "auto"])
def test_init_writes_days_and_prices_of_a_base_in_another_language_and_they_pass(cli, tmp_path, language):
    base = tmp_path / "centro"
    base.mkdir()
    line = "No tengo esa información; pregunta en secretaría."
    (base / "campus.toml").write_text(f'refusal = "{line}"\n', encoding="utf-8")
    (base / "clubes.md").write_text(
        "# Coro\n\nEl coro ensaya los lunes de 18:30 a 20:00 en el aula 118.\n\n"
        "# Piscina\n\nLa entrada de la piscina cuesta 1.200 pesetas o 8 euros para los alumnos de la casa.\n",
        encoding="utf-8",
    )
    path = tmp_path / "eval.toml"
    flags = ("--kb", str(base), "--language", language)
    assert cli("eval", "init", *flags, str(path)).status == 0
    text = path.read_text(encoding="utf-8")
    assert all(part in text for part in ('"lunes"', '"8 euros"', 'question = "¿'))
    assert cli("eval", str(path), "--language", language).status == 0
    path.write_text(text.replace('"lunes"', '"martes"'), encoding="utf-8")
    assert cli("eval", str(path), "--language", language).status == 1


def test_init_says_so_when_no_question_can_be_made_of_a_base(cli, tmp_path):
    (tmp_path / "base.txt").write_text("hello there\n", encoding="utf-8")
    ran = cli("eval", "init", "--kb", str(tmp_path / "base.txt"), str(tmp_path / "eval.toml"))
    assert (ran.status, ran.out, (tmp_path / "eval.toml").exists()) == (2, "", False)
    assert "No question could be made" in ran.err
