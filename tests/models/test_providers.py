from __future__ import annotations

import pytest

from campus_agent.errors import SettingsError
from campus_agent.models.abilities import Abilities
from campus_agent.models.providers import PROVIDERS, Endpoint, is_local, resolve
from campus_agent.settings import Settings

NVIDIA, OPENAI, GROQ, OWN = "nvapi-1", "sk-2", "gsk-3", "own-4"
KEYS = {"NVIDIA_API_KEY": NVIDIA, "OPENAI_API_KEY": OPENAI, "GROQ_API_KEY": GROQ}


def found(environ: dict[str, str], **settings: str) -> Endpoint:
    endpoint = resolve(Settings(**settings), environ)  # type: ignore[arg-type]
    assert endpoint is not None
    return endpoint


def sent(environ: dict[str, str], **settings: str) -> tuple[str, str | None]:
    """Return the address, and the key that goes there."""
    endpoint = found(environ, **settings)
    return endpoint.base_url, endpoint.api_key.get_secret_value() if endpoint.api_key else None


@pytest.mark.parametrize(
    "environ", [{}, {"GROQ_API_KEY": GROQ}, {"NVIDIA_API_KEY": " "}, {"NIM_BASE_URL": "http://localhost:1"}]
)
def test_without_a_key_of_nvidia_or_openai_the_model_is_offline(environ: dict[str, str]) -> None:
    assert resolve(Settings(), environ) is None


def test_offline_can_be_asked_for_whatever_else_is_set() -> None:
    assert resolve(Settings(provider="offline", base_url="http://localhost:1"), KEYS) is None


@pytest.mark.parametrize(
    ("environ", "settings", "address", "key"),
    [
        (KEYS, {}, "https://integrate.api.nvidia.com/v1", NVIDIA),
        ({"OPENAI_API_KEY": OPENAI}, {}, "https://api.openai.com/v1", OPENAI),
        (KEYS, {"provider": "openai"}, "https://api.openai.com/v1", OPENAI),
        (KEYS, {"provider": "groq"}, "https://api.groq.com/openai/v1", GROQ),
        (KEYS, {"provider": "ollama"}, "http://localhost:11434/v1", None),
        ({**KEYS, "NIM_BASE_URL": "http://localhost:8000/v1"}, {}, "http://localhost:8000/v1", NVIDIA),
        (
            {"OPENAI_API_KEY": OPENAI, "OPENAI_BASE_URL": "https://gate.example/v1"},
            {"model": "m"},
            "https://gate.example/v1",
            OPENAI,
        ),
        ({"NIM_BASE_URL": "http://localhost:8000"}, {"provider": "nvidia"}, "http://localhost:8000/v1", None),
    ],
)
def test_a_preset_is_used_with_its_own_key(environ: dict, settings: dict, address: str, key: str | None) -> None:
    assert sent(environ, **settings) == (address, key)


def test_what_is_known_of_a_provider_holds_on_its_own_host_only() -> None:
    at_home = found({"MISTRAL_API_KEY": "k"}, provider="mistral")
    elsewhere = found({}, provider="mistral", base_url="http://localhost:1", model="m")
    assert (at_home.needs, elsewhere.needs) == ({"stream_options": False}, {})


@pytest.mark.parametrize("provider", PROVIDERS, ids=lambda provider: provider.name)
def test_what_is_known_of_a_provider_are_abilities(provider) -> None:
    known = Abilities(**provider.needs)
    assert all(getattr(known, name) == value != getattr(Abilities(), name) for name, value in provider.needs.items())


@pytest.mark.parametrize("provider", [None, "nvidia", "openai", "groq", "vllm"])
def test_with_an_address_only_the_key_for_it_is_sent(provider: str | None) -> None:
    settings = {"base_url": "https://gate.example/v1", "model": "m", **({"provider": provider} if provider else {})}
    assert sent({**KEYS, "CAMPUS_AGENT_API_KEY": OWN}, **settings)[1] == OWN
    assert sent(KEYS, api_key=OWN, **settings)[1] == OWN
    assert sent(KEYS, base_url="http://127.0.0.1:9/v1", **({"provider": provider} if provider else {}))[1] is None


def test_the_key_of_a_preset_is_sent_to_its_own_host_when_the_preset_is_named() -> None:
    address = "https://api.groq.com/other/v1"
    assert sent(KEYS, provider="groq", base_url=address) == (address, GROQ)
    assert sent(KEYS, provider="groq", base_url=address, api_key=OWN) == (address, OWN)
    with pytest.raises(SettingsError, match="no key"):
        resolve(Settings(base_url=address, model="m"), KEYS)


def test_the_own_key_is_for_an_address_and_never_goes_to_a_preset() -> None:
    with pytest.raises(SettingsError, match="no key for groq"):
        resolve(Settings(provider="groq", api_key=OWN), {"CAMPUS_AGENT_API_KEY": OWN})  # type: ignore[arg-type]


def test_a_key_does_not_follow_an_address_variable_to_another_provider() -> None:
    with pytest.raises(SettingsError, match="NIM_BASE_URL is the address of openai"):
        resolve(Settings(model="m"), {"NVIDIA_API_KEY": NVIDIA, "NIM_BASE_URL": "https://api.openai.com/v1"})


@pytest.mark.parametrize(
    "address",
    [
        "http://api.groq.com/openai/v1",
        "https://API.groq.com/openai/v1",
        "https://api.groq.com./openai/v1",
        "https://api.groq.com:443/v1",
        "api.groq.com",
    ],
)
def test_another_provider_is_recognised_however_its_address_is_written(address: str) -> None:
    with pytest.raises(SettingsError, match="OPENAI_BASE_URL is the address of groq"):
        resolve(Settings(model="m"), {"OPENAI_API_KEY": OPENAI, "OPENAI_BASE_URL": address})


def test_custom_is_the_server_at_the_address_that_is_given() -> None:
    endpoint = found(KEYS, provider="custom", base_url="http://localhost:9/v1")
    assert (endpoint.provider, endpoint.base_url, endpoint.api_key) == ("custom", "http://localhost:9/v1", None)
    with pytest.raises(SettingsError) as caught:
        resolve(Settings(provider="custom"), KEYS)
    assert "--base-url" in caught.value.explanation.next


def test_a_key_of_a_preset_is_never_sent_in_the_clear_to_a_host_on_the_internet() -> None:
    with pytest.raises(SettingsError, match="no key"):
        resolve(Settings(provider="openai", base_url="http://api.openai.com/v1"), KEYS)


def test_a_hosted_provider_without_a_key_says_how_to_set_it_in_each_shell() -> None:
    with pytest.raises(SettingsError) as caught:
        resolve(Settings(provider="nvidia"), {})
    advice = caught.value.explanation.next
    assert 'export NVIDIA_API_KEY="' in advice
    assert 'set -gx NVIDIA_API_KEY "' in advice
    assert '$env:NVIDIA_API_KEY = "' in advice
    assert "set NVIDIA_API_KEY=" in advice
    assert ".env" not in advice


def test_an_unknown_provider_is_answered_with_the_known_ones() -> None:
    with pytest.raises(SettingsError) as caught:
        resolve(Settings(provider="nvidea"), {})
    assert all(name in caught.value.explanation.next for name in ("offline", *(one.name for one in PROVIDERS)))


@pytest.mark.parametrize(
    ("written", "address"),
    [
        ("http://localhost:8000/v1/", "http://localhost:8000/v1"),
        ("http://localhost:8000", "http://localhost:8000/v1"),
        ("localhost:8000", "http://localhost:8000/v1"),
        ("192.168.1.5:8000/v1", "http://192.168.1.5:8000/v1"),
        ("gate.example/v1", "https://gate.example/v1"),
        ("http://localhost:8000/v1/chat/completions", "http://localhost:8000/v1"),
        ("http://localhost:8000/v1/models", "http://localhost:8000/v1"),
        ("http://0.0.0.0:8000/v1", "http://127.0.0.1:8000/v1"),
        ("http://[::1]:8000/v1", "http://[::1]:8000/v1"),
        (' "http://localhost:8000/api/v3" ', "http://localhost:8000/api/v3"),
        ("HTTP://LocalHost:8000/V1", "http://localhost:8000/V1"),
    ],
)
def test_an_address_is_understood_as_people_paste_it(written: str, address: str) -> None:
    assert found({"CAMPUS_AGENT_API_KEY": OWN}, base_url=written, model="m").base_url == address


@pytest.mark.parametrize(
    "written",
    [
        "ftp://a.example",
        "http://",
        "http://a.example/v1?key=secret",
        "http://a.example:port",
        "https://me:secret@a.example/v1",
        "me:secret@a.example",
        "not an address",
        "http://two words/v1",
        "http://[::1",
        "http://<host>:8000/v1",
        "http://a,b",
        "https://a..example/v1",
        "https://.example",
        f"https://{'a' * 64}.example",
    ],
)
def test_what_is_no_address_is_refused_without_showing_what_may_be_secret(written: str) -> None:
    with pytest.raises(SettingsError, match="base_url") as caught:
        resolve(Settings(base_url=written, model="m"), {"CAMPUS_AGENT_API_KEY": OWN})
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("host", "local"),
    [
        ("localhost", True),
        ("127.0.0.1", True),
        ("127.8.8.8", True),
        ("0.0.0.0", True),
        ("::1", True),
        ("10.1.2.3", True),
        ("192.168.0.9", True),
        ("172.20.0.2", True),
        ("fe80::1", True),
        ("gpu-box", True),
        ("gpu.local", True),
        ("host.docker.internal", True),
        ("8.8.8.8", False),
        ("localhost.example.com", False),
        ("api.openai.com", False),
        ("2606:4700::1", False),
    ],
)
def test_a_host_of_this_machine_or_a_private_network_needs_no_key(host: str, local: bool) -> None:
    assert is_local(host) is local


def test_no_model_is_needed_where_the_server_can_be_asked_or_has_a_default() -> None:
    assert found(KEYS).model == "nvidia/llama-3.3-nemotron-super-49b-v1.5"
    assert found(KEYS, model="other").model == "other"
    assert found({}, base_url="http://localhost:8000").model is None
    assert found({**KEYS, "NIM_BASE_URL": "http://localhost:8000"}).model is None
    with pytest.raises(SettingsError, match="No model"):
        resolve(Settings(provider="openrouter"), {"OPENROUTER_API_KEY": "x"})


def test_a_server_that_needs_no_key_can_stand_anywhere_when_it_is_named() -> None:
    assert sent(KEYS, provider="vllm", base_url="https://gpu.example/v1", model="m") == ("https://gpu.example/v1", None)
    with pytest.raises(SettingsError) as caught:
        resolve(Settings(base_url="https://gpu.example/v1", model="m"), KEYS)
    assert "--provider vllm" in caught.value.explanation.next


@pytest.mark.parametrize("key", ["two words", "kéy", "line\nbreak"])
def test_a_key_that_cannot_be_one_is_refused_by_the_name_of_its_variable(key: str) -> None:
    with pytest.raises(SettingsError, match="OPENAI_API_KEY") as caught:
        resolve(Settings(provider="openai"), {"OPENAI_API_KEY": key})
    assert key not in str(caught.value)


def test_a_key_is_never_shown_by_the_endpoint() -> None:
    assert NVIDIA not in repr(found(KEYS))


@pytest.mark.parametrize(
    ("settings", "label"),
    [
        ({}, "nvidia"),
        ({"base_url": "http://localhost:8000"}, "localhost:8000"),
        ({"provider": "vllm", "base_url": "http://gpu:1"}, "vllm at gpu:1"),
    ],
)
def test_the_label_says_where_the_model_is(settings: dict[str, str], label: str) -> None:
    assert found(KEYS, **settings).label == label
