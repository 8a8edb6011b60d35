"""A terminal chat assistant for a campus: it shows every step it takes and makes nothing up."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from campus_agent.agent.agent import Agent
    from campus_agent.knowledge.base import KnowledgeBase
    from campus_agent.settings import Settings
    from campus_agent.tools.tool import tool

__version__ = "0.3.0"
__all__ = ["Agent", "KnowledgeBase", "Settings", "__version__", "tool"]

_HOMES = {
    "Agent": "campus_agent.agent.agent",
    "KnowledgeBase": "campus_agent.knowledge.base",
    "Settings": "campus_agent.settings",
    "tool": "campus_agent.tools.tool",
}


def __getattr__(name: str) -> object:
    """Import a public name on first use, so that `import campus_agent` itself stays instant."""
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'campus_agent' has no attribute {name!r}")
    return getattr(import_module(home), name)
