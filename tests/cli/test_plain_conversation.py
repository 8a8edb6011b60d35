from __future__ import annotations

import pytest

from campus_agent.recording import read

MEETS, DAYS, LAB = "When does the USC AI Club meet?", "How many days until then?", "Where is the robotics lab?"


def conversations(cli) -> list[tuple[str, int]]:
    return sorted((row["title"], row["runs"]) for row in cli("trace", "list", "--conversations", "--json").objects)


def id_of(cli, title: str) -> str:
    rows = cli("trace", "list", "--conversations", "--json").objects
    return next(row["id"] for row in rows if row["title"] == title)


# ---- resuming --------------------------------------------------------------------------------------------------------


def test_a_conversation_is_chosen_by_its_number_and_goes_on_with_what_it_remembers(cli):
    cli(stdin=f"{MEETS}\n")
    cli(stdin=f"{LAB}\n")
    ran = cli("--plain", stdin=f"/resume\n2\n{DAYS}\n")
    assert "  1. Where is the robotics lab?, 1 question, " in ran.out
    assert f"Resumed “{MEETS}”, 1 question. It was left at:" in ran.out
    assert "Thursday" in ran.out.rpartition("Agent:")[2]
    assert conversations(cli) == [(MEETS, 2), (LAB, 1)]


def test_words_narrow_the_list_down_until_a_number_is_given(cli):
    cli(stdin=f"{MEETS}\n")
    cli(stdin=f"{LAB}\n")
    ran = cli("--plain", stdin=f"/resume\nzebra\n7\n\n/resume\nwhen club meet\n1\n{DAYS}\n")
    assert "No conversation holds all of these words: zebra." in ran.out
    assert "No conversation holds all of these words: 7." in ran.out
    assert conversations(cli) == [(MEETS, 2), (LAB, 1)]


def test_a_conversation_is_resumed_by_the_beginning_of_its_id(cli):
    cli(stdin=f"{MEETS}\n")
    id = id_of(cli, MEETS)
    ran = cli("--plain", stdin=f"/resume {id[:6]}\n/resume {id}\n/resume nothing\n{DAYS}\n")
    assert "This is the conversation that is open." in ran.err
    assert "no run and no conversation 'nothing'" in ran.err
    assert conversations(cli) == [(MEETS, 2)]


@pytest.mark.parametrize("answer", ["\n", "0\n\n", "99\n\n", "²\n\n", ""])
def test_without_a_choice_the_conversation_stays_as_it_was(cli, answer):
    cli(stdin=f"{MEETS}\n")
    ran = cli("--plain", stdin=f"/resume\n{answer}")
    assert "Resumed" not in ran.out
    assert ran.status == 0


def test_where_nothing_is_kept_there_is_nothing_to_resume(cli):
    assert "No conversation is kept yet." in cli("--plain", stdin="/resume\n").out


def test_a_conversation_that_is_resumed_without_the_journal_says_that_nothing_is_kept(cli):
    cli(stdin=f"{MEETS}\n")
    ran = cli("--plain", "--no-journal", stdin=f"/resume\n1\n{DAYS}\n")
    assert "nothing of what you ask from now on is kept" in ran.out
    assert conversations(cli) == [(MEETS, 1)]


def test_the_list_is_clean_of_what_could_drive_a_terminal(cli):
    cli(stdin=f"{MEETS}\n")
    cli("trace", "rename", "last", "a\x1b[31mb\nc")
    ran = cli("--plain", stdin="/resume\n\n")
    assert "\x1b" not in ran.out
    assert "  1. a\ufffd[31mb c, 1 question" in ran.out


# ---- branching -------------------------------------------------------------------------------------------------------


def test_a_question_is_asked_differently_in_a_conversation_that_shares_what_was_before(cli, tmp_path):
    file = tmp_path / "talk.jsonl"
    ran = cli("--plain", stdin=f"{MEETS}\n{LAB}\n/branch\n2\n{DAYS}\n/export {file}\n")
    assert f"  1. {MEETS}\n  2. {LAB}\n" in ran.out
    assert "Thursday" in ran.out.rpartition("Agent:")[2]
    assert conversations(cli) == [(MEETS, 2), (MEETS, 2)]
    assert [run[0].question for run in read(file).runs] == [MEETS, DAYS]


def test_a_branch_of_the_first_question_is_a_new_conversation_that_remembers_nothing(cli):
    ran = cli("--plain", stdin=f"{MEETS}\n/branch\n1\n{DAYS}\n")
    assert "Thursday" not in ran.out.rpartition("Agent:")[2]
    assert "The old one stays: /resume lists it." in ran.out
    assert conversations(cli) == [(DAYS, 1), (MEETS, 1)]


def test_enter_asks_the_question_as_it_was(cli):
    cli("--plain", stdin=f"{MEETS}\n/branch\n1\n\n")
    assert conversations(cli) == [(MEETS, 1), (MEETS, 1)]


def test_a_conversation_that_was_resumed_can_be_branched(cli):
    cli(stdin=f"{MEETS}\n{LAB}\n")
    ran = cli("--plain", "-c", stdin=f"/branch\n2\n{DAYS}\n")
    assert "Thursday" in ran.out.rpartition("Agent:")[2]
    assert conversations(cli) == [(MEETS, 2), (MEETS, 2)]


@pytest.mark.parametrize("answer", ["\n", "2\n", "x\n", ""])
def test_without_a_question_chosen_nothing_is_branched(cli, answer):
    cli("--plain", stdin=f"{MEETS}\n/branch\n{answer}")
    assert conversations(cli) == [(MEETS, 1)]


def test_before_the_first_question_there_is_nothing_to_branch(cli):
    assert "Nothing was asked yet." in cli("--plain", stdin="/branch\n").err


def test_the_end_of_the_input_asks_nothing_again_and_leaves(cli):
    ran = cli("--plain", stdin=f"{MEETS}\n/branch\n1\n")
    assert ran.status == 0
    assert conversations(cli) == [(MEETS, 1)]


@pytest.mark.parametrize("lines", ["/resume\n/quit\n", "/branch\n/quit\n", "/branch\n1\n/quit\n", "/delete\n/quit\n"])
def test_quit_leaves_whatever_is_asked(cli, lines):
    ran = cli("--plain", stdin=f"{MEETS}\n{lines}{DAYS}\n")
    assert ran.status == 0
    assert conversations(cli) == [(MEETS, 1)]


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("/resume\n99\n\n", "There is no number 99 in this list"),
        ("/branch\n2\n", "There is no question 2 in this list."),
    ],
)
def test_a_number_that_is_not_in_the_list_is_said(cli, lines, said):
    ran = cli("--plain", stdin=f"{MEETS}\n{lines}")
    assert said in ran.out + ran.err


# ---- deleting --------------------------------------------------------------------------------------------------------


def test_the_end_of_the_input_deletes_nothing_and_leaves(cli):
    ran = cli("--plain", stdin=f"{MEETS}\n/delete\n")
    assert "Delete this conversation, with 1 question, for good? [y/N]" in ran.out
    assert ran.status == 0
    assert conversations(cli) == [(MEETS, 1)]


@pytest.mark.parametrize("command", ["/new then", "/delete all", "/branch 2", "/private please"])
def test_a_command_that_takes_nothing_is_not_carried_out_with_something_behind_it(cli, command):
    ran = cli("--plain", stdin=f"{MEETS}\n{command}\ny\n")
    assert f"{command.split()[0]} takes nothing behind it." in ran.err
    assert (MEETS, 2) in conversations(cli)
