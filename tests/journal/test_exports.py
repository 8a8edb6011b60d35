from __future__ import annotations

import json
import re
from datetime import timedelta
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from stored import ANSWER, MORNING, QUESTION, agent, run

from campus_agent.agent.outcome import Outcome
from campus_agent.journal.cast import as_cast
from campus_agent.journal.comparing import compare
from campus_agent.journal.exporting import written
from campus_agent.journal.spans import as_otlp
from campus_agent.journal.web_page import as_html
from campus_agent.models.chat_model import Reply, RequestedCall, Usage
from campus_agent.transcript import as_markdown, write_whole

HOSTILE = '<script>alert(1)</script> \x1b[31mred\x1b]52;c;aGk=\x07 \x9b2J \u202egnp.exe & "quoted" ]]> </pre></details>'
UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


class Page(HTMLParser):
    """Reads a page into its tags and its text, and notices tags that do not match."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.open: list[str] = []
        self.texts: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.append(tag)
        if tag not in ("meta",):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def test_the_page_holds_the_question_the_answer_and_every_step_folded() -> None:
    page = Page(as_html([run(1), run(2, cut=True)]))
    text = "".join(page.texts)
    assert page.open == []
    assert page.tags.count("article") == page.tags.count("details") == 2
    assert text.count(QUESTION) >= 2
    assert ANSWER in text
    assert "step 1/5 · search_campus_info" in text
    assert "observe <-" in text
    assert "broken off" in text
    assert not {"script", "link", "img", "iframe"} & set(page.tags)


async def test_the_page_of_a_real_run_names_where_its_facts_come_from() -> None:
    events = [event async for event in agent().run(QUESTION)]
    page = Page(as_html([events]))
    assert "AI Club (clubs.md, line 3)" in page.texts
    assert page.tags.count("details") == 2


def test_nothing_that_was_said_can_drive_the_page_or_a_terminal() -> None:
    hostile = run(question=HOSTILE, answer=HOSTILE, content=HOSTILE, model=HOSTILE, tool=HOSTILE)
    page = Page(as_html([hostile]))
    assert page.open == []
    assert "script" not in page.tags
    for text in (as_html([hostile]), as_cast([hostile]), as_otlp([hostile])):
        assert not UNSAFE.search(text)
    told = [json.loads(line)[2] for line in as_cast([hostile]).splitlines()[1:]]
    assert not UNSAFE.search("".join(told).replace("\r\n", "\n"))
    spans = json.loads(as_otlp([hostile]))
    assert not UNSAFE.search(json.dumps(spans, ensure_ascii=False))


def test_a_terminal_recording_has_the_true_times_and_what_the_printer_prints() -> None:
    header, *output = [json.loads(line) for line in as_cast([run(seconds=10)]).splitlines()]
    assert (header["version"], header["title"], header["timestamp"]) == (2, QUESTION, int(MORNING.timestamp()))
    assert [seconds for seconds, _, _ in output] == [0, 1, 4, 5, 9, 10]
    assert {kind for _, kind, _ in output} == {"o"}
    assert output[2][2] == '  step 1 · acting  -> search_campus_info({"query": "AI Club"})\r\n'
    assert ANSWER in output[-1][2]


def test_time_never_runs_backwards_in_a_terminal_recording() -> None:
    first = run(1, seconds=5)
    first[3] = first[3].model_copy(update={"time": MORNING - timedelta(hours=1)})
    times = [json.loads(line)[0] for line in as_cast([first, run(2, seconds=2)]).splitlines()[1:]]
    assert times == sorted(times)


def attributes(span: dict[str, Any]) -> dict[str, Any]:
    return {one["key"]: next(iter(one["value"].values())) for one in span["attributes"]}


def spans_of(*runs: Any) -> list[dict[str, Any]]:
    (resource,) = json.loads(as_otlp(runs))["resourceSpans"]
    return resource["scopeSpans"][0]["spans"]


def test_a_run_is_a_trace_of_spans_with_the_names_of_the_conventions() -> None:
    whole, step, call = spans_of(run(seconds=10, usage=Usage(prompt_tokens=7, completion_tokens=0)))
    assert [span["name"] for span in (whole, step, call)] == [
        "invoke_agent campus-agent",
        "chat played",
        "execute_tool search_campus_info",
    ]
    assert {span["traceId"] for span in (whole, step, call)} == {whole["traceId"]}
    assert re.fullmatch("[0-9a-f]{32}", whole["traceId"])
    assert re.fullmatch("[0-9a-f]{16}", whole["spanId"])
    assert "parentSpanId" not in whole
    assert step["parentSpanId"] == call["parentSpanId"] == whole["spanId"]
    assert len({span["spanId"] for span in (whole, step, call)}) == 3
    assert int(whole["endTimeUnixNano"]) - int(whole["startTimeUnixNano"]) == 10_000_000_000
    assert int(step["endTimeUnixNano"]) - int(step["startTimeUnixNano"]) == 3_000_000_000
    assert attributes(step) == {
        "gen_ai.operation.name": "chat",
        "campus_agent.step": "1",
        "gen_ai.provider.name": "test",
        "gen_ai.request.model": "played",
        "gen_ai.usage.input_tokens": "7",
        "gen_ai.usage.output_tokens": "0",
    }
    assert attributes(call)["gen_ai.tool.call.arguments"] == '{"query": "AI Club"}'
    assert {span["status"]["code"] for span in (whole, step, call)} == {1}


@pytest.mark.parametrize(("events", "error"), [(run(cut=True), "cut"), (run(outcome=Outcome.DEADLINE), "deadline")])
def test_a_run_that_did_not_complete_is_a_span_with_an_error(events: Any, error: str) -> None:
    whole = spans_of(events)[0]
    assert whole["status"] == {"code": 2}
    assert attributes(whole)["error.type"] == error
    assert "gen_ai.usage.input_tokens" not in attributes(whole)


def test_equal_runs_went_the_same_way_however_long_they_took() -> None:
    assert {pair.mark for pair in compare(run(1, seconds=1), run(2, seconds=70))} == {"same"}


async def test_two_runs_are_put_side_by_side_from_where_they_parted() -> None:
    short = [event async for event in agent(Reply("Hello! What would you like to know?")).run("When?")]
    calls = [RequestedCall("search_campus_info", {"query": "AI Club"})]
    long = [event async for event in agent(calls, ANSWER).run("When?")]
    pairs = compare(short, long)
    assert any(pair.mark == "right" and pair.left == "" for pair in pairs)
    assert pairs[0].mark != "same"
    swapped = compare(long, short)
    assert [pair.left for pair in swapped if pair.left] == [pair.right for pair in pairs if pair.right]


# ---- what an export promises -----------------------------------------------------------------------------------------


def test_the_terminal_recording_of_a_run_that_was_cut_says_so() -> None:
    assert " cut: " in as_cast([run(1, cut=True)]).splitlines()[-1]
    assert " cut: " not in as_cast([run(1)])


def test_markdown_holds_no_tag_outside_code() -> None:
    said = "See <script>x</script>, `a <b> c` and\n\n```html\n<p>\n```\n\n<img src=x>"
    text = as_markdown([run(1, question="Is <b>this</b> bold?", answer=said)])
    assert "> **Is &lt;b>this&lt;/b> bold?**" in text
    assert "See &lt;script>x&lt;/script>, `a <b> c` and\n\n```html\n<p>\n```\n\n&lt;img src=x>" in text


def test_an_export_holds_no_key_whose_separators_were_changed() -> None:
    text = written([run(1, content="nvapi Secret 0123456789")], "jsonl", secrets=("nvapi-Secret_0123456789",))
    assert "0123456789" not in text
    assert "********" in text


@pytest.mark.parametrize("over", [False, True])
def test_a_file_that_cannot_be_written_whole_is_not_there_at_all(tmp_path: Path, over: bool) -> None:
    file = tmp_path / "talk.md"
    with pytest.raises(TypeError):
        write_whole(file, 5, over=over)  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_there_is_replaced_only_when_that_is_wanted(tmp_path: Path) -> None:
    file = tmp_path / "talk.md"
    write_whole(file, "one")
    with pytest.raises(FileExistsError):
        write_whole(file, "two")
    assert file.read_text(encoding="utf-8") == "one"
    write_whole(file, "three", over=True)
    assert [one.read_text(encoding="utf-8") for one in tmp_path.iterdir()] == ["three"]


def test_on_a_disk_that_knows_no_links_a_file_gets_its_name_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(95, "not supported")

    monkeypatch.setattr("os.link", refuse)
    write_whole(tmp_path / "talk.md", "one")
    assert [one.name for one in tmp_path.iterdir()] == ["talk.md"]
