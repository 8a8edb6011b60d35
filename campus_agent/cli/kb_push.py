"""`campus-agent kb push`: write a knowledge base to PostgreSQL, for as many readers as there are."""

from __future__ import annotations

import sys

import click

from campus_agent.cli.flags import Command, loaded
from campus_agent.cli.kb_reading import read_base
from campus_agent.cli.output import aside, result
from campus_agent.errors import KnowledgeError
from campus_agent.layers import base_paths
from campus_agent.text import one_line, plural


@click.command(cls=Command)
@click.argument("address")
@click.pass_context
def push(context: click.Context, address: str) -> int:
    """Write the base to the PostgreSQL server at ADDRESS, such as postgresql://USER@HOST/DATABASE.

    The base is that of the settings; --kb names another one, and several are pushed as one. Readers, who use --kb
    ADDRESS, search what was there before until all is written. A password is read from PGPASSWORD, ~/.pgpass or a
    service file.
    """
    from campus_agent.knowledge.postgres.address import SCHEMES, parsed

    target = parsed(address)
    settings = loaded(context).settings
    paths = base_paths(settings.kb)
    if any(path.startswith(SCHEMES) for path in paths):
        raise KnowledgeError(
            "A base in PostgreSQL cannot be pushed to another place.",
            "The setting kb names an address.",
            "Name the files that it was made from: campus-agent kb push ADDRESS --kb FOLDER",
        )

    from campus_agent.knowledge.campus_file import read_campus_file
    from campus_agent.knowledge.postgres.push import push as write

    base = read_base(settings)
    on_terminal = bool(sys.stderr) and sys.stderr.isatty()
    with click.progressbar(length=1, label="writing", file=sys.stderr, hidden=not on_terminal) as bar:

        def progress(done: int, of: int) -> None:
            bar.length = of
            bar.update(done - bar.pos)

        write(
            base,
            read_campus_file(paths),
            target,
            progress=progress,
            waiting=lambda: aside("Another push to this database is under way; waiting for its end."),
        )
    if base.problems:
        aside(f"{plural(len(base.problems), 'problem')} in the files; campus-agent kb check names what was left out.")
    result(f"Pushed {plural(len(base.passages), 'passage')} of {one_line(base.name)} to {target.where}.")
    return 0
