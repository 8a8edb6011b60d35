from __future__ import annotations

from pathlib import Path

import pytest
from click import Option

from campus_agent.agent.agent import Agent
from campus_agent.cli.eval import evaluate
from campus_agent.evaluation.case import TABLES, Suite
from campus_agent.evaluation.playing import Evaluation, Planned
from campus_agent.evaluation.suite import read_suites
from campus_agent.settings import Settings
from tests.test_docs import blocks

PAGE = (Path(__file__).parents[2] / "docs" / "evaluation.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("table", [Suite, *TABLES.values()], ids=lambda table: table.__name__)
def test_the_page_lists_every_key_with_its_description(table):
    rows = [f"| `{name}` | {field.description} |" for name, field in table.model_fields.items()]
    assert "\n".join(rows) in PAGE


def test_the_page_names_every_flag_of_its_own():
    own = [option.opts[0] for option in evaluate.params if isinstance(option, Option)]
    assert [flag for flag in own if f"| `{flag}" not in PAGE] == []


async def test_the_example_of_the_page_passes_on_the_base_of_the_other_page(tmp_path):
    base = tmp_path / "my-campus"
    base.mkdir()
    (base / "library.md").write_text(blocks("docs/your-own-campus.md", "markdown")[0], encoding="utf-8")
    refusal = "I don't know that — ask at the Hillside front desk."
    (tmp_path / "library.toml").write_text(blocks("docs/evaluation.md", "toml")[0], encoding="utf-8")
    (suite,) = read_suites([tmp_path / "library.toml"])
    cases = [
        Planned("library", case, Settings(provider="offline", kb=case.kb, now=case.now, refusal=refusal))
        for case in suite.cases
    ]
    played = await Evaluation(cases, make=Agent.from_settings, repeat=1).play()
    assert [one.attempts[0].failures for one in played] == [()] * 4
