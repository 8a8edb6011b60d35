from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from campus_agent.assemble import assemble
from campus_agent.knowledge.base import KnowledgeBase
from campus_agent.knowledge.passage import Passage
from campus_agent.knowledge.semantic import local
from campus_agent.knowledge.semantic.embedder import EmbeddingFailed
from campus_agent.knowledge.semantic.local import LocalEmbedder
from campus_agent.knowledge.semantic.setting import search_by_meaning
from campus_agent.settings import Settings

TEXTS = ("A physician sees students in the infirmary.", "Stipends are paid on the first of the month.", "")


@pytest.fixture(scope="module")
def embedder() -> LocalEmbedder:
    return LocalEmbedder()


def searchable(*texts: str) -> KnowledgeBase:
    return KnowledgeBase("test", [Passage("", text, "facts.md", n) for n, text in enumerate(texts, 1)])


def test_each_text_has_a_vector_of_length_one_and_an_empty_one_of_zeros(embedder: LocalEmbedder) -> None:
    vectors = embedder.embed(TEXTS, "passage")
    assert (vectors.shape, vectors.dtype) == ((3, 256), np.float32)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 1, 0], abs=1e-6)


def test_what_means_nearly_the_same_is_nearer_than_what_does_not(embedder: LocalEmbedder) -> None:
    physician, stipends, _ = embedder.embed(TEXTS, "passage")
    ill, money = embedder.embed(["which doctor treats patients", "when do I get my salary"], "query")
    assert ill @ physician > ill @ stipends
    assert money @ stipends > money @ physician


def test_the_vectors_are_those_of_the_package_that_the_weights_come_from(embedder: LocalEmbedder) -> None:
    probe = (
        "import sys, json, logging; logging.getLogger().addHandler(logging.NullHandler())\n"
        "import wordllama; from pathlib import Path\n"
        "model = wordllama.WordLlama.load(cache_dir=Path(wordllama.__file__).parent, disable_download=True)\n"
        "print(json.dumps(model.embed([sys.argv[1]], norm=True)[0].tolist()))"
    )
    done = subprocess.run([sys.executable, "-c", probe, TEXTS[0]], capture_output=True, check=True, timeout=60)
    assert embedder.embed(TEXTS[:1], "query")[0] == pytest.approx(json.loads(done.stdout), abs=1e-5)


def test_no_network_and_no_logging_is_turned_on_and_the_package_itself_is_not_imported() -> None:
    probe = (
        "import logging, socket, sys\n"
        "socket.socket.connect = None\n"
        "from campus_agent.knowledge.semantic.local import LocalEmbedder\n"
        "LocalEmbedder().embed(['a'], 'query')\n"
        "print(logging.getLogger().handlers, sorted({'wordllama', 'requests', 'torch', 'openai'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "[] []"


def test_weights_that_cannot_be_read_are_said_and_the_words_are_searched(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(local, "_WEIGHTS", tmp_path / "none.safetensors")
    with pytest.raises(EmbeddingFailed, match="cannot be read"):
        LocalEmbedder().embed(["a"], "query")
    base = searchable("The library opens at eight.")
    base.understand(LocalEmbedder())
    found = base.search("library opens")
    assert found.found
    assert "Install it again" in found.notes[0]


# ---- the setting ---------------------------------------------------------------------------------------------------


def test_local_is_asked_for_by_its_name_and_off_is_what_there_is_without() -> None:
    base = searchable("A physician sees students in the infirmary.", "The gymnasium opens at nine.")
    assert search_by_meaning(base, Settings(), {}) == ""
    assert not base.search("medical treatment of patients").found
    asked = searchable("A physician sees students in the infirmary.", "The gymnasium opens at nine.")
    assert search_by_meaning(asked, Settings(semantic=" Local "), {}) == ""
    assert asked.search("medical treatment of patients").found


def test_without_the_extra_it_is_said_what_to_install_and_the_words_are_searched(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(local, "_PACKAGES", ("no_such_package_at_all",))
    about = assemble(Settings(semantic="local"), environ={}).about
    assert [problem for problem in about.problems if "pip install 'campus-agent[semantic]'" in problem]


@pytest.mark.parametrize("name", ["nvidia/nv-embedqa-e5-v5", "nvidia:nvidia/nv-embedqa-e5-v5", "ollama:"])
def test_a_model_that_no_server_is_set_for_is_said_and_the_words_are_searched(name: str) -> None:
    base = searchable("The library opens at eight.")
    assert "left out, so words alone are searched" in search_by_meaning(base, Settings(semantic=name), {})
    assert base.search("library opens").found


def test_a_base_in_postgresql_is_searched_by_words_and_that_is_said() -> None:
    settings = Settings(semantic="local", kb=("postgresql://localhost/campus",))
    assert "PostgreSQL" in search_by_meaning(searchable("A"), settings, {})


def test_the_command_line_says_what_adds_to_a_score_and_what_was_left_out() -> None:
    from click.testing import CliRunner

    from campus_agent.cli.kb_search import search

    explained = CliRunner().invoke(search, ["--semantic", "local", "--explain", "AI Club"])
    assert "near in meaning" in explained.stdout
    left_out = CliRunner().invoke(search, ["--semantic", "some-model", "--json", "AI Club"])
    assert "some-model left out" in left_out.stderr
    assert json.loads(left_out.stdout)["found"] is True
