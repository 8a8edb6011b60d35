"""How a second look at a draft, by the verifier or the critic, is shown in a row of the trace."""

from __future__ import annotations

from textual.content import Content

from campus_agent.agent.events import Reviewed, Reviewing
from campus_agent.models.chat_model import Usage
from campus_agent.text import duration, plural
from campus_agent.tui.widgets.row import LongText, Paragraph, Row
from campus_agent.tui.words import CAUTION, DIM, GOOD


def show_reviewing(row: Row, event: Reviewing) -> None:
    """Show that a second look goes on: who takes it, in which round, and how much is read for it."""
    _show(row, event.by, Content.styled("reading the draft", DIM), _begun(event), "", "…")


def show_reviewed(row: Row, began: Reviewing | None, event: Reviewed) -> None:
    """Show what a second look came to, in as many lines as while it went on, and under them what was said."""
    verdict = Content.styled("✓ approved", GOOD) if event.approved else Content.styled("✕ not approved", CAUTION)
    facts = [*(_begun(began) if began else []), _tokens(event.usage)]
    _show(row, event.by, verdict, facts, event.text, duration(event.latency_ms))


def _show(row: Row, by: str, said: Content, facts: list[str], text: str, edge: str) -> None:
    body = [Paragraph(said), Paragraph(Content.styled(" · ".join(facts), DIM))]
    row.change(Content.styled(f"◇ {by}", "bold"), body, text=LongText(text), edge=Content.styled(edge, DIM))


def _begun(event: Reviewing) -> list[str]:
    rounds = [f"round {event.round} of {event.of}"] if event.of > 1 else []
    return [*rounds, f"prompt {plural(event.prompt_chars, 'character')}"]


def _tokens(usage: Usage | None) -> str:
    return "tokens n/a" if usage is None else plural(usage.prompt_tokens + usage.completion_tokens, "token")
