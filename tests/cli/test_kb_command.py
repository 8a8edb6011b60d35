from __future__ import annotations

import pytest


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
    assert ran.out.splitlines()[:3] == ["Clubs", "  documents  1", "  passages   1"]
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
