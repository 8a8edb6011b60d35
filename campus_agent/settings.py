"""Every setting, once: its name, type, default, bounds and description.

The command line's flags, the names in the environment, the configuration file, `config show` and the reference page in
docs/ are all made from this list. Beside it stands how what is wrong with a value is said.
"""

from __future__ import annotations

import tomllib
from datetime import datetime
from typing import Annotated, Any, Literal
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, SecretStr, field_validator
from pydantic_core import ErrorDetails

from campus_agent.agent.events import Budgets
from campus_agent.guardrail.review import GuardrailMode
from campus_agent.text import one_line, without_credentials

_EARLIEST, _LATEST = 1900, 2200  # years
REFUSAL = "I don't have that information — check with the USC AI Club."
THEMES = (
    *(
        "campus-dark",
        "campus-light",
        "campus-contrast",
        "textual-dark",
        "textual-light",
        "ansi-dark",
        "ansi-light",
        "atom-one-dark",
    ),
    *("atom-one-light", "catppuccin-frappe", "catppuccin-latte", "catppuccin-macchiato", "catppuccin-mocha"),
    *("dracula", "flexoki", "gruvbox", "monokai", "nord", "rose-pine", "rose-pine-dawn", "rose-pine-moon"),
    *("solarized-dark", "solarized-light", "tokyo-night"),
)


def _instant(value: object) -> object:
    if not isinstance(value, str):
        return value
    try:
        return datetime.fromisoformat(value.strip())
    except ValueError:
        raise ValueError(f"{value!r} is not a date and time such as 2026-06-13T10:00:00-07:00") from None


def _near(moment: datetime | None) -> datetime | None:
    """Refuse a moment so early or late that counting from it would leave the calendar."""
    if moment is not None and not _EARLIEST <= moment.year <= _LATEST:
        raise ValueError(f"should be between the years {_EARLIEST} and {_LATEST}, not in {moment.year}")
    return moment


def _visible(text: str) -> str:
    if not any(character.isprintable() for character in text.replace(" ", "")):
        raise ValueError("should be a text that is not empty or blank")
    return text


Text = Annotated[str, AfterValidator(_visible)]  # with something in it to read, which white space of no kind is
Seconds = Annotated[float, Field(gt=0, le=86_400)]
Retries = Annotated[int, Field(ge=0, le=20)]


class Settings(BaseModel):
    """All settings of one start. `Settings(...)` reads nothing else; `Settings.load(...)` reads every layer.

    Times are seconds, lengths characters, retries tries after the first. Raises `pydantic.ValidationError` for an
    unknown name or a value out of range.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    # The model
    provider: str | None = Field(None, description="Who serves the model: offline, nvidia, openai, ollama, ...")
    model: str | None = Field(None, description="The model's name, as its server knows it.")
    base_url: str | None = Field(
        None, description="The address of an OpenAI-compatible server, such as http://localhost:8000/v1."
    )
    api_key: SecretStr | None = Field(
        None, description="The key for base_url. Only in the file or the environment, never a flag."
    )
    protocol: Literal["auto", "native", "json", "text"] = Field(
        "auto", description="How the model calls tools: natively, by JSON decisions, or as text; auto finds out."
    )
    stream: bool = Field(True, description="Show the answer while it is being written.")
    temperature: float = Field(
        0.2, ge=0, le=2, description="How freely the model chooses its words; 0 is the steadiest."
    )
    max_tokens: int = Field(800, ge=1, description="The most tokens that the model may write in one step.")
    request_retries: Retries = Field(
        2, description="Tries after the first when the server fails or the connection is lost."
    )
    first_byte_timeout: Seconds = Field(60.0, description="Longest wait for a reply to begin.")
    idle_timeout: Seconds = Field(20.0, description="Longest silence in the middle of a reply.")

    # The run
    max_steps: int = Field(5, ge=1, le=100, description="Most steps (model calls) of a run.")
    max_tool_calls: int = Field(15, ge=0, le=1000, description="Most tool calls of a run.")
    parse_retries: Retries = Field(1, description="Unreadable replies in a row that are sent back before the run ends.")
    tool_retries: Retries = Field(1, description="Tries after the first when a read-only tool raises an error.")
    deadline: Seconds = Field(180.0, description="Longest time for a whole run.")
    history_turns: int = Field(
        8, ge=0, le=1000, description="Earlier questions, with their steps, that the model still sees."
    )
    observation_chars: int = Field(
        4000, ge=200, description="Most characters of one tool's result that the model reads."
    )
    tool_errors: Literal["observe", "fail"] = Field(
        "observe", description="A tool that fails: shown to the model, or ends the run."
    )
    plan: bool = Field(False, description="Let the model write down first what it means to do.")
    tool_names: tuple[Text, ...] = Field(
        (), description="Offer only these tools (repeatable); all of them when none is named."
    )

    # What may be said
    guardrail: GuardrailMode = Field(
        "strict", description="An answer with an unsupported fact: replaced, marked, or shown."
    )
    verifier: bool = Field(
        False, description="Ask the model for a yes or no to each checked answer; without a yes it is not said."
    )
    reflection_rounds: int = Field(
        0, ge=0, le=10, description="How often a critic may send a draft back to be written better."
    )
    refusal: Text = Field(REFUSAL, description="The line that is said when the information is not there.")
    system_prompt: str | None = Field(
        None, description="Your own instructions to the model, instead of the built-in ones."
    )
    additional_instructions: str | None = Field(None, description="Something to add to the instructions.")

    # The campus
    kb: tuple[Text, ...] = Field(
        (),
        description="A folder or file to answer from (repeatable), or postgresql://HOST/DATABASE; "
        "the bundled demo when none is named.",
    )
    topics: tuple[Text, ...] = Field(
        (), description="What the assistant is for (repeatable); taken from the base when none is named."
    )
    language: str = Field(
        "english", description="The language of the base, for stemming and stop words; auto finds out."
    )
    semantic: Text = Field(
        "off",
        description="Search by meaning too, not by words alone: local (small weights on this machine, for English; the "
        "extra `semantic`), minilm or a FOLDER (a sentence encoder on this machine: better, slower to begin), or an "
        "embeddings model by its name on the model's server, or on another as ollama:NAME. That server is sent the "
        "passages once, and each query.",
    )
    timezone: str = Field("America/Los_Angeles", description="The campus time zone, an IANA name.")
    now: Annotated[datetime | None, BeforeValidator(_instant), AfterValidator(_near)] = Field(
        None, description="Pretend that it is this moment; without an offset, campus time."
    )

    # The journal
    journal: bool = Field(True, description="Keep every run in the journal, on this machine only.")
    journal_path: str | None = Field(
        None, description="The journal's file; in the person's own data folder when none is named."
    )
    journal_days: int = Field(365, ge=1, le=36_500, description="Days for which a run is kept.")
    journal_megabytes: int = Field(
        500, ge=1, le=100_000, description="Most room for the journal; the oldest runs make way."
    )

    # The screen
    theme: str | None = Field(None, description="The colour theme of the app.")
    step: bool = Field(False, description="In the app: pause before each model call and each tool.")

    @field_validator("timezone")
    @classmethod
    def _known_zone(cls, name: str) -> str:
        try:
            ZoneInfo(name)
        except (ValueError, OSError, KeyError):
            raise ValueError(
                f"{name!r} is no IANA time zone; one looks like America/Los_Angeles or Europe/Madrid"
            ) from None
        return name

    @field_validator("theme")
    @classmethod
    def _known_theme(cls, name: str | None) -> str | None:
        if name is not None and name not in THEMES:
            raise ValueError(f"{name!r} is no theme; there are {', '.join(THEMES)}")
        return name

    @property
    def zone(self) -> ZoneInfo:
        """The campus time zone."""
        return ZoneInfo(self.timezone)

    @property
    def budgets(self) -> Budgets:
        """What a run may use."""
        return Budgets(**{name: getattr(self, name) for name in Budgets.model_fields})

    @classmethod
    def load(cls, **flags: Any) -> Settings:  # noqa: ANN401 - whatever the caller's flags hold, checked by pydantic
        """Read every layer: `flags`, then the environment, the configuration file, the base, the defaults."""
        from campus_agent.layers import load

        return load(flags).settings


def read_toml(data: bytes) -> dict[str, Any]:
    """Return what a TOML file holds; raise `ValueError`, in words for the person who wrote it, when it is none."""
    try:
        return tomllib.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise ValueError("it is not UTF-8 text") from None
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"it is not valid TOML: {one_line(str(error))}") from None
    except RecursionError:
        raise ValueError("it is not valid TOML: it is nested too deeply") from None
    except ValueError:  # what Python says of a whole number of thousands of digits
        raise ValueError("it is not valid TOML: a number in it is too long") from None


def in_words(fault: ErrorDetails, *, secret: bool = False) -> str:
    """Say what is wrong with a value, such as "should be a whole number, not 'five'"; a secret one is not shown."""
    if fault["type"] == "value_error":
        return one_line(str(fault["ctx"]["error"]), 1000)
    wanted = {
        "bool_type": "true or false",
        "int_type": "a whole number",
        "float_type": "a number",
        "finite_number": "an ordinary number",
        "string_type": "a text in quotes",
        "tuple_type": 'a list of texts, such as ["one", "two"]',
        "datetime_type": "a date and time, such as 2026-06-13T10:00:00-07:00",
    }.get(fault["type"], fault["msg"].removeprefix("Input should be "))
    return f"should be {wanted}" + ("" if secret else f", not {_shown(fault['input'])}")


def _shown(value: object) -> str:
    """Return a value as it may stand in a message: short, and without the password of an address."""
    try:
        return one_line(without_credentials(repr(value)), 80)
    except (ValueError, RecursionError):  # a number of thousands of digits, a table that nests as deeply
        return "what is there"
