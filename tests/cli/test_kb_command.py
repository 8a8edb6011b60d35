from __future__ import annotations

import json
import shutil

import pytest

from campus_agent.cli.kb_reading import ReadingBar


@pytest.fixture
def clubs(tmp_path):
    folder = tmp_path / "clubs"
    folder.mkdir()
    (folder / "clubs.md").write_text("# Chess\n\nThe chess club meets every Monday at noon.\n", encoding="utf-8")
    (folder / "campus.toml").write_text(
        'name = "Clubs"\ntimezone = "Europe/Madrid"\nquestions = ["When is chess?"]\n', encoding="utf-8"
    )
    return folder


def test_check_counts_what_it_read_and_shows_what_the_base_sets(cli, clubs):
    ran = cli("kb", "check", str(clubs))
    assert ran.status == 0
    assert ran.out.splitlines()[:3] == ["Clubs", "  documents  1 (1 Markdown)", "  passages   1"]
    assert "  timezone   Europe/Madrid" in ran.out
    assert "  questions  When is chess?" in ran.out


def test_check_names_each_problem_on_a_line_and_says_so_in_its_status(cli, clubs):
    (clubs / "broken.json").write_text('{"a": ', encoding="utf-8")
    ran = cli("kb", "check", str(clubs))
    assert ran.status == 1
    assert any(line.startswith("✕ broken.json") for line in ran.out.splitlines())


def test_check_as_json_is_one_object(cli, clubs):
    (clubs / "broken.json").write_text('{"a": ', encoding="utf-8")
    ran = cli("kb", "check", "--json", str(clubs))
    (found,) = ran.objects
    assert (found["name"], found["documents"], found["passages"]) == ("Clubs", 1, 1)
    assert found["settings"]["timezone"] == "Europe/Madrid"
    assert [problem["source"] for problem in found["problems"]] == ["broken.json"]
    assert ran.status == 1


def test_check_without_a_path_reads_the_base_of_the_settings(cli, clubs):
    assert cli("kb", "check", "--kb", str(clubs)).out.startswith("Clubs\n")
    assert cli("--kb", str(clubs), "kb", "check").out.startswith("Clubs\n")
    assert cli("kb", "check").status == 0


@pytest.mark.parametrize("place", ["", "none"])
def test_nothing_readable_is_status_two_with_the_reason(cli, tmp_path, place):
    ran = cli("kb", "check", str(tmp_path / place))
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("campus-agent: ")


def test_search_prints_the_passages_with_their_places(cli, clubs):
    ran = cli("kb", "search", "chess club", "--kb", str(clubs))
    assert ran.status == 0
    assert "every Monday at noon" in ran.out
    assert "(clubs.md, line" in ran.out


def test_search_that_finds_nothing_says_so_with_status_zero(cli, clubs):
    ran = cli("kb", "search", "submarine", "--kb", str(clubs))
    assert (ran.status, ran.out) == (0, "Nothing found.\nNo passage mentions: submarine.\n")


def test_search_as_json_is_the_whole_finding(cli, clubs):
    (found,) = cli("kb", "search", "chess", "--json", "--kb", str(clubs)).objects
    assert set(found) == {"query", "found", "confidence", "share", "corrected", "unmatched_terms", "passages"}
    assert set(found["passages"][0]) == {"title", "text", "source", "line", "score"}


def test_search_reads_one_query_a_line_from_standard_input(cli, clubs):
    ran = cli("kb", "search", "-", "--kb", str(clubs), stdin="chess\n\nsubmarine\n")
    assert [(one["query"], one["found"]) for one in ran.objects] == [("chess", True), ("submarine", False)]
    assert ran.status == 0


def test_search_returns_as_many_passages_as_are_wanted(cli):
    assert len(cli("kb", "search", "USC", "-k", "2", "--json").objects[0]["passages"]) <= 2
    assert cli("kb", "search", "USC", "-k", "0").status == 2


@pytest.mark.parametrize("query", ["", "  "])
def test_a_blank_query_is_wrong_usage(cli, query):
    assert cli("kb", "search", query).status == 2


# ---- check ---------------------------------------------------------------------------------------------------------


def test_check_says_what_each_question_finds(cli, clubs):
    (clubs / "campus.toml").write_text('questions = ["When is chess?", "Who has a submarine?"]\n', encoding="utf-8")
    out = cli("kb", "check", str(clubs)).out
    assert "  questions  When is chess? → Chess (clubs.md, line 3)" in out
    assert "  questions  Who has a submarine? → nothing is found, so it will be refused" in out
    assert "  titles     1 asked about, 1 found" in out


def test_advice_is_said_and_is_no_problem(cli, clubs):
    (clubs / "more.md").write_text("# Chess\n\nThe chess club meets on Tuesdays at noon.\n", encoding="utf-8")
    ran = cli("kb", "check", str(clubs))
    assert ran.status == 0
    assert "! clubs.md, line 3: it says Monday of “Chess”, and more.md, line 3 says Tuesdays" in ran.out
    (found,) = cli("kb", "check", str(clubs), "--json").objects
    advice = [(one["kind"], one["source"], one["line"]) for one in found["advice"] if one["kind"] != "settings"]
    assert advice == [("contradiction", "clubs.md", 3)]


def test_what_a_base_takes_over_from_the_programs_own_is_said_until_it_sets_it(cli, clubs):
    (clubs / "campus.toml").write_text('name = "Clubs"\n', encoding="utf-8")
    told = cli("kb", "check", str(clubs)).out
    assert "! campus.toml: what is not there is refused with “I don't have that information" in told
    assert "! campus.toml: what is open now is told by the time in America/Los_Angeles" in told
    own = 'refusal = "I don\'t know that, ask at the front desk."\ntimezone = "Europe/Rome"\n'
    (clubs / "campus.toml").write_text(own, encoding="utf-8")
    assert "! campus.toml" not in cli("kb", "check", str(clubs)).out
    assert "! campus.toml" not in cli("kb", "check").out


def test_what_stands_in_two_places_is_said_to_be_kept_once(cli, clubs):
    shutil.copy(clubs / "clubs.md", clubs / "copy.md")
    ran = cli("kb", "check", str(clubs))
    assert "  repeated   Chess (clubs.md, line 3) is also in copy.md, line 3; it is kept once" in ran.out
    (found,) = cli("kb", "check", str(clubs), "--json").objects
    assert found["repeated"] == [{"title": "Chess", "source": "clubs.md", "line": 3, "also": ["copy.md, line 3"]}]


def test_a_value_that_two_bases_set_is_a_problem_that_names_both(cli, clubs, tmp_path):
    other = tmp_path / "labs"
    other.mkdir()
    (other / "labs.md").write_text("# Lab\n\nThe lab is open on Mondays.\n", encoding="utf-8")
    (other / "campus.toml").write_text('name = "Labs"\n', encoding="utf-8")
    ran = cli("kb", "check", str(clubs), str(other))
    assert ran.status == 1
    assert "✕ labs/campus.toml: name is already set by clubs/campus.toml, and that is used" in ran.out


def test_of_many_problems_for_one_reason_only_the_first_are_listed_and_all_are_in_the_json(cli, clubs):
    for number in range(30):
        (clubs / f"picture{number:02}.png").write_bytes(b"\x89PNG")
    lines = [line for line in cli("kb", "check", str(clubs)).out.splitlines() if line.startswith("✕")]
    assert len(lines) == 21
    assert lines[-1].startswith("✕ and 10 more: not a kind of file that is read")
    (found,) = cli("kb", "check", str(clubs), "--json").objects
    assert len(found["problems"]) == 30


def test_a_language_that_was_found_out_is_named(cli, clubs):
    assert "  language   auto (english)" in cli("kb", "check", str(clubs), "--language", "auto").out


@pytest.mark.parametrize("command", [("check",), ("check", "--json"), ("stats",), ("stats", "--json")])
def test_a_hostile_name_cannot_drive_the_terminal(cli, tmp_path, command):
    folder = tmp_path / "ba\x1b[31mse"
    folder.mkdir()
    (folder / "no\x1b]0;title\x07tes.md").write_text("# Chess\x1b[2J\n\nChess is on Mon\x9bday.\n", encoding="utf-8")
    (folder / "bro\x1b[Aken.json").write_text("{", encoding="utf-8")
    ran = cli("kb", *command, str(folder))
    assert "\x1b" not in ran.out + ran.err
    assert "\x9b" not in ran.out + ran.err
    assert "ba" in ran.out


@pytest.mark.parametrize("command", [("check",), ("stats",), ("search", "chess", "--kb")])
def test_a_base_that_vanishes_while_it_is_read_is_an_error_in_words(cli, clubs, monkeypatch, command):
    monkeypatch.setattr(ReadingBar, "told", lambda *_: shutil.rmtree(clubs, ignore_errors=True))
    ran = cli("kb", *command, str(clubs))
    assert (ran.status, ran.out) == (2, "")
    assert "cannot be opened" in ran.err


# ---- search --------------------------------------------------------------------------------------------------------


def test_an_explained_search_shows_what_each_word_adds(cli, clubs):
    lines = cli("kb", "search", "ches Monday clubhouse", "--explain", "--kb", str(clubs)).out.splitlines()
    assert lines[:3] == [
        'Read "ches" as "chess".',
        "1. Chess (clubs.md, line 3)",
        "   The chess club meets every Monday at noon.",
    ]
    assert lines[3].endswith("it has 29% of what is asked")
    table = [" ".join(line.split()) for line in lines[4:8]]
    assert table[0] == "word looked for as says adds where"
    assert table[1].startswith("ches chess ")
    assert table[1].endswith("as it was meant to be spelt")
    assert table[2].endswith("in the text")
    assert table[3].endswith("letters in common")


def test_the_columns_of_an_explanation_stand_under_each_other_in_every_script(cli, tmp_path):
    (tmp_path / "a.md").write_text("# 图书馆\n\n图书馆 Mensa offen\n", encoding="utf-8")
    lines = cli("kb", "search", "图书馆 Mensa", "--explain", "--kb", str(tmp_path)).out.splitlines()
    (wide,) = (line for line in lines if line.endswith("in the title") and "图书馆" in line and "图书 " in line)
    (plain,) = (line for line in lines if "Mensa" in line and line.endswith("in the text"))
    assert plain.index("in the text") - wide.index("in the title") == 5  # a character of this script is two wide


def test_what_was_not_found_is_explained_too(cli, clubs):
    ran = cli("kb", "search", "submarine chessboard engine", "--explain", "--kb", str(clubs))
    assert "Nothing found." in ran.out
    assert "The passages above came nearest" in ran.out


def test_the_explanation_is_in_the_json_only_when_it_is_asked_for(cli, clubs):
    (found,) = cli("kb", "search", "chess", "--json", "--explain", "--kb", str(clubs)).objects
    (one,) = found["explanation"]
    assert set(one) == {"title", "source", "line", "score", "share", "contributions"}
    assert set(one["contributions"][0]) == {"word", "term", "weight", "score", "origin"}
    assert sum(part["score"] for part in one["contributions"]) == pytest.approx(one["score"])
    streamed = cli("kb", "search", "-", "--explain", "--kb", str(clubs), stdin="chess\n").objects
    assert streamed == [found]


def test_synonyms_of_the_base_reach_the_search(cli, clubs):
    (clubs / "campus.toml").write_text('[synonyms]\nchess = ["mate night"]\n', encoding="utf-8")
    (found,) = cli("kb", "search", "mate night", "--json", "--kb", str(clubs)).objects
    assert found["found"]


def test_a_search_for_tomorrow_knows_the_day_on_campus(cli, tmp_path):
    days = "# Talks\n\n## First\n\nThe talk is on June 13.\n\n## Second\n\nThe talk is on June 14.\n"
    (tmp_path / "talks.md").write_text(days, encoding="utf-8")
    (found,) = cli("kb", "search", "talk tomorrow", "--json", "--kb", str(tmp_path)).objects
    assert found["passages"][0]["title"] == "Talks › Second"


# ---- new -----------------------------------------------------------------------------------------------------------


def test_a_new_base_has_no_problem_and_no_advice(cli, tmp_path):
    folder = tmp_path / "my campus"
    made = cli("kb", "new", str(folder))
    assert made.status == 0
    assert f"campus-agent kb check '{folder}'" in made.out
    (found,) = cli("kb", "check", str(folder), "--json").objects
    assert (found["problems"], found["advice"]) == ([], [])
    assert found["titles"]["tried"] == found["titles"]["found"] == found["passages"]
    assert all(one["confidence"] == "high" for one in found["questions"])


def test_a_new_base_sets_everything_that_a_base_may_set(cli, tmp_path):
    from campus_agent.knowledge.campus_file import CampusFile, read_campus_file

    cli("kb", "new", str(tmp_path / "base"))
    campus = read_campus_file([tmp_path / "base"])
    assert campus.problems == ()
    assert campus.model_fields_set == set(CampusFile.model_fields)


def test_a_new_base_answers_its_own_questions_offline(cli, tmp_path):
    folder = str(tmp_path / "base")
    cli("kb", "new", folder)
    (found,) = cli("kb", "check", folder, "--json").objects
    questions = "\n".join(one["question"] for one in found["questions"])
    answers = cli("--json", "--kb", folder, stdin=questions).objects
    assert len(answers) == 5
    assert [one["outcome"] for one in answers] == ["answered"] * 5
    said = [one["answer"] for one in answers]
    assert "10 PM" in said[0]
    assert "every Wednesday at 4 PM in room 21" in said[1]
    assert "$15" in said[2]
    assert "4 days" in said[3]
    assert "Friday" in said[4]


def test_an_empty_folder_is_used_and_a_full_one_left_alone(cli, tmp_path):
    (tmp_path / "empty").mkdir()
    assert cli("kb", "new", str(tmp_path / "empty")).status == 0
    full = tmp_path / "full"
    full.mkdir()
    (full / "notes.txt").write_text("mine", encoding="utf-8")
    ran = cli("kb", "new", str(full))
    assert (ran.status, ran.out) == (2, "")
    assert "notes.txt is there" in ran.err
    assert [path.name for path in full.iterdir()] == ["notes.txt"]


@pytest.mark.parametrize("place", ["", "  ", "file/base", "file", "~nobody-of-that-name/base\x1b[2J"])
def test_a_folder_that_cannot_be_made_is_an_error_in_words(cli, tmp_path, monkeypatch, place):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    ran = cli("kb", "new", place)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("campus-agent: ")
    assert "\x1b" not in ran.err
    assert (tmp_path / "file").read_text(encoding="utf-8") == "mine"


# ---- stats ---------------------------------------------------------------------------------------------------------


def test_stats_are_the_figures_of_a_base(cli, clubs):
    ran = cli("kb", "stats", str(clubs))
    assert ran.status == 0
    assert ran.out.splitlines()[:5] == [
        "Clubs",
        "  documents   1",
        "  passages    1",
        "  words       9, of which 8 different",
        "  kind        Markdown: 1 document, 1 passage (100%)",
    ]
    (found,) = cli("kb", "stats", "--json", "--kb", str(clubs)).objects
    assert (found["name"], found["documents"], found["passages"]) == ("Clubs", 1, 1)
    assert found["longest"] == {"characters": 42, "title": "Chess", "source": "clubs.md", "line": 3}
    assert found["index"] is None


# ---- a bar ---------------------------------------------------------------------------------------------------------


def bar_of(monkeypatch, capsys, *, shown: bool, seconds: list[float]) -> str:
    moments = iter(seconds)
    monkeypatch.setattr("campus_agent.cli.kb_reading.perf_counter", lambda: next(moments))
    with ReadingBar(shown=shown) as bar:
        for done in range(3):
            bar.told(done, 2, "a.md" if done < 2 else "")
    return capsys.readouterr().err


def test_a_bar_is_drawn_for_what_takes_long_and_only_on_a_terminal(monkeypatch, capsys):
    assert "reading" in bar_of(monkeypatch, capsys, shown=True, seconds=[0, 0.1, 0.6])
    assert bar_of(monkeypatch, capsys, shown=True, seconds=[0, 0.1, 0.2, 0.3]) == ""
    assert bar_of(monkeypatch, capsys, shown=False, seconds=[0]) == ""


def test_nothing_but_the_result_is_written_where_nobody_looks(cli, clubs):
    ran = cli("kb", "check", str(clubs), "--json")
    assert ran.err == ""
    assert json.loads(ran.out)["name"] == "Clubs"
