"""`python -m campus_agent`, and the `campus-agent` command."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line and end the process with its exit status."""
    from campus_agent.cli.entry import run

    sys.exit(run())


if __name__ == "__main__":
    main()
