from __future__ import annotations

import pytest
from screen_runs import HOSTILE, PlayedAgent, Script, campus_app, club_run
from traced import CLUB, LAB, Traced, ask, shown
from waiting import until

from campus_agent.agent.outcome import Outcome
from campus_agent.tui.widgets.header import Header
from campus_agent.tui.widgets.plan_row import PlanRow
from campus_agent.tui.widgets.row import PIECE, LongText, Row
from campus_agent.tui.widgets.status import Status
from campus_agent.tui.widgets.step_card import StepCard
from campus_agent.tui.widgets.step_foot import StepFoot
from campus_agent.tui.widgets.trace_pane import TracePane
from campus_agent.tui.words import bar

WIDE = (120, 36)


def rows(screen) -> list[Row]:
    return list(screen.query("TracePane Row").results(Row))


def row_with(screen, text: str) -> str:
    return next(said for row in rows(screen) if text in (said := str(row.render())))


def feet(screen) -> list[str]:
    return [" ".join(str(foot.render()).split()) for foot in screen.query("TracePane StepFoot").results(StepFoot)]


# ---- what a step cost


@pytest.mark.parametrize(
    ("value", "largest", "said"),
    [
        (0, 10, "▱▱▱▱▱▱"),
        (0, 0, "▱▱▱▱▱▱"),
        (1, 1000, "▰▱▱▱▱▱"),
        (5, 10, "▰▰▰▱▱▱"),
        (10, 10, "▰▰▰▰▰▰"),
    ],
)
def test_a_bar_is_as_long_as_a_value_is_beside_the_largest_and_shows_what_is_not_nothing(
    value: int, largest: int, said: str
):
    assert bar(value, largest, 6).plain == said


async def test_the_foot_of_a_step_shows_its_prompt_its_tokens_and_its_time_beside_the_largest_of_the_run():
    script = Traced().sized_step(1000).act("a", {}).observe("b").cost(ms=10, usage=(300, 20))
    run = script.sized_step(2000).write("b").cost(ms=1000).end(Outcome.ANSWERED, "b").events
    async with campus_app(PlayedAgent(run)).run_test(size=WIDE) as pilot:
        assert feet(await ask(pilot)) == [
            "prompt ▰▰▰▰▱▱▱▱ 1,000 · 320 tokens ▰▱▱ 10 ms",
            "prompt ▰▰▰▰▰▰▰▰ 2,000 +1,000 · tokens n/a ▰▰▰ 1.0 s",
        ]


async def test_the_bars_of_the_steps_stand_under_each_other():
    script = Traced().sized_step(900).act("a", {}).observe("b").cost(ms=10, usage=(300, 20))
    run = script.sized_step(12_000).write("b").cost(ms=1000).end(Outcome.ANSWERED, "b").events
    async with campus_app(PlayedAgent(run)).run_test(size=WIDE) as pilot:
        first, second = (str(foot.render()) for foot in (await ask(pilot)).query("TracePane StepFoot"))
        assert len(first) == len(second)
        assert first.index("▰") == second.index("▰")
        assert first.rindex("▱") == second.rindex("▰")


async def test_the_growth_of_a_prompt_stands_out_and_the_bars_of_earlier_steps_stay_as_long_as_they_were():
    script = Traced().sized_step(100_000).act("a", {}).observe("b").cost(ms=10).sized_step(100_439).act("a", {"b": 1})
    run = script.observe("b").cost(ms=1000).sized_step(180_000).write("b").cost(ms=10).end(Outcome.ANSWERED, "b").events
    async with campus_app(PlayedAgent(run)).run_test(size=WIDE) as pilot:
        screen = await ask(pilot)
        assert feet(screen) == [
            "prompt ▰▰▰▰▱▱▱▱ 100k · tokens n/a ▰▱▱ 10 ms",
            "prompt ▰▰▰▰▱▱▱▱ 100k +439 · tokens n/a ▰▰▰ 1.0 s",
            "prompt ▰▰▰▰▰▰▰▱ 180k +80k · tokens n/a ▰▱▱ 10 ms",
        ]
        new = [
            "".join(foot.plain[span.start : span.end] for span in foot.spans if "$primary" in str(span.style))
            for foot in (foot.render() for foot in screen.query("TracePane StepFoot"))
        ]
        assert new == ["", "▰", "▰▰▰"]


async def test_a_step_that_goes_on_shows_its_prompt_and_nothing_that_is_not_known_yet():
    script = Traced().sized_step(1000)
    async with campus_app(PlayedAgent(script.events)).run_test(size=WIDE) as pilot:
        screen = pilot.app.screen
        await until(pilot, lambda: screen.assistant is not None)
        screen.question("?")
        await until(pilot, lambda: feet(screen))
        assert feet(screen) == ["prompt ▰▰▰▰▱▱▱▱ 1,000 characters"]
        await pilot.press("escape")


@pytest.mark.parametrize(
    ("width", "said"),
    [
        (200, "1,000 characters · 300 tokens read, 20 written ▰▰▰ 10 ms"),
        (120, "1,000 · 320 tokens ▰▰▰ 10 ms"),
        (58, "1,000 characters ▰▰▰ 10 ms"),
        (44, "1,000 10 ms"),
    ],
)
async def test_in_little_room_the_foot_says_less_and_stays_one_line(width: int, said: str):
    script = Traced().sized_step(1000).write("b").cost(ms=10, usage=(300, 20))
    async with campus_app(PlayedAgent(script.end(Outcome.ANSWERED, "b").events)).run_test(size=(width, 30)) as pilot:
        screen = await ask(pilot)
        if width < 100:
            await pilot.press("f2")
            await pilot.pause()
        assert feet(screen) == [f"prompt ▰▰▰▰▱▱▱▱ {said}"]
        assert screen.query("TracePane StepFoot").first().size.height == 1


async def test_a_recording_from_before_prompts_were_measured_says_nothing_of_them():
    async with campus_app(PlayedAgent(club_run())).run_test(size=WIDE) as pilot:
        assert feet(await ask(pilot))[0] == "tokens n/a ▰▰▰ 4 ms"


# ---- acting and observing


async def test_an_edited_act_changes_its_row_names_the_edit_and_keeps_what_was_asked_for():
    script = Traced().step().act("days_until_weekday", {"weekday": "Friday"}).edit({"weekday": "Thursday"})
    script.observe("in 5 days").step_over()
    async with campus_app(PlayedAgent(script.end(Outcome.STEP_LIMIT).events)).run_test(size=WIDE) as pilot:
        screen = await ask(pilot)
        assert shown(screen, "TracePane Row").count("▸ acting") == 1
        acting = row_with(screen, "▸ acting")
        assert 'weekday  "Thursday"' in acting
        assert "✎ edited: the arguments were edited by hand" in acting
        assert 'asked  {"weekday": "Friday"}' in acting
        assert acting.splitlines()[0].endswith("3 ms")


@pytest.mark.parametrize("match", ["strong", "weak"])
async def test_how_well_a_search_matched_stands_at_the_right_edge_of_its_observation(match: str):
    script = Traced().step().act("search_campus_info", {"query": "x"}).find(CLUB, LAB, match=match).step_over()
    async with campus_app(PlayedAgent(script.end(Outcome.STEP_LIMIT).events)).run_test(size=WIDE) as pilot:
        said = row_with(await ask(pilot), "◂ observe")
        assert "2 passages · " in said
        assert said.endswith(match)


@pytest.mark.parametrize(
    ("status", "ms", "observe", "edge"),
    [
        ("error", 2.0, "✕ failed", "2 ms"),
        ("error", 0.0, "✕ refused", "not run"),
        ("cached", 0.0, "= same as before · 4 characters", "not run"),
        ("skipped", 0.0, "– skipped", "not run"),
        ("empty", 2.0, "○ text", "2 ms"),
    ],
)
async def test_what_became_of_a_call_is_said_in_words_and_with_a_sign(status: str, ms: float, observe: str, edge: str):
    script = Script().step().act("a", {}).observe("text", status=status, ms=ms).step_over()
    async with campus_app(PlayedAgent(script.end(Outcome.STEP_LIMIT).events)).run_test(size=WIDE) as pilot:
        screen = await ask(pilot)
        assert observe in row_with(screen, "◂ observe")
        assert row_with(screen, "▸ acting").splitlines()[0].endswith(edge)


async def test_a_repair_and_a_draft_that_is_asked_for_again_are_named():
    script = Script().step().write("half").withdraw("retried").act("a", {"b": 1}, repaired="a comma too many")
    run = script.observe("c").step_over().end(Outcome.STEP_LIMIT).events
    async with campus_app(PlayedAgent(run)).run_test(size=WIDE) as pilot:
        trace = shown(await ask(pilot), "TracePane Row")
        assert "↺ retried  half" in trace
        assert "≈ repaired: a comma too many" in trace


async def test_the_facts_that_failed_stand_out_in_a_rejected_draft():
    script = Script().step().write("It meets on Tuesday.").check(("Tuesday", "weekday", None)).withdraw("rejected")
    async with campus_app(PlayedAgent(script.step_over().end(Outcome.REFUSED, "No.").events)).run_test(
        size=WIDE
    ) as pilot:
        screen = await ask(pilot)
        row = next(row for row in rows(screen) if "✕ rejected" in str(row.render()))
        content = row.render()
        place = content.plain.index("Tuesday")
        assert any("error" in str(span.style) and span.start <= place < span.end for span in content.spans)


# ---- long text


def test_a_long_text_is_made_safe_and_laid_out_only_where_it_is_shown():
    text = LongText("\x1b" * (3 * PIECE + 1))
    assert text.pieces == 4
    (part,) = text.part(PIECE, 10)
    assert part.text.plain == "\ufffd" * 10


async def test_a_megabyte_is_folded_with_its_size_and_opens_in_bounded_pieces():
    content = "\n".join(f"room {number}" for number in range(100_000))
    script = Script().step().act("list_rooms", {}).observe(content).step_over()
    async with campus_app(PlayedAgent(script.end(Outcome.STEP_LIMIT).events)).run_test(size=WIDE) as pilot:
        screen = await ask(pilot)
        row = next(row for row in rows(screen) if "room 0" in str(row.render()))
        assert f"{len(content):,} characters" in str(row.render())
        assert row.size.height <= Row.FOLDED + 1
        row.focus()
        await pilot.press("enter")
        pieces = -(-len(content) // PIECE)
        assert f"piece 1 of {pieces}" in str(row.render())
        await pilot.press("enter")
        assert f"piece 2 of {pieces}" in str(row.render())
        assert len(str(row.render())) < 20 * PIECE
        await pilot.press("left", "left")
        assert str(row.render()).endswith(f"… all {len(content):,} characters ▸")


async def test_what_is_opened_stays_in_sight_though_the_trace_follows_its_end():
    content = "\n".join(f"room {number}" for number in range(300))
    script = Script().step().act("list_rooms", {}).observe(content).step_over()
    async with campus_app(PlayedAgent(script.end(Outcome.STEP_LIMIT).events)).run_test(size=(120, 24)) as pilot:
        screen = await ask(pilot)
        row = next(row for row in rows(screen) if "room 0" in str(row.render()))
        row.focus()
        await pilot.press("enter")
        await until(pilot, lambda: row.size.height > 100)
        pane = screen.query_one(TracePane)
        assert pane.region.y <= row.region.y < pane.region.bottom
        assert pane.has_class("-more-below")


@pytest.mark.parametrize("size", [WIDE, (60, 30)])
async def test_arguments_thoughts_notes_and_drafts_of_a_megabyte_are_folded_too(size: tuple[int, int]):
    long = "word " * 200_000
    script = Script().step().think(long).act("a", {"text": long}).act("b", None, raw_arguments=long)
    script.observe(long, call=1, status="cached").observe(long, call=2, status="error").note(long, step=1)
    run = script.write(long).withdraw("retried").write(long).step_over().end(Outcome.STEP_LIMIT).events
    async with campus_app(PlayedAgent(run)).run_test(size=size) as pilot:
        screen = await ask(pilot)
        if size[0] < 100:
            await pilot.press("f2")
            await pilot.pause()
        assert len(rows(screen)) == 8
        assert all(row.size.height <= 2 * Row.FOLDED for row in rows(screen))


# ---- plans and second looks


async def test_a_plan_stands_at_the_top_of_the_trace_and_is_ticked_without_growing():
    script = Traced().plan("Find the day", "Count the days").sized_step(10).tick(0)
    async with campus_app(PlayedAgent(script.events)).run_test(size=WIDE) as pilot:
        screen = pilot.app.screen
        await until(pilot, lambda: screen.assistant is not None)
        screen.question("?")
        await until(pilot, lambda: "☑ Find the day" in shown(screen, PlanRow))
        assert "☐ Count the days" in shown(screen, PlanRow)
        plan = screen.query_one(PlanRow)
        assert plan.size.height == 2
        assert plan.region.y < screen.query_one(StepCard).region.y
        await pilot.press("escape")


async def test_a_second_look_is_shown_while_it_goes_on():
    script = Traced().sized_step(10).write("b").reviewing("critic", of=2)
    async with campus_app(PlayedAgent(script.events)).run_test(size=WIDE) as pilot:
        screen = pilot.app.screen
        await until(pilot, lambda: screen.assistant is not None)
        screen.question("?")
        await until(pilot, lambda: "◇ critic" in shown(screen, "TracePane Row"))
        assert "reading the draft" in row_with(screen, "◇ critic")
        assert "round 1 of 2 · prompt 1,200 characters" in row_with(screen, "◇ critic")
        assert "the critic reads the draft" in str(screen.query_one(Status).render())
        await pilot.press("escape")


@pytest.mark.parametrize(("approved", "said"), [(True, "✓ approved"), (False, "✕ not approved")])
@pytest.mark.parametrize("announced", [True, False])
async def test_a_second_look_says_what_it_came_to_and_what_it_cost(approved: bool, said: str, announced: bool):
    script = Traced().sized_step(10).write("b")
    if announced:
        script.reviewing("verifier")
    script.reviewed("verifier", approved=approved, text="The room is missing.").cost(ms=4)
    async with campus_app(PlayedAgent(script.end(Outcome.ANSWERED, "b").events)).run_test(size=WIDE) as pilot:
        screen = await ask(pilot)
        row = row_with(screen, "◇ verifier")
        assert said in row
        assert "tokens n/a" in row
        assert "The room is missing." in row
        assert row.splitlines()[0].endswith("610 ms")
        assert shown(screen, "TracePane Row").count("◇ verifier") == 1


@pytest.mark.parametrize("step", [None, 0])
async def test_a_note_on_what_belongs_to_no_step_stands_in_the_trace_too(step: int | None):
    script = Script().note("No plan could be made.", step=step).step().write("b").step_over()
    async with campus_app(PlayedAgent(script.end(Outcome.ANSWERED, "b").events)).run_test(size=WIDE) as pilot:
        assert "· note     No plan could be made." in shown(await ask(pilot), "TracePane Row")


# ---- the header


async def test_the_header_says_the_last_step_and_the_seconds_of_the_deadline():
    script = Script(max_steps=1, deadline=90).step()
    async with campus_app(PlayedAgent(script.events)).run_test(size=WIDE) as pilot:
        screen = pilot.app.screen
        await until(pilot, lambda: screen.assistant is not None)
        screen.question("?")
        await until(pilot, lambda: "1/1 last" in str(screen.query_one(Header).render()))
        assert str(screen.query_one(Header).render()).endswith("calls 0/15  0 s of 90 s")
        await pilot.press("escape")


async def test_hostile_text_in_plans_second_looks_and_edits_is_shown_as_text():
    script = Traced().plan(HOSTILE, "[/]").sized_step(10).act("a", {"x": HOSTILE}).edit({"x": HOSTILE, HOSTILE: "[/x]"})
    script.observe("b").tick(0).reviewing("critic").reviewed("critic", approved=False, text=HOSTILE).cost(ms=1)
    async with campus_app(PlayedAgent(script.end(Outcome.ANSWERED, "b").events)).run_test(size=(120, 60)) as pilot:
        screen = await ask(pilot)
        assert shown(screen, "TracePane Row").count("[@click=app.quit]quit[/]") >= 4
        drawn = "".join(strip.text for strip in screen._compositor.render_strips())
        assert not any(sign in drawn for sign in "\x1b\x07\x9b\u202e")
