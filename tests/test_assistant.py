"""The whole assistant on the offline model: settings in, a true answer out."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

from campus_agent import Agent, Settings, tool
from campus_agent.agent.result import RunResult
from campus_agent.assemble import assemble
from campus_agent.errors import KnowledgeError, SettingsError
from campus_agent.settings import REFUSAL

SATURDAY = datetime(2026, 6, 13, 10)


async def ask(question: str, now: datetime = SATURDAY, **settings: object) -> RunResult:
    return await Agent.from_settings(Settings(now=now, **settings)).ask(question)  # type: ignore[arg-type]


def tools(result: RunResult) -> list[str]:
    return [step.tool for step in result.steps]


@pytest.mark.parametrize(
    "question",
    [
        "How many days until the next USC AI Club meeting?",
        "how many days until the next ai club meeting",
        "In how many days does the AI Club meet?",
        "How long until the next AI Club meeting?",
    ],
)
async def test_the_days_to_a_meeting_are_searched_and_counted(question: str) -> None:
    result = await ask(question)
    assert result.outcome == "answered"
    assert tools(result) == ["search_campus_info", "days_until_weekday"]
    assert result.steps[1].arguments is not None
    assert result.steps[1].arguments["weekday"] == "Thursday"
    assert "5 days" in (result.answer or "")
    assert "June 18" in (result.answer or "")
    assert result.sources
    assert all(fact.supported for fact in result.facts)


async def test_after_the_meeting_has_begun_the_next_one_is_in_a_week() -> None:
    result = await ask("How many days until the next USC AI Club meeting?", datetime(2026, 6, 18, 18))
    answer = result.answer or ""
    assert result.outcome == "answered"
    assert "7 days" in answer
    assert "begun" in answer or "passed" in answer


@pytest.mark.parametrize(
    ("now", "state"),
    [
        (datetime(2026, 6, 15, 9, 59), "closed"),
        (datetime(2026, 6, 15, 10, 0), "open"),
        (datetime(2026, 6, 19, 17, 59), "open"),
        (datetime(2026, 6, 19, 18, 0), "closed"),
        (datetime(2026, 6, 13, 11, 0), "closed"),
    ],
)
async def test_whether_a_place_is_open_now_follows_from_the_clock_and_its_hours(now: datetime, state: str) -> None:
    result = await ask("Is the USC GPU lab open right now?", now)
    assert result.outcome == "answered"
    assert set(tools(result)) == {"search_campus_info", "get_current_time"}
    first = (result.answer or "").split(".")[0].split(":")[0]
    assert state in first
    assert {"open": "closed", "closed": "is open"}[state] not in first


async def test_a_plain_question_takes_one_tool_call() -> None:
    result = await ask("When does the USC AI Club meet?")
    assert result.outcome == "answered"
    assert tools(result) == ["search_campus_info"]
    assert "Thursday" in (result.answer or "")


async def test_what_the_base_does_not_hold_is_refused_word_for_word() -> None:
    result = await ask("What is the campus wifi password?")
    assert (result.outcome, result.answer, result.exit_status) == ("refused", REFUSAL, 0)
    assert result.sources == ()


async def test_a_follow_up_is_answered_from_the_conversation() -> None:
    agent = Agent.from_settings(Settings(now=SATURDAY))
    await agent.ask("When does the USC AI Club meet?")
    where = await agent.ask("And where is that?")
    assert "204" in (where.answer or "")
    days = await agent.ask("How many days until that?")
    assert "5 days" in (days.answer or "")
    await agent.ask("When are the AI/ML office hours?")
    sooner = await agent.ask("Which of those two is sooner?")
    assert sooner.outcome == "answered"
    assert tools(sooner).count("days_until_weekday") == 2
    assert "office hours" in (sooner.answer or "").lower()


@pytest.fixture
def harbour(tmp_path: Path) -> Path:
    base = tmp_path / "harbour"
    base.mkdir()
    (base / "pool.md").write_text(
        "# Harbour pool\n\nThe harbour pool is open Tuesday to Sunday from 7:30 AM to 9 PM.\n\n"
        "## Prices\n\nA ticket for the harbour pool costs 6 euros; students pay 4 euros.\n",
        encoding="utf-8",
    )
    (base / "library.md").write_text(
        "# Story hour\n\nThe story hour takes place every Wednesday at 4 PM in the reading room on the second floor.\n",
        encoding="utf-8",
    )
    return base


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("When is the story hour?", "Wednesday at 4 PM"),
        ("How many days until the next story hour?", "4 days"),
        ("Where is the story hour?", "second floor"),
        ("What does a ticket for the pool cost?", "6 euros"),
        ("Is the harbour pool open now?", "open"),
    ],
)
async def test_any_folder_is_a_knowledge_base(harbour: Path, question: str, said: str) -> None:
    result = await ask(question, kb=(str(harbour),))
    assert result.outcome == "answered"
    assert said in (result.answer or "")


async def test_another_base_may_have_a_refusal_line_of_its_own(harbour: Path) -> None:
    result = await ask("Who won the chess final?", kb=(str(harbour),), refusal="Ask at the harbour office.")
    assert (result.outcome, result.answer) == ("refused", "Ask at the harbour office.")


async def test_a_greeting_needs_no_tool_and_is_not_refused() -> None:
    result = await ask("Hello!")
    assert (result.outcome, tools(result)) == ("answered", [])


def test_a_screen_is_told_what_answers_and_from_what(harbour: Path) -> None:
    about = assemble(Settings(kb=(str(harbour),))).about
    assert about.model == "offline model (not a language model)"
    assert about.base == "harbour, 3 passages"
    assert about.questions


def test_the_bundled_base_comes_with_its_four_questions() -> None:
    about = assemble(Settings()).about
    assert about.base == "USC demo, 7 passages"
    assert len(about.questions) == 4
    assert about.problems == ()


def test_nothing_to_search_is_said(tmp_path: Path) -> None:
    with pytest.raises(KnowledgeError):
        assemble(Settings(kb=(str(tmp_path),)))
    with pytest.raises(KnowledgeError):
        assemble(Settings(kb=(str(tmp_path / "nowhere"),)))


def test_a_tool_that_does_not_exist_is_said_with_those_that_do() -> None:
    with pytest.raises(SettingsError, match="search_campus_info"):
        assemble(Settings(tool_names=("weather",)))


async def test_only_the_tools_that_are_named_are_offered() -> None:
    agent = Agent.from_settings(Settings(tool_names=("search_campus_info",)))
    assert list(agent.tools) == ["search_campus_info"]


async def test_a_tool_of_ones_own_stands_beside_the_built_in_ones() -> None:
    @tool
    def bus_times(stop: str) -> str:
        """Tell when the next buses leave.

        Args:
            stop: the name of the stop.
        """
        return f"From {stop} at 10:15 AM."

    agent = Agent.from_settings(Settings(now=SATURDAY), tools=[bus_times])
    assert list(agent.tools)[-1] == "bus_times"
    assert (await agent.ask("When does the USC AI Club meet?")).outcome == "answered"


def test_an_address_that_is_set_but_not_used_is_said() -> None:
    about = assemble(Settings(), environ={"NIM_BASE_URL": "http://localhost:8000/v1"}).about
    assert about.model == "offline model (not a language model)"
    assert "NIM_BASE_URL" in about.problems[0]


def test_a_model_that_no_server_is_named_for_is_said_not_to_be_asked() -> None:
    (problem,) = assemble(Settings(model="my-model"), environ={}).about.problems
    assert problem == "The model my-model is not asked: --provider or --base-url names its server."


@pytest.mark.parametrize("variable", ["SSL_CERT_FILE", "SSL_CERT_DIR"])
def test_certificates_that_cannot_be_read_are_named(variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def cannot() -> None:
        raise FileNotFoundError(2, "No such file or directory")

    monkeypatch.setattr("httpx2.create_ssl_context", cannot)
    for name in ("SSL_CERT_FILE", "SSL_CERT_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv(variable, "/nowhere/to/be/found")
    with pytest.raises(SettingsError) as caught:
        assemble(Settings(base_url="https://127.0.0.1:9/v1", model="m"), environ={})
    assert f"{variable} is /nowhere/to/be/found." in str(caught.value)
    assert f"Unset {variable}" in str(caught.value)


@pytest.mark.parametrize("missing", ["{tools}", "{tool_names}", "Action Input:", "Final Answer:"])
def test_a_prompt_for_the_text_protocol_that_lost_a_part_is_refused_at_the_start(missing: str) -> None:
    from campus_agent.models.protocols.react_text import PROMPT

    prompt = PROMPT.replace(missing, "...")
    settings = Settings(base_url="http://localhost:1/v1", model="m", protocol="text", system_prompt=prompt)
    with pytest.raises(SettingsError) as caught:
        assemble(settings)
    assert missing in str(caught.value)


@pytest.mark.parametrize("protocol", ["auto", "native", "json", "text"])
def test_the_protocol_is_the_one_that_the_settings_name(protocol: str) -> None:
    settings = Settings(base_url="http://localhost:1/v1", model="m", protocol=protocol)  # type: ignore[arg-type]
    assert assemble(settings).agent.model.protocol == {"auto": "native"}.get(protocol, protocol)


async def test_a_date_that_could_be_two_days_is_asked_about_and_not_refused() -> None:
    result = await ask("How many days until 06/07/2026?", datetime(2026, 6, 1, 10))
    assert result.outcome == "answered"
    assert "month" in (result.answer or "")


async def test_a_place_is_told_whatever_kind_of_place_it_is(tmp_path: Path) -> None:
    (tmp_path / "choir.md").write_text("# Choir\n\nThe village choir rehearses every Monday in the old school.\n")
    for question in ("Where is the choir rehearsal?", "Where does the choir rehearse?"):
        assert "old school" in ((await ask(question, kb=(str(tmp_path),))).answer or "")
