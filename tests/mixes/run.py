"""Plays any number of mixes: `python -m tests.mixes.run --count 2000 --seed 1`, or `--mix "LINE"` for one again."""

from __future__ import annotations

import argparse
import asyncio
import time
from collections import Counter

from tests.mixes.generator import Mix, draw, makes_sense, read_mix
from tests.mixes.play import play_all


async def smallest(mix: Mix) -> Mix:
    """Return the mix without the quirks that its fault does not need."""
    for dimension in mix.odd:
        plainer = mix.without(dimension)
        if makes_sense(plainer) and await play_all([plainer]):
            mix = plainer
    return mix


async def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--odd", type=float, default=0.35, help="the share of dimensions that are odd")
    parser.add_argument("--mix", help="the line of one mix, to play it alone")
    options = parser.parse_args()
    first = options.seed * 1_000_000
    mixes = [read_mix(options.mix)] if options.mix else [draw(first + n, options.odd) for n in range(options.count)]
    began = time.perf_counter()
    wrong = await play_all(mixes)
    print(f"{len(mixes)} mixes, {len(wrong)} wrong, {time.perf_counter() - began:.1f} s", flush=True)
    causes: Counter[str] = Counter()
    for mix, faults in wrong.items():
        least = await smallest(mix)
        odd = str(least).partition(" ")[2]
        if not causes[odd]:
            print(f"\n{mix}\n  least: {least}", *(f"  {fault[:600]}" for fault in faults), sep="\n", flush=True)
        causes[odd] += 1
    for odd, count in causes.most_common():
        print(f"{count:5} {odd}")
    return bool(wrong)


if __name__ == "__main__":
    raise SystemExit(asyncio.run(main()))
