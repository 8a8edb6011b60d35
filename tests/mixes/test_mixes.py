"""The whole agent against servers that misbehave in several ways at once; `run.py` plays as many as one likes."""

from __future__ import annotations

import asyncio

import pytest

from tests.mixes.generator import DIMENSIONS, draw, makes_sense, read_mix
from tests.mixes.play import play_all

COUNT = 120  # a wire
SOME = [draw(seed) for seed in range(3 * COUNT)]

# Each of these mixes once went wrong.
ONCE_WRONG = ("seed=1 name=prefixed-repeated index=offset lines=several",)


@pytest.mark.parametrize("wire", ["stream", "whole"])
async def test_every_mix_is_answered_from_what_the_tools_returned(wire: str) -> None:
    mixes = [mix for mix in SOME if mix["wire"] == wire][:COUNT]
    assert len(mixes) == COUNT
    assert {str(mix): wrong for mix, wrong in (await play_all(mixes)).items()} == {}


async def test_every_mix_that_once_went_wrong_is_answered_now() -> None:
    assert {str(mix): wrong for mix, wrong in (await play_all(map(read_mix, ONCE_WRONG))).items()} == {}


def test_a_mix_is_the_same_whenever_it_is_drawn_and_its_line_describes_it() -> None:
    for mix in SOME:
        assert str(draw(mix.seed)) == str(read_mix(str(mix))) == str(mix)
        assert makes_sense(mix)


def test_every_quirk_is_drawn_sooner_or_later() -> None:
    drawn = {(name, mix[name]) for mix in map(draw, range(1500)) for name in DIMENSIONS}
    assert drawn == {(name, value) for name, values in DIMENSIONS.items() for value in values}


@pytest.mark.parametrize("line", ["ids=odd", "id=odd", "seed=1 whatever"])
def test_a_line_that_describes_no_mix_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match=r"no such quirk|dictionary update|sequence"):
        read_mix(line)


async def test_a_fault_of_the_client_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("campus_agent.agent.acting._unique_ids", lambda calls: ["same"] * len(calls))
    mix = read_mix("seed=1 policy=pair")
    async with asyncio.timeout(60):
        wrong = await play_all([mix])
    assert "Duplicate value" in str(wrong[mix])
