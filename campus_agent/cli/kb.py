"""`campus-agent kb`: look into a knowledge base without any model."""

from __future__ import annotations

import click

from campus_agent.cli.flags import Group
from campus_agent.cli.kb_check import check
from campus_agent.cli.kb_new import new
from campus_agent.cli.kb_push import push
from campus_agent.cli.kb_search import search
from campus_agent.cli.kb_stats import stats


@click.group(cls=Group, commands=[new, check, search, stats, push])
def kb() -> None:
    """Begin a knowledge base, check it, search it, count it."""
