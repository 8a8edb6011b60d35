from __future__ import annotations

import os

import pytest
from screen_runs import CLUB, HOSTILE, QUESTIONS, Script, club_run, failed_run, refused_run, rejected_run

from campus_agent.agent.events import Event, GroundingChecked, Observed, RunFinished, RunStarted, event_from_json
from campus_agent.agent.outcome import Outcome
from campus_agent.text import MASK
from campus_agent.tools.tool import Source
from campus_agent.transcript import as_json_lines, as_markdown, as_text, write_new

ALL = [as_markdown, as_text, as_json_lines]


def hostile_run() -> list[Event]:
    script = Script(HOSTILE).step().act("search_campus_info", {"query": HOSTILE})
    script.observe(f"```\n````\n{HOSTILE}").step_over().step().write(HOSTILE).step_over()
    return script.end(Outcome.ANSWERED, HOSTILE).events


def test_markdown_holds_each_question_its_answer_how_it_ended_and_the_trace():
    text = as_markdown([club_run(), refused_run()])
    assert text.index(QUESTIONS[0]) < text.index("**Thursday, June 18**") < text.index("✓ grounded · 5 facts · in 6 ms")
    assert text.index("step 1 · acting  -> search_campus_info") < text.index(QUESTIONS[3]) < text.index("○ refused")
    assert CLUB in text
    assert "UTC · offline model\n" in text


def test_the_sources_of_an_answer_are_listed_once():
    source = Source(title="AI Club", source="clubs.md", line=3, text=CLUB)
    run = [
        event.model_copy(update={"sources": (source, source)}) if isinstance(event, GroundingChecked) else event
        for event in club_run()
    ]
    assert as_markdown([run]).count("[1] AI Club (clubs.md, line 3)") == 1
    assert "[2]" not in as_text([run])


def test_plain_text_reads_from_the_top_to_the_bottom():
    lines = as_text([refused_run()]).splitlines()
    assert lines[0] == f"You: {QUESTIONS[3]}"
    assert lines[2].startswith("Agent: I don't have that information")
    assert lines[3:] == [
        "  ○ refused · in 6 ms",
        "  Nothing found for “campus wifi password”. No passage has: wifi, password.",
    ]


def test_a_document_says_how_a_run_ended_in_the_words_of_the_app():
    doubtful = Script().step().act("search_campus_info", {"query": "club"}).observe(CLUB).step_over().step()
    doubtful.write("Tuesday.").step_over().check(("Tuesday", "weekday", None), ("5 PM", "time", "clubs.md"))
    doubtful.withdraw("rejected").step().write("No.").step_over().check().end(Outcome.REFUSED, "No.")
    marked = Script().step().write("Tuesday.").step_over().check(("Tuesday", "weekday", None))
    marked.end(Outcome.ANSWERED, "Tuesday.")
    assert "○ refused · the draft named 1 fact that no source supports" in as_markdown([doubtful.events])
    assert "▲ 1 of 1 fact unsupported: Tuesday" in as_text([marked.events])


def test_a_failed_run_says_why_and_one_that_broke_off_that_it_did():
    assert "does not answer" in as_text([failed_run()])
    assert "broken off" in as_markdown([club_run(until_second_call=True)])


def test_a_rejected_draft_stands_in_the_trace_alone():
    text = as_markdown([rejected_run()])
    assert text.index("draft   xx The AI Club meets on Tuesday") > text.index("```text")


def test_json_lines_are_the_events_again():
    run = club_run()
    assert [event_from_json(line) for line in as_json_lines([run]).splitlines()] == run


@pytest.mark.parametrize("write", ALL)
def test_nothing_in_a_document_can_drive_a_terminal(write):
    text = write([hostile_run()])
    assert not [sign for sign in text if sign in "\x1b\x07\x7f\x9b\u202e"]


def test_no_observation_closes_the_fence_that_it_stands_in():
    text = as_markdown([hostile_run()])
    assert text.count("`````") == 2


@pytest.mark.parametrize("write", ALL)
@pytest.mark.parametrize("secret", ["sk-test-123456", 'odd"key\\here'])
def test_a_key_is_masked_wherever_it_stands(write, secret):
    run = [
        event.model_copy(update={"question": f"is {secret} right?"})
        if isinstance(event, RunStarted)
        else event.model_copy(update={"content": f"the key {secret}"})
        if isinstance(event, Observed)
        else event.model_copy(update={"answer": f"it is {secret}"})
        if isinstance(event, RunFinished)
        else event
        for event in club_run()
    ]
    text = write([run], secrets=[secret])
    assert MASK in text
    assert secret not in text
    assert "odd" not in text


def test_a_password_in_an_address_is_masked_too():
    run = [
        event.model_copy(update={"answer": "see http://me:hidden@host/x"}) if isinstance(event, RunFinished) else event
        for event in club_run()
    ]
    assert "hidden" not in as_markdown([run]) + as_json_lines([run])


def test_masking_an_address_leaves_the_json_whole():
    run = Script("see http://x.edu/a,then").step().act("t", {"at": "http://y.edu", "to": "me@x.edu"}).events
    assert [event_from_json(line) for line in as_json_lines([run]).splitlines()] == run


def test_no_runs_make_an_empty_text():
    assert as_text([]) == ""
    assert as_json_lines([]) == ""


def test_a_file_that_is_there_is_never_overwritten(tmp_path):
    first = write_new(tmp_path / "talk.md", "one")
    second = write_new(tmp_path / "talk.md", "two")
    third = write_new(tmp_path / "talk.md", "three")
    assert [path.name for path in (first, second, third)] == ["talk.md", "talk-2.md", "talk-3.md"]
    assert first.read_text() == "one"


@pytest.mark.skipif(os.name == "nt", reason="links are of other systems")
def test_a_link_that_leads_nowhere_is_not_followed(tmp_path):
    (tmp_path / "talk.md").symlink_to(tmp_path / "elsewhere.md")
    assert write_new(tmp_path / "talk.md", "one").name == "talk-2.md"
    assert not (tmp_path / "elsewhere.md").exists()
