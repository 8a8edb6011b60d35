"""`python -m campus_agent`, and the `campus-agent` command."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line and end the process with its exit status; also an interrupt at the very start is 130."""
    try:
        from campus_agent.cli.entry import run

        status = run()
    except KeyboardInterrupt:
        status = 130
    sys.exit(status)


if __name__ == "__main__":
    main()
