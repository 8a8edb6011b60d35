"""Writes the reference page of the settings: `python -m campus_agent.cli.reference > docs/configuration.md`."""

from __future__ import annotations

import sys
from datetime import datetime
from typing import Literal, get_args, get_origin

from pydantic import SecretStr
from pydantic.fields import FieldInfo

from campus_agent.cli.flags import SECTIONS, default_text, flag_names
from campus_agent.layers import PREFIX, setting_type
from campus_agent.settings import Settings

_INTRODUCTION = """# Configuration

<!-- Written by `python -m campus_agent.cli.reference`; change campus_agent/settings.py instead. -->

Nothing has to be set: without any setting, campus-agent answers from the bundled demo with its offline model.

Each setting has one name. `max_steps`, for example, can be given in four places, and the first that has it wins:

1. as a flag, before or after the command: `campus-agent ask --max-steps 3 "When does the club meet?"`
2. in the environment: `CAMPUS_AGENT_MAX_STEPS=3`. A variable that is empty counts as unset. Several values stand in one
   variable with the system's path separator between them (`:`, on Windows `;`).
3. in the configuration file, which is TOML: `max_steps = 3`. `campus-agent config path` says where the file is looked
   for; `--config FILE` or `CAMPUS_AGENT_CONFIG` names another one. A relative `kb` in it begins at the file's folder.
4. for `refusal`, `timezone`, `language` and `topics`, in the `campus.toml` of the knowledge base. A base may set no
   other setting, because bases are passed from person to person.

`campus-agent config show` prints every value in force and where it came from. A name that does not exist, or a value
that cannot be right, is an error that names it; nothing is guessed.

A configuration file may look like this:

```toml
kb = ["~/campus/clubs", "~/campus/labs.csv"]
base_url = "http://localhost:8000/v1"
model = "llama-3.1-8b-instruct"
max_steps = 4
```

A key stands in the file or in the environment, never in a flag, where other people on the machine could read it.

Which model answers, when `provider` does not say it, is decided in this order:

| What is set | Who answers |
| --- | --- |
| `base_url` | that server, with `api_key` as its key; no other key is ever sent to it |
| `NVIDIA_API_KEY` in the environment | NVIDIA's hosted models, or the server at `NIM_BASE_URL` |
| `OPENAI_API_KEY` in the environment | OpenAI, or the server at `OPENAI_BASE_URL` |
| nothing | the offline model, which needs no network |

Times are in seconds, lengths in characters, and retries are tries after the first.
"""


def page() -> str:
    """Return the whole page as Markdown."""
    lines = [_INTRODUCTION]
    for name, field in Settings.model_fields.items():
        if name in SECTIONS:
            lines += [
                f"\n## {SECTIONS[name]}\n",
                "| Setting | Flag | Variable | Values | Default | Meaning |",
                "| --- | --- | --- | --- | --- | --- |",
            ]
        lines.append(_row(name, field))
    return "\n".join(lines) + "\n"


def main() -> None:
    """Write the page to standard output."""
    sys.stdout.write(page())


def _row(name: str, field: FieldInfo) -> str:
    secret = setting_type(name) is SecretStr
    flag = "" if secret else " ".join(f"`{part}`" for part in flag_names(name)[0].split("/"))
    default = default_text(field)
    cells = (
        f"`{name}`",
        flag,
        f"`{PREFIX}{name.upper()}`",
        _values(name, field),
        f"`{default}`" if default else "",
        field.description or "",
    )
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _values(name: str, field: FieldInfo) -> str:
    """Say in words what a setting may hold."""
    if get_origin(field.annotation) is Literal:
        return ", ".join(f"`{choice}`" for choice in get_args(field.annotation))
    words: dict[type, str] = {
        bool: "on or off",
        int: "whole number",
        float: "number",
        tuple: "list of texts",
        datetime: "date and time",
        SecretStr: "text",
    }
    return words.get(setting_type(name), "text") + _bounds(field)


def _bounds(field: FieldInfo) -> str:
    limits = {
        bound: getattr(part, bound) for part in field.metadata for bound in ("gt", "ge", "le") if hasattr(part, bound)
    }
    words = {"gt": "above", "ge": "at least", "le": "at most"}
    return "".join(f", {words[bound]} {limit:g}" for bound, limit in limits.items())


if __name__ == "__main__":
    main()
