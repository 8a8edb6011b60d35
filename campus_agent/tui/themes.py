"""The app's own themes, and the meaning of its colours in every other theme."""

from __future__ import annotations

from dataclasses import replace

from textual.theme import BUILTIN_THEMES, Theme

DARK = Theme(
    name="campus-dark",
    primary="#8fa6c9",
    secondary="#8a93a6",
    accent="#8fa6c9",
    success="#86d993",
    warning="#f0bd5f",
    error="#ff8f85",
    foreground="#dde1ea",
    background="#14161c",
    surface="#1b1e26",
    panel="#242833",
    dark=True,
    variables={"acting": "#cfa2ff", "observing": "#66c7ee", "rule": "#343a48", "muted": "#98a1b3"},
)

LIGHT = Theme(
    name="campus-light",
    primary="#41587f",
    secondary="#5b6475",
    accent="#41587f",
    success="#176b2c",
    warning="#7d5200",
    error="#ab1f17",
    foreground="#1d222b",
    background="#fbfaf7",
    surface="#f1efe9",
    panel="#e6e3da",
    dark=False,
    variables={"acting": "#7533b0", "observing": "#08608f", "rule": "#cbc6ba", "muted": "#5d6573"},
)

CONTRAST = Theme(
    name="campus-contrast",
    primary="#ffffff",
    secondary="#e0e0e0",
    accent="#ffffff",
    success="#5cff7a",
    warning="#ffd84a",
    error="#ff9c94",
    foreground="#ffffff",
    background="#000000",
    surface="#000000",
    panel="#3a3a3a",
    dark=True,
    variables={"acting": "#e6b8ff", "observing": "#7ae0ff", "rule": "#c8c8c8", "muted": "#dcdcdc"},
)

OURS = (DARK, LIGHT, CONTRAST)


def usual(colours: str | None) -> str:
    """Return the theme for a terminal with so many colours, as rich names them: with 16 its own, else a dark one."""
    return "ansi-dark" if _few(colours) else DARK.name


def ours(colours: str | None) -> tuple[Theme, ...]:
    """Return our themes for a terminal with so many colours: with 16 each is drawn in the terminal's own.

    Of the nearest of 16 most of our colours would be the same grey, and what acts and what is observed no two colours.
    """
    return tuple(map(_in_its_own, OURS)) if _few(colours) else OURS


def _few(colours: str | None) -> bool:
    return colours in ("standard", "windows")


def _in_its_own(theme: Theme) -> Theme:
    own = BUILTIN_THEMES["ansi-dark" if theme.dark else "ansi-light"]
    plain = {"muted": "ansi_default", "rule": "ansi_default"} if theme is CONTRAST else {}
    return replace(own, name=theme.name, variables={**own.variables, **plain})


def meanings(theme: Theme) -> dict[str, str]:
    """Return the colours of acting, observing, rules and muted text for a theme that does not define them."""
    if theme.ansi:
        return {
            "acting": "ansi_magenta",
            "observing": "ansi_cyan",
            "rule": "ansi_bright_black",
            "muted": "ansi_bright_black",
        }
    ours = DARK if theme.dark else LIGHT
    return dict(ours.variables)
