"""How many quirks of real servers the agent ends rightly, by group and wire.

Each scenario of tests/quirk_server.py is asked a question through the whole agent, and a server without faults the
next one in the same conversation. Right is: the outcome that belongs to the scenario, every fact that the tools
returned in the answer and nothing else, and the next question answered.

    python benchmarks/right_ends.py
"""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.agent.test_quirks import wrong_ends
from tests.quirk_server import SCENARIOS, QuirkServer


async def _measure() -> None:
    groups = Counter(scenario.group for scenario in SCENARIOS.values())
    wrong: list[set[str]] = []
    for stream in (False, True):
        with QuirkServer() as server:
            wrong.append({name.partition(",")[0] for name in await wrong_ends(server.base_url, stream=stream)})
    print("| group | scenarios | right, whole | right, streaming |\n| --- | --- | --- | --- |")
    for group, count in groups.items():
        right = (count - sum(SCENARIOS[name].group == group for name in names) for names in wrong)
        print(f"| {group} | {count} | {' | '.join(map(str, right))} |")
    print(f"| all | {len(SCENARIOS)} | {' | '.join(str(len(SCENARIOS) - len(names)) for names in wrong)} |")
    for name in sorted(set.union(*wrong)):
        print(f"wrong: {name}")


if __name__ == "__main__":
    asyncio.run(_measure())
