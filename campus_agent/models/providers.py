"""Who serves the model: addresses, keys, and which key may be sent to which address."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import Any
from urllib.parse import SplitResult, urlsplit

from pydantic import SecretStr

from campus_agent.errors import SettingsError
from campus_agent.settings import Settings

OFFLINE = "offline"
CUSTOM = "custom"
OWN_KEY = "CAMPUS_AGENT_API_KEY"

_LABEL = re.compile(r"[\w-]{1,63}")  # of the name of a host, in letters of any language
_PASTED = re.compile(r"/(?:chat/completions|completions|models|embeddings|responses)$")


@dataclass(frozen=True)
class Provider:
    """A service, or a program, that speaks chat completions.

    Attributes:
        name: the value of the setting `provider`.
        base_url: its address.
        key_variable: the environment variable that holds its key; None where it needs none.
        default_model: what is used when no model is named; None: the first that the server lists, or none.
        address_variable: the environment variable that replaces its address, if it has one.
        needs: what is known of its abilities, so that it need not refuse a request first (see `abilities.py`).
    """

    name: str
    base_url: str
    key_variable: str | None = None
    default_model: str | None = None
    address_variable: str | None = None
    needs: Mapping[str, Any] = field(default_factory=dict)


PROVIDERS = (
    Provider(
        "nvidia",
        "https://integrate.api.nvidia.com/v1",
        "NVIDIA_API_KEY",
        "nvidia/llama-3.3-nemotron-super-49b-v1.5",
        "NIM_BASE_URL",
    ),
    Provider(
        "openai",
        "https://api.openai.com/v1",
        "OPENAI_API_KEY",
        "gpt-4.1-mini",
        "OPENAI_BASE_URL",
        needs={"room": "max_completion_tokens"},  # its reasoning models refuse the older name
    ),
    Provider("ollama", "http://localhost:11434/v1"),
    Provider("llama.cpp", "http://localhost:8080/v1"),
    Provider("lmstudio", "http://localhost:1234/v1"),
    Provider("vllm", "http://localhost:8000/v1"),
    Provider("groq", "https://api.groq.com/openai/v1", "GROQ_API_KEY", "llama-3.3-70b-versatile"),
    Provider("openrouter", "https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"),
    Provider(
        "mistral",
        "https://api.mistral.ai/v1",
        "MISTRAL_API_KEY",
        "mistral-small-latest",
        needs={"stream_options": False},  # refused as an unknown field; it counts tokens unasked
    ),
    Provider("together", "https://api.together.xyz/v1", "TOGETHER_API_KEY"),
)


@dataclass(frozen=True)
class Endpoint:
    """Where requests go, and what they carry.

    Attributes:
        provider: the provider's name, "custom" for a server that only its address describes.
        base_url: the address, with scheme and path and without a slash at its end.
        api_key: the key that may be sent there, None for none.
        model: the model's name; None: the first that the server lists.
        label: how a screen names the server.
        local: whether the server runs on this machine or in a private network.
        key_variable: the environment variable where its key belongs.
        needs: what is known of the server's abilities.
    """

    provider: str
    base_url: str
    api_key: SecretStr | None
    model: str | None
    label: str
    local: bool
    key_variable: str = OWN_KEY
    needs: Mapping[str, Any] = field(default_factory=dict)


def resolve(settings: Settings, environ: Mapping[str, str]) -> Endpoint | None:
    """Decide where the model is served and which key goes there; None stands for the offline model.

    Without a provider named: the server at `base_url`, else nvidia or openai where its key is set, else offline. A key
    goes to its own provider's host and nowhere else: with a `base_url` of any other host only the person's own key for
    it (`api_key`) is sent.

    Raises:
        SettingsError: an unknown provider, an address that is none, a hosted provider without a key or a model.
    """
    name = (settings.provider or "").strip().lower()
    if name == OFFLINE:
        return None
    provider = _named(name) if name and name != CUSTOM else None
    if settings.base_url:
        return _at_address(settings, environ, provider, _address(settings.base_url, "base_url"))
    if name == CUSTOM:
        raise SettingsError("No address is set for the provider custom.", next="Give the server's with --base-url.")
    provider = provider or next(
        (one for one in PROVIDERS if one.address_variable and _key(environ, one.key_variable)), None
    )
    return _at_provider(settings, environ, provider) if provider else None


def _named(name: str) -> Provider:
    known = {provider.name: provider for provider in PROVIDERS}
    if name not in known:
        raise SettingsError(
            f"There is no provider {name!r}.",
            next=f"Choose one of: {', '.join((OFFLINE, *known))}; or give any other server's address with --base-url.",
        )
    return known[name]


def _at_provider(settings: Settings, environ: Mapping[str, str], provider: Provider) -> Endpoint:
    """Use a preset at its own address, or at the one that its own variable gives."""
    variable = provider.address_variable or ""
    moved = environ.get(variable, "").strip()
    url = _address(moved, variable) if moved else provider.base_url
    others = (one for one in PROVIDERS if one.key_variable and one != provider)
    other = next((one for one in others if _host(one.base_url) == _host(url)), None)  # by whatever way it is reached
    if other:
        raise SettingsError(
            f"{variable} is the address of {other.name}, where the key of {provider.name} must not be sent.",
            next=f"Use --provider {other.name}, or unset {variable}.",
        )
    return _endpoint(settings, provider, url, _key(environ, provider.key_variable), provider.key_variable or OWN_KEY)


def _at_address(settings: Settings, environ: Mapping[str, str], provider: Provider | None, url: str) -> Endpoint:
    """Use the address that was given."""
    own = settings.api_key.get_secret_value() if settings.api_key else ""
    key, variable = _printable(own, "api_key") or _key(environ, OWN_KEY), OWN_KEY
    if not key and provider and provider.key_variable and _is_home(provider, url):
        key, variable = _key(environ, provider.key_variable), provider.key_variable
    return _endpoint(settings, provider, url, key, variable)


def _endpoint(settings: Settings, provider: Provider | None, url: str, key: str, variable: str) -> Endpoint:
    at_home = provider is not None and _is_home(provider, url)
    name = provider.name if provider else CUSTOM
    local = is_local(_host(url))
    if not key and not local and (provider is None or provider.key_variable):
        raise _no_key(name, _host(url), variable)
    model = settings.model or (provider.default_model if provider and at_home else None)
    if not model and not local:
        raise SettingsError(f"No model is named for {_host(url)}.", next="Name one with --model or CAMPUS_AGENT_MODEL.")
    needs = provider.needs if provider and at_home else {}
    place = urlsplit(url).netloc
    label = name if at_home else place if provider is None else f"{name} at {place}"
    return Endpoint(name, url, SecretStr(key) if key else None, model, label, local, variable, needs)


def _is_home(provider: Provider, url: str) -> bool:
    """Return whether `url` is the provider's own host, and as safe on the way there."""
    same_way = urlsplit(provider.base_url).scheme == urlsplit(url).scheme
    return same_way and _host(provider.base_url) == _host(url)


def is_local(host: str) -> bool:
    """Return whether `host` is this machine or in a private network, where servers need no key."""
    if host == "localhost" or host.endswith((".localhost", ".local", ".internal", ".lan")):
        return True
    try:
        address = ip_address(host)
    except ValueError:
        return "." not in host  # a bare name is one of the local network
    return address.is_private or address.is_loopback or address.is_link_local or address.is_unspecified


def _address(text: str, setting: str) -> str:
    """Return an address in the form that requests use; what people paste is mended where it is clear."""
    text = text.strip().strip("\"'")
    parts = _split(text if "://" in text else f"http://{text}", setting)
    if parts.username or parts.password:
        raise SettingsError(
            f"{setting} has a name or password in it, which could end up on a screen or in a log.",
            next=f"Give the address alone, and the key in {OWN_KEY}.",
        )
    host = (parts.hostname or "").removesuffix(".")
    if parts.scheme not in ("http", "https") or not _is_host(host) or parts.query or parts.fragment:
        raise SettingsError(
            f"{setting} is no address of a server.",
            next="It looks like http://localhost:8000/v1 or https://host/v1, with nothing behind the path.",
        )
    scheme = parts.scheme if "://" in text or is_local(host) else "https"
    reachable = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    place = f"[{reachable}]" if ":" in reachable else reachable
    port = f":{parts.port}" if parts.port else ""
    path = _PASTED.sub("", parts.path.rstrip("/")).rstrip("/")
    return f"{scheme}://{place}{port}{path or '/v1'}"


def _is_host(text: str) -> bool:
    """Return whether a server can be called so: by names with dots between them, or by numbers with colons."""
    return ":" in text or all(_LABEL.fullmatch(label) for label in text.split("."))


def _split(text: str, setting: str) -> SplitResult:
    try:
        parts = urlsplit(text)
        _ = parts.port  # read here, because a bad one raises only when it is read
    except ValueError:
        raise SettingsError(f"{setting} is no address of a server.", next="Look at its port and brackets.") from None
    return parts


def _host(url: str) -> str:
    """Return the host of an address; in small letters and without a final dot, which names the same one."""
    return (urlsplit(url).hostname or "").removesuffix(".")


def _key(environ: Mapping[str, str], variable: str | None) -> str:
    return _printable(environ.get(variable, ""), variable) if variable else ""


def _printable(key: str, where: str) -> str:
    key = key.strip()
    if not (key.isascii() and key.isprintable()) or " " in key:
        raise SettingsError(
            f"The key in {where} holds characters that no key has.", next="Copy it again, the key alone."
        )
    return key


def _no_key(name: str, host: str, variable: str) -> SettingsError:
    ways = (
        f'  bash, zsh:   export {variable}="your-key"',
        f'  fish:        set -gx {variable} "your-key"',
        f'  PowerShell:  $env:{variable} = "your-key"',
        f"  cmd:         set {variable}=your-key",
    )
    no_key_needed = (
        "" if name != CUSTOM else "\nIf that server needs no key, say what runs there, such as --provider vllm."
    )
    return SettingsError(
        f"There is no key for {host if name == CUSTOM else name}.",
        f"The variable {variable} is not set, and no other key may be sent to {host}.",
        "Set it, then start again:\n" + "\n".join(ways) + no_key_needed,
    )


def known_keys(settings: Settings, environ: Mapping[str, str]) -> tuple[str, ...]:
    """Return every key that this start of the program could know, so that none ends up in a file."""
    own = settings.api_key.get_secret_value() if settings.api_key else ""
    variables = (OWN_KEY, *(provider.key_variable for provider in PROVIDERS if provider.key_variable))
    return tuple(filter(None, (own, *(environ.get(name, "").strip() for name in variables))))
