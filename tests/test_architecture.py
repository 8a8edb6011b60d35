"""The rules of the house: who may import what, and how long a module may grow."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "campus_agent"
MODULES = sorted(PACKAGE.rglob("*.py"))


def imports(path: Path, *, lazy: bool = True) -> Iterator[str]:
    """Yield the modules that a file imports; without `lazy`, only those that are imported with it."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree) if lazy else _at_once(tree):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def _at_once(tree: ast.Module) -> Iterator[ast.AST]:
    for node in tree.body:
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        yield node


def modules_in(*folders: str) -> list[Path]:
    return [path for path in MODULES if path.relative_to(PACKAGE).parts[0] in folders]


def starts_with(name: str, *roots: str) -> bool:
    return any(name == root or name.startswith(f"{root}.") for root in roots)


@pytest.mark.parametrize("path", modules_in("agent", "guardrail"), ids=lambda p: p.stem)
def test_the_loop_and_the_guardrail_know_no_screen_no_provider_and_no_file(path: Path) -> None:
    forbidden = ("openai", "textual", *(f"campus_agent.{part}" for part in ("tui", "cli", "journal", "knowledge")))
    assert not [name for name in imports(path) if starts_with(name, *forbidden)]


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_only_the_app_imports_textual_and_only_one_module_openai_when_it_is_used(path: Path) -> None:
    part = path.relative_to(PACKAGE)
    if part.parts[0] != "tui":
        assert not [name for name in imports(path) if starts_with(name, "textual")]
    if part != Path("models/openai_chat.py"):
        assert not [name for name in imports(path) if starts_with(name, "openai")]
    assert not [name for name in imports(path, lazy=False) if starts_with(name, "openai")]


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_a_module_stays_short(path: Path) -> None:
    limit = 250 if path == PACKAGE / "tui" / "app.py" else 310
    assert len(path.read_text(encoding="utf-8").splitlines()) <= limit


@pytest.mark.parametrize(
    "statement",
    [
        "import campus_agent",
        "from campus_agent import Settings, tool",
        "import campus_agent.agent.agent, campus_agent.knowledge.base, campus_agent.models.providers",
    ],
)
def test_importing_the_package_imports_neither_textual_nor_openai(statement: str) -> None:
    probe = f"import sys\n{statement}\nprint(sorted({{'textual', 'openai'}} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "[]"


def test_the_public_names_are_there_and_no_other() -> None:
    import campus_agent

    assert all(getattr(campus_agent, name) for name in campus_agent.__all__)
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = campus_agent.no_such_name  # type: ignore[attr-defined]
