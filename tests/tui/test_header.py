from __future__ import annotations

import pytest
from screen_runs import PlayedAgent, campus_app, club_run
from traced import ask

from campus_agent.assemble import About
from campus_agent.tui.record import Record
from campus_agent.tui.widgets.header import Header

MODEL, BRIEF, LEAST = "offline model (not a language model)", "offline, no language model", "offline"
BASE, NAME = "USC demo, 7 passages", "USC demo"
PROGRAM = "campus-agent  "
METER = "step ▰▰▰▱▱ 3/5   calls 2/15      6 ms"
WIDTHS = range(130, 39, -1)


async def drawn(*, model: str = MODEL, base: str = BASE, widths: range = WIDTHS, asked: bool = True) -> dict[int, str]:
    """The line at the top at each width, after a run or before the first one."""
    about = About(model=model, brief=BRIEF, base=base, questions=())
    async with campus_app(PlayedAgent(club_run()), about=about).run_test(size=(widths[0], 30)) as pilot:
        header = (await ask(pilot)).query_one(Header)
        if not asked:
            header.clear()
        lines = {}
        for width in widths:
            await pilot.resize_terminal(width, 30)
            await pilot.pause()
            lines[width] = str(header.render())
        return lines


async def test_the_order_in_which_the_header_gives_up_what_it_says_at_every_width():
    shown = [line.removesuffix(" of 180 s").removesuffix(METER).rstrip() for line in (await drawn()).values()]
    assert list(dict.fromkeys(shown)) == [
        f"{PROGRAM}{MODEL} · {BASE}",
        f"{MODEL} · {BASE}",
        f"{MODEL} · {NAME}",
        MODEL,
        BRIEF,
        "",
    ]


async def test_the_meter_is_whole_at_every_width_from_50_and_the_steps_at_every_width():
    for width, line in (await drawn()).items():
        assert METER in line or width < 50
        assert "▰▰▰▱▱ 3/5" in line
        assert len(line) <= width - 2
        assert line.endswith(" of 180 s") or width < 116


async def test_what_the_model_is_not_is_said_wherever_there_is_room_for_it():
    for width, line in (await drawn()).items():
        room = width - 2 - len(METER) - 2
        assert (MODEL in line) == (width >= 70 and room >= len(MODEL))
        assert (MODEL in line or BRIEF in line) == (width >= 70)


async def test_a_model_without_a_brief_name_goes_by_what_stands_before_the_bracket():
    about = About(model="gpt (of the campus server, third floor)", base=BASE)
    async with campus_app(PlayedAgent(club_run()), about=about).run_test(size=(70, 30)) as pilot:
        assert str((await ask(pilot)).query_one(Header).render()).startswith(f"gpt · {BASE}")


async def test_before_the_first_run_the_header_tells_the_model_and_the_base():
    lines = await drawn(asked=False)
    assert all(MODEL in line for line in lines.values() if len(line) >= len(MODEL))
    assert all(NAME in line for width, line in lines.items() if width >= 60)


async def test_what_answers_stands_still_when_the_meter_comes():
    before, after = await drawn(asked=False), await drawn()
    for width in (width for width in WIDTHS if width >= 70):
        assert before[width].find(LEAST) == after[width].find(LEAST)


@pytest.mark.parametrize("base", ["University of the Far North, School of Navigation, 12,000 passages", "x" * 90])
async def test_a_long_name_of_a_base_is_shortened_to_something_that_can_be_read(base: str):
    for line in (await drawn(base=base)).values():
        if "…" in line:
            assert len(line.split(" · ")[1].split("…")[0]) >= 11


async def test_nothing_moves_when_the_last_step_begins():
    async with campus_app(PlayedAgent(club_run())).run_test(size=(100, 30)) as pilot:
        screen = await ask(pilot)
        header = screen.query_one(Header)
        record = Record("?")
        for event in club_run()[:2]:
            record.add(event)
        header.begin(record)
        before = str(header.render()).partition("  step")[0].rstrip()
        record.step = record.steps
        assert str(header.render()).partition("  step")[0].rstrip() == before
        assert " last" in str(header.render())
        header.stop()
