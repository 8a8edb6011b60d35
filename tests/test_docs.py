"""What the documents promise is run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from campus_agent.knowledge.base import KnowledgeBase
from campus_agent.knowledge.campus_file import read_campus_file
from campus_agent.settings import THEMES
from campus_agent.tui.keys import KEYS, TITLES
from campus_agent.tui.reference import page as app_page
from campus_agent.tui.slash.table import COMMANDS

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_between_pages_leads_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8"))
    assert [link for link in links if "://" not in link and not (page.parent / link).exists()] == []


def test_the_tool_in_the_documents_works(capsys: pytest.CaptureFixture[str]) -> None:
    (example,) = blocks("docs/writing-a-tool.md", "python")
    exec(compile(example, "example", "exec"), {"__name__": "example"})
    assert "Thursday" in capsys.readouterr().out


def test_the_base_in_the_documents_is_read(tmp_path: Path) -> None:
    (tmp_path / "library.md").write_text(blocks("docs/your-own-campus.md", "markdown")[0], encoding="utf-8")
    (tmp_path / "campus.toml").write_text(blocks("docs/your-own-campus.md", "toml")[0], encoding="utf-8")
    base = KnowledgeBase.load([tmp_path])
    assert (base.name, len(base.passages), base.problems) == ("Hillside College", 2, ())
    assert base.search("library saturday").found
    assert len(read_campus_file([tmp_path]).questions) == 2


def test_the_page_of_the_app_is_the_one_that_is_written_from_its_keys_and_commands() -> None:
    assert (ROOT / "docs" / "the-app.md").read_text(encoding="utf-8") == app_page()


def test_the_page_of_the_app_names_every_key_every_command_and_every_way_to_open_it() -> None:
    said = app_page()
    assert [command.shown for command in COMMANDS if f"| `{command.shown}` | {command.meaning} |" not in said] == []
    assert [key.meaning for key in KEYS if key.place in TITLES and key.meaning not in said] == []
    ways = ("--inline", "--plain", "--transcript", "--replay", "--step", "--theme", "NO_COLOR", "completion", "Ctrl+Y")
    assert [way for way in ways if way not in said] == []
    named = [theme for theme in THEMES if theme.startswith(("campus-", "ansi-"))]
    assert [theme for theme in named if f"`{theme}`" not in said] == []
