from __future__ import annotations

import pytest
from screen_runs import PlayedAgent, campus_app
from test_stepping import NARROW, WIDE, ask, counting_agent, paused_before, stepping_app
from textual.content import Content
from traced import CLUB, Traced
from traced import ask as ask_all
from waiting import until

from campus_agent.agent.outcome import Outcome
from campus_agent.tui.widgets.pause_card import PauseCard
from campus_agent.tui.widgets.status import Status
from campus_agent.tui.words import unbroken, wrapped


@pytest.mark.parametrize("width", range(2, 40))
def test_no_line_ends_within_what_is_unbroken_unless_it_alone_is_too_wide(width: int):
    words = ["checked", "[1] clubs.md", "[2] 図書館 hours.md", "é [3] x"]
    lines = [line.plain for line in wrapped(Content(" ".join(map(unbroken, words))), width)]
    for word in words:
        if Content(word).cell_length <= width:
            assert any(unbroken(word) in line for line in lines)
    assert all(Content(line).cell_length <= max(2, width) for line in lines)
    assert "".join("".join(lines).split()) == "".join("".join(words).split())


def test_what_is_styled_stays_styled_where_it_was():
    text = Content.assemble(("one", "bold"), " ", (unbroken("two three"), "italic"))
    first, second = wrapped(text, 9)
    assert (first.plain, [str(span.style) for span in first.spans]) == ("one", ["bold"])
    assert [second.plain[span.start : span.end] for span in second.spans] == [unbroken("two three")]


@pytest.mark.parametrize("columns", range(60, 132, 6))
async def test_the_number_of_a_source_and_its_name_are_never_on_two_lines(columns: int):
    sources = [CLUB, CLUB.model_copy(update={"source": "learning.md"}), CLUB.model_copy(update={"source": "labs.md"})]
    script = Traced().sized_step(10).act("search_campus_info", {"query": "club"}).find(*sources).cost(ms=1)
    script.sized_step(20).write("5 PM.").ground(*sources, facts=[("5 PM", "time", "clubs.md")]).cost(ms=1)
    run = script.end(Outcome.ANSWERED, "5 PM.").events
    async with campus_app(PlayedAgent(run)).run_test(size=(columns, 30)) as pilot:
        screen = await ask_all(pilot)
        status = screen.query_one(Status)
        lines = [status.render_line(y).text.replace("\u00a0", " ") for y in range(status.size.height)]
        for said in ("[1] clubs.md", "[2] learning.md", "[3] labs.md"):
            assert any(said in line for line in lines)


@pytest.mark.parametrize("size", [WIDE, (100, 30), NARROW, (60, 20), (44, 20)])
async def test_no_key_of_a_pause_is_broken_across_lines(size: tuple[int, int]):
    async with stepping_app(counting_agent()).run_test(size=size) as pilot:
        await ask(pilot)
        await paused_before(pilot, "before step 1 of 5")
        await pilot.press("space")
        await paused_before(pilot, "before running days_until_weekday")
        card = next(card for card in pilot.app.screen.query(PauseCard) if card.region.area)
        keys = card.query_one(".keys")
        await until(pilot, lambda: keys.region.area > 0)
        lines = [keys.render_line(y).text.replace("\u00a0", " ") for y in range(keys.size.height)]
        for said in ("Space go on", "s skip", "e edit", "c to the end", "Esc stop"):
            assert any(said in line for line in lines)
