"""Writes the page about the app, with every key: `python -m campus_agent.tui.reference > docs/the-app.md`."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from itertools import groupby

from campus_agent.tui.keys import KEYS, TITLES, Key
from campus_agent.tui.slash.table import COMMANDS

_INTRODUCTION = """# The app

<!-- Written by `python -m campus_agent.tui.reference`; change tui/keys.py or tui/slash/table.py instead. -->

`campus-agent` opens it. On the left you chat, on the right every step of the run is shown as it happens; under 100
columns the trace folds under each answer, and F2 shows it whole. F1 tells the keys, beginning with those of the place
you are in.

## Ways to open it

| Command | What it does |
| --- | --- |
| `campus-agent` | open the app in the whole terminal |
| `campus-agent --inline` | open it under what the terminal shows, which stays (not on Windows) |
| `campus-agent --plain` | chat line by line, without drawing on the screen: for screen readers and simple terminals |
| `campus-agent --transcript` | print what was asked and answered in this sitting when the app is closed |
| `campus-agent -c` | resume the conversation that was changed last (also `--continue`) |
| `campus-agent --resume ID` | resume an earlier conversation, named by its id or the beginning of it |
| `campus-agent --replay FILE` | show a recording, or a run by its id, without a model or a network |
| `campus-agent demo --replay` | show the recorded workshop that comes with the program |
| `campus-agent --step` | begin in step mode: a pause before each step |
| `campus-agent --theme NAME` | begin with other colours |
| `campus-agent trace` | list, read, search and compare earlier runs, see [traces](traces.md) |
| `campus-agent completion bash` | print what lets a shell finish commands and flags with Tab (also `zsh` and `fish`) |

A recording is what `/export talk.jsonl` or `campus-agent ask --jsonl` wrote.

Every setting can also be given as a flag, a variable or in a file, see [configuration](configuration.md).

## Commands

A command begins with a slash. While it is typed, a list over the prompt shows what can stand there; Tab takes the
line that is marked. A question that begins with a slash is sent with a second slash before it: `//`. Ctrl+P
shows the same commands as a list.

A command that changes a setting keeps the conversation and says what has changed. `default` as the value takes the
change back, and without a value the one in force is said. A command that cannot be carried out comes back into the
prompt, with the reason.
"""

_PLAIN = """
In `--plain` there are those of them that need no screen; `/help` lists them.
"""

_KEPT = """
## Earlier conversations

Every conversation is kept on your machine, see [traces](traces.md). Ctrl+R lists them: what you type narrows the list
down to those that hold the words, in the title, a question, an answer or what was observed; Enter resumes one, F6
a copy of it, F2 gives it another title, F8 deletes it when you confirm that. Its newest turns are shown at once,
the older ones as you scroll back, and the assistant remembers the last of them. F6 on a question goes back to before
it: the question stands in the prompt to be changed and asked again, and the old conversation stays as it is.

`/private` keeps nothing of what you ask from then on, neither in the journal nor in the memory of the prompt; sent
again, it ends that. A line over the prompt says so meanwhile.
"""

_COLOURS = """
## Colours and moving things

`/theme NAME` changes the colours and remembers them: `campus-dark`, `campus-light`, `campus-contrast` for high
contrast, and `ansi-dark` or `ansi-light` for your terminal's own palette, in which a terminal of 16 colours shows the
others too. With `NO_COLOR=1` in the environment there are no colours at all: each state has a sign and a word as well.
With `TEXTUAL_ANIMATIONS=none` nothing moves.

## Copying

Ctrl+Y copies the newest answer, Ctrl+C what is selected; Enter on a block of code copies the code. The message says
which way it went: by a tool of your system, or by the terminal, which not all terminals do. With Shift held (Option
or Fn on a Mac) the terminal itself selects. `/export` always works.

## Under an answer

| Sign | What it means |
| --- | --- |
| `✓ grounded · 5 facts` | every day, time, number and name of the answer stands in something that was observed |
| `● answered · no facts to check` | there was nothing in the answer that could be checked |
| `▲ 1 of 5 facts unsupported` | the answer is shown with a fact that nothing supports (only with `--guardrail warn`) |
| `○ refused` | nothing supports an answer, so none is given; what the draft or the search lacked is said |

Other runs end early: at a limit, by a failure, or because you stopped them. The sign and the words say which, and the
card over them says why and what to do. Enter on a question shows its steps, F4 its sources and F5 its links.
"""


def page() -> str:
    """Return the whole page as Markdown."""
    return "\n".join(
        [
            _INTRODUCTION,
            *_table("Command", _commands()),
            _PLAIN,
            "## Keys",
            *_keys(),
            _KEPT.rstrip("\n"),
            _COLOURS.rstrip("\n"),
            "",
        ]
    )


def main() -> None:
    """Write the page to standard output."""
    sys.stdout.write(page())


def _commands() -> Iterator[tuple[str, str]]:
    return ((f"`{command.shown}`", command.meaning) for command in COMMANDS)


def _keys() -> Iterator[str]:
    order = list(TITLES)
    named = sorted((key for key in KEYS if key.place in TITLES and key.meaning), key=lambda key: order.index(key.place))
    for title, keys in groupby(named, key=lambda key: TITLES[key.place]):
        yield f"\n### {title}\n"
        yield from _table("Key", ((f"`{_said(key)}`", key.meaning) for key in keys))


def _said(key: Key) -> str:
    """Return the label of a key as one writes it: "^J" is Ctrl+J."""
    return (
        f"Ctrl+{key.label[1:]}" if key.label.startswith("^") else key.label.replace("⏎", "Enter").replace("esc", "Esc")
    )


def _table(head: str, rows: Iterable[tuple[str, str]]) -> Iterator[str]:
    yield f"| {head} | What it does |"
    yield "| --- | --- |"
    yield from (f"| {said} | {meaning} |" for said, meaning in rows)


if __name__ == "__main__":
    main()
