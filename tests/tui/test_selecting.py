from __future__ import annotations

import pytest
from screen_runs import HOSTILE, PlayedAgent, campus_app, club_run, refused_run
from traced import CLUB, LAB, Traced, ask, shown, sourced_run
from waiting import until

from campus_agent.agent.outcome import Outcome
from campus_agent.guardrail.review import CheckedFact
from campus_agent.tools.tool import Source
from campus_agent.tui.record import Record
from campus_agent.tui.screens.passage import PassageScreen
from campus_agent.tui.widgets.fold import Fold, FoldLine
from campus_agent.tui.widgets.passage_row import PassageRow
from campus_agent.tui.widgets.passage_text import shown_passage
from campus_agent.tui.widgets.prompt import Prompt
from campus_agent.tui.widgets.run_trace import RunTrace
from campus_agent.tui.widgets.status import Status
from campus_agent.tui.widgets.trace_pane import TracePane
from campus_agent.tui.widgets.turn import Turn

WIDE, NARROW = (120, 36), (80, 24)


def marked(content) -> list[str]:
    return [content.plain[span.start : span.end] for span in content.spans if "underline" in str(span.style)]


def selected(screen) -> list[str]:
    return [run.record.question for run in screen.query("TracePane .-selected")]


# ---- an answer and its run


async def test_enter_on_a_turn_scrolls_to_its_run_and_marks_it_and_the_arrows_go_to_the_others():
    async with campus_app(PlayedAgent(*(sourced_run(f"question {n}") for n in range(4)))).run_test(size=WIDE) as pilot:
        screen = await ask(pilot, *(f"question {number}" for number in range(4)))
        trace = screen.query_one(TracePane)
        screen.query(Turn).last().focus()
        await pilot.press("enter")
        await until(pilot, lambda: selected(screen) == ["question 3"])
        await pilot.press("up", "up", "up", "up")
        await until(pilot, lambda: selected(screen) == ["question 0"])
        assert screen.focused is screen.query(Turn).first()
        first = screen.query("TracePane RunTrace").first()
        await until(pilot, lambda: trace.region.y <= first.region.y < trace.region.bottom)
        await pilot.press("down")
        await until(pilot, lambda: selected(screen) == ["question 1"])


async def test_a_click_on_an_answer_marks_its_run_and_the_next_question_unmarks_it():
    async with campus_app(PlayedAgent(sourced_run())).run_test(size=WIDE) as pilot:
        screen = await ask(pilot, "one")
        await pilot.click(".asked")
        await until(pilot, lambda: selected(screen) == ["one"])
        screen.query_one(Prompt).focus()
        await ask_again(pilot, screen, "two")
        assert selected(screen) == []


async def ask_again(pilot, screen, question: str) -> None:
    before = len(screen.query(Turn))
    screen.query_one(Prompt).text = question
    await pilot.press("enter")
    await until(pilot, lambda: len(screen.query(Turn)) == before + 1 and not screen.busy)


async def test_of_many_turns_only_one_is_reached_by_tab():
    async with campus_app(PlayedAgent(refused_run())).run_test(size=WIDE) as pilot:
        screen = await ask(pilot, "one", "two", "three")
        assert [turn.can_focus for turn in screen.query(Turn)] == [False, False, True]
        screen.query(Turn).last().focus()
        await pilot.press("up")
        assert [turn.can_focus for turn in screen.query(Turn)] == [False, True, False]


async def test_where_there_is_one_pane_enter_on_a_turn_opens_its_trace_under_it_and_closes_it():
    async with campus_app(PlayedAgent(club_run())).run_test(size=NARROW) as pilot:
        screen = await ask(pilot)
        screen.query_one(Turn).focus()
        await pilot.press("enter")
        await until(pilot, lambda: screen.query("Turn RunTrace"))
        await pilot.click("Turn Row")
        await pilot.pause()
        assert screen.query("Turn RunTrace")
        screen.query_one(Turn).focus()
        await pilot.press("enter")
        await until(pilot, lambda: not screen.query("Turn RunTrace"))


async def test_an_answer_whose_trace_was_folded_or_released_gets_it_back():
    async with campus_app(PlayedAgent(sourced_run())).run_test(size=WIDE) as pilot:
        screen = await ask(pilot)
        pane = screen.query_one(TracePane)
        first = screen.query_one(Turn).record
        for number in range(40):
            await pane.begin(Record(str(number)))
        assert first.question not in [fold.record.question for fold in pane.query(Fold)]
        await pane.show_run(first)
        await until(pilot, lambda: pane.query("Fold RunTrace Row"))
        assert selected(screen) == [first.question]
        assert not pane.query_one(".earlier").display


@pytest.mark.parametrize("question", ["short", "a long question " * 20, "図書館はいつ" * 30])
async def test_a_folded_trace_is_one_line_that_ends_in_a_sign_whatever_its_question(question: str):
    async with campus_app(PlayedAgent(sourced_run())).run_test(size=WIDE) as pilot:
        pane = (await ask(pilot)).query_one(TracePane)
        for _ in range(6):
            await pane.begin(Record(question))
        await pilot.pause()
        folded = pane.query(FoldLine).last()
        assert folded.size.height == 1
        assert str(folded.render()).endswith(" ▸")
        assert folded.render().cell_length <= folded.size.width


# ---- earlier runs


def parts(pane: TracePane) -> list[RunTrace | Fold]:
    return [child for child in pane.body.children if isinstance(child, RunTrace | Fold)]


async def test_runs_that_were_released_come_back_when_the_trace_is_scrolled_to_its_top():
    async with campus_app(PlayedAgent(refused_run())).run_test(size=WIDE) as pilot:
        screen = await ask(pilot)
        pane = screen.query_one(TracePane)
        for number in range(60):
            await pane.begin(Record(str(number)))
        await until(pilot, lambda: pane.max_scroll_y > 0 and pane.scroll_y == pane.max_scroll_y)
        assert len(parts(pane)) == pane.kept + 1
        assert f"↑ {60 - pane.kept} earlier questions" in str(pane.query_one(".earlier").render())
        while len(parts(pane)) == pane.kept + 1:
            pane.scroll_page_up(animate=False)
            await pilot.pause()
        await until(pilot, lambda: pane.query(FoldLine).first().region.y < pane.region.y - 8)
        shown = [int(part.record.question) for part in parts(pane)]
        assert shown == list(range(shown[0], 60))


async def test_a_thousand_runs_keep_few_widgets():
    async with campus_app(PlayedAgent(refused_run())).run_test(size=WIDE) as pilot:
        pane = (await ask(pilot)).query_one(TracePane)
        for number in range(1005):
            await pane.begin(Record(str(number)))
        assert len(parts(pane)) == pane.kept + 1
        assert f"↑ {999 - pane.kept} earlier questions" in str(pane.query_one(".earlier").render())


# ---- sources


async def test_each_passage_of_an_observation_is_a_row_that_opens_it_and_says_whether_the_answer_rests_on_it():
    async with campus_app(PlayedAgent(sourced_run())).run_test(size=WIDE) as pilot:
        screen = await ask(pilot)
        passages = list(screen.query("TracePane PassageRow").results(PassageRow))
        assert [str(row.render()).strip()[0] for row in passages] == ["✓", "-", "✓"]
        passages[0].focus()
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, PassageScreen))
        said = str(pilot.app.screen.query_one(".passage").render())
        assert "Clubs › AI Club\nclubs.md, line 5\n\nThe AI Club meets every Thursday" in said
        assert "✓ supports  Thursdays · 17:00" in said
        await pilot.press("escape")
        passages[1].focus()
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, PassageScreen))
        assert "supports" not in str(pilot.app.screen.query_one(".passage").render())


async def test_the_sources_under_an_answer_open_by_key_and_by_click():
    async with campus_app(PlayedAgent(sourced_run())).run_test(size=WIDE) as pilot:
        screen = await ask(pilot)
        status = screen.query_one(Status)
        said = str(status.render())
        assert said == "✓ grounded · 3 facts   [1]\u00a0clubs.md   [2]\u00a0labs/gpu.md"
        screen.query_one(Turn).focus()
        await pilot.press("f4")
        await until(pilot, lambda: len(pilot.app.screen.query(".passage")) == 2)
        await pilot.press("escape")
        await pilot.click(Status, offset=(said.index("[2]") + 1, 0))
        await until(pilot, lambda: len(pilot.app.screen.query(".passage")) == 2)
        assert selected(screen) == []


async def test_an_answer_that_rests_on_no_passage_says_so():
    app = campus_app(PlayedAgent(refused_run()))
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        screen = await ask(pilot)
        screen.query_one(Turn).focus()
        await pilot.press("f4")
        assert "rests on no passage" in next(iter(app._notifications)).message


def test_the_words_that_bear_an_answer_out_are_marked_however_the_answer_writes_them():
    facts = [
        CheckedFact(text="Thursdays", kind="weekday", supported=True, source="clubs.md"),
        CheckedFact(text="17:00", kind="time", supported=True, source="clubs.md"),
        CheckedFact(text="in 5 days", kind="number", supported=True, source="days_until_weekday"),
        CheckedFact(text="204", kind="room", supported=False, source=None),
        CheckedFact(text="the ai club", kind="name", supported=True, source="clubs.md"),
    ]
    assert sorted(marked(shown_passage(CLUB, facts))) == ["5 PM", "The AI Club", "Thursday"]
    assert marked(shown_passage(LAB, facts)) == []


@pytest.mark.parametrize("text", ["", "\r\n5 PM\r\nThursday", "word " * 100_000])
def test_a_passage_of_any_kind_can_be_shown(text: str):
    source = Source(title="T", source="a.md", line=None, text=text)
    content = shown_passage(source, [CheckedFact(text="5 PM", kind="time", supported=True, source="a.md")])
    assert content.plain.startswith("T\na.md\n")
    assert len(content.plain) < 21_000
    assert set(marked(content)) == ({"5 PM"} if "5 PM" in text else set())


async def test_a_hostile_passage_and_its_facts_are_shown_as_text():
    source = Source(title=HOSTILE, source=HOSTILE, line=1, text=f"{HOSTILE} at 5 PM")
    script = Traced().sized_step(1).act("search_campus_info", {"query": "x"}).find(source).cost(ms=1).sized_step(2)
    script.write("At 5 PM.").ground(source, facts=[("5 PM", "time", HOSTILE), (HOSTILE, "name", HOSTILE)]).cost(ms=1)
    app = campus_app(PlayedAgent(script.end(Outcome.ANSWERED, "At 5 PM.").events))
    async with app.run_test(size=WIDE, notifications=True, tooltips=True) as pilot:
        screen = await ask(pilot)
        screen.query_one(Turn).focus()
        await pilot.press("f4")
        await until(pilot, lambda: isinstance(app.screen, PassageScreen))
        assert "[@click=app.quit]quit[/]" in shown(app.screen, ".passage")
        drawn = "".join(strip.text for strip in app.screen._compositor.render_strips())
        assert not any(sign in drawn for sign in "\x1b\x07\x9b\u202e")
        assert app.is_running
