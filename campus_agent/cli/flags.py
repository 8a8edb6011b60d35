"""Every setting as a flag, on every command, before or after the command's name."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

import click
from pydantic import SecretStr
from pydantic_core import PydanticUndefined

from campus_agent.layers import Loaded, load, setting_type
from campus_agent.settings import Settings

if TYPE_CHECKING:
    from pydantic.fields import FieldInfo

SECTIONS = {
    "provider": "The model",
    "max_steps": "The run",
    "guardrail": "What may be said",
    "kb": "The campus",
    "journal": "The journal",
    "theme": "The screen",
}
"""The setting that begins a section of the help and of the reference page, and the section's title."""

_FLAGS = "campus_agent.flags"
_CONFIG = "campus_agent.config"


class Command(click.Command):
    """A command that takes every setting as a flag."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Return the command's own parameters, then the flags of the settings."""
        return [*super().get_params(ctx), *setting_flags()]

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the command's own options, then the settings section by section."""
        sections: dict[str, list[tuple[str, str]]] = {}
        for option in self.get_params(ctx):
            record = option.get_help_record(ctx)
            if record and isinstance(option, click.Option):
                title = option.section if isinstance(option, SettingFlag) else "Options"
                sections.setdefault(title, []).append(record)
        for title, records in sections.items():
            with formatter.section(title):
                formatter.write_dl(records)


class Group(Command, click.Group):
    """A group of commands, all of which take every setting as a flag."""

    command_class = Command

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands first: they are what a reader looks for."""
        self.format_commands(ctx, formatter)
        Command.format_options(self, ctx, formatter)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; what looks like a question is told where questions go."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            if " " not in args[0]:
                raise
            raise click.UsageError(f'{error.message} For a question: campus-agent ask "..."', ctx) from None


class SettingFlag(click.Option):
    """A flag that is kept for `loaded`, whichever command of the line it was given to."""

    def __init__(self, declarations: list[str], *, section: str, **options: Any) -> None:  # noqa: ANN401 - click's own
        super().__init__(declarations, expose_value=False, default=None, callback=_keep, **options)
        self.section = section


def loaded(context: click.Context, **more: Any) -> Loaded:  # noqa: ANN401 - values of any setting
    """Read the settings with the flags of this command line; `more` are further flags, which win."""
    return load({**context.meta.get(_FLAGS, {}), **more}, config=context.meta.get(_CONFIG))


def config_flag(context: click.Context) -> str | None:
    """Return the path given with `--config`, if it was."""
    return context.meta.get(_CONFIG)


@cache
def setting_flags() -> tuple[click.Option, ...]:
    """Make a flag of every setting but the secret ones, and `--config`."""
    config = SettingFlag(
        ["--config"],
        section="Options",
        type=click.Path(),
        metavar="FILE",
        help="Read the settings from this file instead of the standard one.",
    )
    flags: list[click.Option] = [config]
    section = ""
    for name, field in Settings.model_fields.items():
        section = SECTIONS.get(name, section)
        if setting_type(name) is not SecretStr:
            flags.append(SettingFlag(list(flag_names(name)), section=section, help=_help(field), **_kind(name, field)))
    return tuple(flags)


def flag_names(name: str) -> tuple[str, ...]:
    """Return how a setting is written as a flag, such as ("--max-steps",) or ("--stream/--no-stream",)."""
    dashed = name.replace("_", "-")
    return (f"--{dashed}/--no-{dashed}",) if setting_type(name) is bool else (f"--{dashed}",)


def default_text(field: FieldInfo) -> str:
    """Return a setting's default as a person would write it, "" for none."""
    match field.default:
        case True | False as switch:
            return "on" if switch else "off"
        case None | ():
            return ""
        case value if value is PydanticUndefined:
            return ""
        case float() as number:
            return f"{number:g}"
        case value:
            return str(value)


def _help(field: FieldInfo) -> str:
    default = default_text(field)
    return f"{field.description}  [default: {default}]" if default else field.description or ""


def _kind(name: str, field: FieldInfo) -> dict[str, Any]:
    """Return click's options for the setting's type. Numbers stay text here: the layers check and name them."""
    if get_origin(field.annotation) is Literal:
        return {"type": click.Choice(get_args(field.annotation))}
    if name == "kb":
        return {"type": click.Path(), "multiple": True, "metavar": "PATH"}
    kind = setting_type(name)
    if kind is bool:
        return {}
    return {"metavar": "NUMBER" if kind in (int, float) else "TEXT", "multiple": kind is tuple}


def _keep(context: click.Context, option: click.Parameter, value: Any) -> None:  # noqa: ANN401 - text, switch or tuple
    """Remember a flag that was given; a repeatable one gathers its values from both sides of the command's name."""
    if value is None or value == ():
        return
    name = str(option.name)
    if name == "config":
        context.meta[_CONFIG] = value
        return
    flags = context.meta.setdefault(_FLAGS, {})
    flags[name] = (*flags.get(name, ()), *value) if isinstance(value, tuple) else value
