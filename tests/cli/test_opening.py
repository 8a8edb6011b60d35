from __future__ import annotations

import pytest
from played import Terminal

from campus_agent.cli.opening import LAST, ONE, SEVERAL, SWITCHES, UNABLE, Wish, wish
from campus_agent.cli.root import root

TEXTS = [f"--{name.replace('_', '-')}" for name in (*ONE, *SEVERAL)]


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, object]]:
    calls: list[dict[str, object]] = []
    monkeypatch.setattr("campus_agent.cli.entry.is_at_a_terminal", lambda: True)
    monkeypatch.setattr(
        "campus_agent.tui.run.run_app", lambda settings=None, **options: calls.append(options) or (0, ())
    )
    return calls


@pytest.mark.parametrize(
    "words",
    [
        *([flag, "3"] for flag in TEXTS),
        *([f"{flag}=a = b"] for flag in TEXTS),
        *([flag, "one", flag, "two"] for flag in TEXTS),
        *([f"--{name}"] for name in SWITCHES),
        ["--kb", "a b", "--step", "--kb=c", "--theme", "nord", "--max-steps", "7"],
    ],
    ids=" ".join,
)
def test_a_flag_of_the_short_way_is_read_as_click_reads_it(words: list[str]):
    assert wish(words) == Wish(root.make_context("campus-agent", list(words)).meta["campus_agent.flags"])


@pytest.mark.parametrize(
    ("words", "resume"),
    [
        (["-c"], LAST),
        (["--continue"], LAST),
        (["--resume", "3f2a"], "3f2a"),
        (["--resume=3f2a", "-c"], "3f2a"),
        (["-c", "--resume", "a", "--resume", "b"], "b"),
    ],
    ids=str,
)
def test_a_conversation_to_resume_is_read_as_click_reads_it(words: list[str], resume: str):
    context = root.make_context("campus-agent", list(words))
    assert wish(words) == Wish({}, resume)
    assert (context.params["resume"] or (LAST if context.params["go_on"] else None)) == resume


@pytest.mark.parametrize(
    "words",
    [
        ["ask", "When?"],
        ["--help"],
        ["-h"],
        ["--version"],
        ["--json"],
        ["--plain"],
        ["--transcript"],
        ["--replay", "run.jsonl"],
        ["--max-stepz", "3"],
        ["--max-steps"],
        ["--max-steps="],
        ["--max-steps", "--step"],
        ["--step=1"],
        ["--continue=1"],
        ["-cc"],
        ["--resume"],
        ["--resume="],
        ["--resume", "-c"],
        ["--kb", "here", "kb", "check"],
        ["--guardrail", "warn"],
        ["--", "--step"],
        [""],
    ],
    ids=repr,
)
def test_any_other_command_line_is_left_to_click(words: list[str]):
    assert wish(words) is None


def test_the_app_opens_before_its_settings_are_read_and_reads_them_with_the_flags(cli, opened):
    assert cli("--max-steps", "3", "--theme", "nord").status == 0
    assert opened[0]["theme"] == "nord"
    load = opened[0]["load"]
    assert callable(load)
    assert (load().max_steps, load().theme, load(max_steps="4").max_steps) == (3, "nord", 4)


def test_settings_that_turn_out_wrong_are_said_on_standard_error_with_status_2(cli, opened, monkeypatch):
    def run_app(**options):
        return options["load"]()

    monkeypatch.setattr("campus_agent.tui.run.run_app", run_app)
    ran = cli("--max-steps", "nonsense")
    assert ran.status == 2
    assert "max_steps: should be a whole number, not 'nonsense' (flag --max-steps)" in ran.err


@pytest.mark.parametrize("words", [("--guardrail", "nonsense"), ("--no-such-flag",), ("--max-steps",)], ids=" ".join)
def test_what_click_refuses_is_refused_before_the_app_opens(cli, opened, words: tuple[str, ...]):
    ran = cli(*words)
    assert ran.status == 2
    assert words[0] in ran.err
    assert opened == []


@pytest.mark.parametrize("error", [RuntimeError("broken"), KeyError("x")], ids=repr)
def test_an_error_that_nobody_expects_is_raised_as_it_is(cli, opened, monkeypatch, error: Exception):
    def run_app(**_: object):
        raise error

    monkeypatch.setattr("campus_agent.tui.run.run_app", run_app)
    with pytest.raises(type(error)) as raised:
        cli()
    assert raised.value is error


@pytest.mark.parametrize("kind", UNABLE)
@pytest.mark.parametrize("words", [(), ("-c",), ("--max-steps", "3"), ("--inline",), ("--transcript", "--no-stream")])
def test_where_nothing_can_be_drawn_the_app_does_not_open_and_another_way_is_named(
    cli, monkeypatch, kind: str, words: tuple[str, ...]
):
    monkeypatch.setattr("sys.stdout", Terminal())
    monkeypatch.setenv("TERM", kind)
    ran = cli(*words, stdin=Terminal())
    assert ran.status == 2
    assert f"TERM is {kind}" in ran.err
    assert "campus-agent --plain" in ran.err


@pytest.mark.parametrize("words", [("--replay", "last"), ("trace", "replay", "last")])
def test_a_replay_does_not_open_where_nothing_can_be_drawn(cli, monkeypatch, words: tuple[str, ...]):
    monkeypatch.setattr("sys.stdout", Terminal())
    monkeypatch.setenv("TERM", "dumb")
    ran = cli(*words, stdin=Terminal())
    assert ran.status == 2
    assert "needs a terminal to draw on" in ran.err


def test_a_plain_chat_and_a_demo_need_nothing_that_draws(cli, played, monkeypatch):
    played(questions=("When?",))
    monkeypatch.setenv("TERM", "dumb")
    assert "Agent: At noon." in cli("--plain", stdin="When?\n").out
    assert "At noon." in cli("demo").out
