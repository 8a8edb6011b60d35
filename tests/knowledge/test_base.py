from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from campus_agent.errors import KnowledgeError
from campus_agent.knowledge.base import KnowledgeBase, Problem

FACT = "The library opens at eight on weekdays."


def write(folder: Path, **files: str | bytes) -> Path:
    """Write files named like `clubs__md`, with a double underscore for the dot."""
    for name, content in files.items():
        path = folder / name.replace("__", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def sources(base: KnowledgeBase) -> list[str]:
    return [passage.source for passage in base.passages]


def problems(base: KnowledgeBase) -> list[str]:
    return [str(problem) for problem in base.problems]


def test_a_folder_is_read_with_its_sub_folders_in_a_fixed_order(tmp_path: Path):
    write(tmp_path, b__md=FACT, a__txt="The gym opens at six daily.")
    write(tmp_path / "labs", gpu__md="# GPU lab\n\nThe lab opens at ten daily.")
    base = KnowledgeBase.load([tmp_path])
    assert sources(base) == ["a.txt", "b.md", "labs/gpu.md"]
    assert (base.name, base.documents, base.passages[2].title, base.passages[2].line) == (
        tmp_path.name,
        3,
        "GPU lab",
        3,
    )


def test_one_file_is_a_base_too(tmp_path: Path):
    base = KnowledgeBase.load([write(tmp_path, clubs__md=FACT) / "clubs.md"])
    assert (base.name, sources(base)) == ("clubs.md", ["clubs.md"])


def test_documents_of_several_bases_are_named_by_base_only_where_they_would_be_confused(tmp_path: Path):
    first = write(tmp_path / "usc", clubs__md="Chess is played in hall one.", labs__md="A lab is in hall two.")
    second = write(tmp_path / "ucla", clubs__md="Chess is played in hall nine.")
    third = write(tmp_path / "old" / "usc", clubs__md="Chess was played in hall six.")
    base = KnowledgeBase.load([first, second, third, first])
    assert sources(base) == [f"{tmp_path.name}/usc/clubs.md", "labs.md", "ucla/clubs.md", "old/usc/clubs.md"]


def test_what_is_said_again_under_the_same_title_is_one_passage(tmp_path: Path):
    text = f"# Library\n\n{FACT}\n"
    base = KnowledgeBase.load([write(tmp_path, a__md=text, b__md=text.upper(), c__md=text)])
    assert sources(base) == ["a.md"]


def test_a_path_that_does_not_exist_is_named(tmp_path: Path):
    with pytest.raises(KnowledgeError, match="nowhere") as caught:
        KnowledgeBase.load([tmp_path / "nowhere"])
    assert caught.value.explanation.cause
    assert caught.value.explanation.next


@pytest.mark.parametrize("path", ["a\0b", "x" * 5000])
def test_a_path_that_cannot_exist_is_no_crash(path: str):
    with pytest.raises(KnowledgeError):
        KnowledgeBase.load([path])


@pytest.mark.parametrize("path", ["", " ", "\u00a0\t"])
def test_an_empty_path_is_not_the_folder_that_one_is_in(path: str):
    with pytest.raises(KnowledgeError, match="is empty"):
        KnowledgeBase.load([path])


def test_an_empty_folder_is_said_to_be_empty(tmp_path: Path):
    with pytest.raises(KnowledgeError, match="no documents"):
        KnowledgeBase.load([tmp_path])


def test_a_folder_with_nothing_readable_says_what_was_wrong_with_it(tmp_path: Path):
    with pytest.raises(KnowledgeError, match=r"picture\.png: not a kind of file that is read"):
        KnowledgeBase.load([write(tmp_path, picture__png=b"\x89PNG")])


def test_no_path_at_all_is_an_error():
    with pytest.raises(KnowledgeError):
        KnowledgeBase.load([])


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("a.png", b"\x89PNG\r\n", "not a kind of file that is read"),
        ("a.zip", b"PK", "broken or cut off"),
        ("a.txt", b"text\0with a null", "binary"),
        ("a.md", bytes(range(1, 32)) * 20, "binary"),
        ("a.txt", "Библиотека открыта каждый день".encode("cp1251"), "unknown encoding"),
        ("a.txt", "図書館は八時に開きます".encode("shift_jis"), "unknown encoding"),
        ("a.txt", b"\xff\xfea", "UTF-16"),
        ("a.md", b"", "nothing in it"),
        ("a.json", b"[" * 100_000, "nested too deeply"),
        ("a.json", b"[1, 2", "broken"),
        ("a.json", b"9" * 10_000, "cannot be read"),
        ("a.txt", b"a" * (20 * 1024 * 1024 + 1), "over 20 MB"),
    ],
)
def test_a_file_that_cannot_be_read_is_named_and_the_rest_is_used(
    tmp_path: Path, name: str, content: bytes, reason: str
):
    write(tmp_path, good__md=FACT)
    (tmp_path / name).write_bytes(content)
    base = KnowledgeBase.load([tmp_path])
    assert sources(base) == ["good.md"]
    (problem,) = base.problems
    assert problem.source == name
    assert reason in problem.reason


def test_a_problem_is_written_with_its_line():
    assert str(Problem("clubs.csv", 7, "broken")) == "clubs.csv, line 7: broken"
    assert str(Problem("clubs.csv", None, "broken")) == "clubs.csv: broken"


@pytest.mark.parametrize(
    "content",
    [
        "The café opens at noon daily.".encode(),
        "The café opens at noon daily.".encode("utf-8-sig"),
        "The café opens at noon daily.".encode("utf-16"),
        "\ufeffThe café opens at noon daily.".encode("utf-16-be"),
        "The café opens at noon daily.".encode("utf-32"),
        "The café opens at noon daily.".encode("cp1252"),
        "The café opens\rat noon daily.\r\n".encode(),
    ],
)
def test_text_is_read_in_the_encodings_that_people_save(tmp_path: Path, content: bytes):
    base = KnowledgeBase.load([write(tmp_path, cafe__txt=content)])
    assert [passage.text for passage in base.passages] == ["The café opens at noon daily."]


def test_hidden_files_and_the_settings_of_the_base_are_no_documents_and_a_readme_is_one(tmp_path: Path):
    write(tmp_path, good__md=FACT, __hidden__md="Nobody may read this sentence.", campus__toml='name = "Here"')
    write(tmp_path / ".git", note__md="Nobody may read this sentence.")
    write(tmp_path, README="This folder is about our library.")
    base = KnowledgeBase.load([tmp_path])
    assert (base.name, sources(base), base.problems) == ("Here", ["README", "good.md"], ())


def test_links_are_followed_inside_the_base_and_named_when_they_leave_it(tmp_path: Path):
    outside = write(tmp_path / "outside", secret__md="The secret is out here.")
    kb = write(tmp_path / "kb", good__md=FACT)
    write(kb / ".store", real__md="The gym opens at six daily.")
    (kb / "gym.md").symlink_to(kb / ".store" / "real.md")
    (kb / "again.md").symlink_to("good.md")
    (kb / "loop").symlink_to(".", target_is_directory=True)
    (kb / "self.md").symlink_to("self.md")
    (kb / "gone.md").symlink_to("nothing.md")
    (kb / "leak.md").symlink_to(outside / "secret.md")
    (kb / "leak").symlink_to(outside, target_is_directory=True)
    base = KnowledgeBase.load([kb])
    assert sources(base) == ["good.md", "gym.md"]
    assert problems(base) == [
        "gone.md: the link leads nowhere",
        "leak: the link leads out of the base",
        "leak.md: the link leads out of the base",
        "self.md: the link leads nowhere",
    ]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_pipe_that_never_ends_is_not_opened(tmp_path: Path):
    os.mkfifo(write(tmp_path, good__md=FACT) / "pipe.md")
    assert problems(KnowledgeBase.load([tmp_path])) == ["pipe.md: it is not an ordinary file"]


def test_folders_within_each_other_without_end_are_named_and_the_rest_is_used(tmp_path: Path):
    write(tmp_path, good__md=FACT)
    here = os.open(tmp_path, os.O_RDONLY)
    for _ in range(700):  # one by one, for the whole path would be too long for some systems
        os.mkdir("d", dir_fd=here)
        inner = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = inner
    os.close(here)
    base = KnowledgeBase.load([tmp_path])
    assert sources(base) == ["good.md"]
    (problem,) = base.problems
    assert "nested too deeply" in problem.reason
    assert len(Path(problem.source).parts) == 101


@pytest.mark.parametrize(
    ("refusing", "expected"),
    [
        ("locked/hidden.md", ["locked/hidden.md: it cannot be opened: Permission denied"]),
        ("locked", ["locked: it cannot be opened: Permission denied"]),
        ("link.md", ["link.md: it cannot be opened: Permission denied"]),
    ],
)
def test_an_entry_that_may_not_be_looked_at_is_named_and_ends_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refusing: str, expected: list[str]
):
    write(tmp_path, a__md=FACT, z__md="The gym opens at six daily.")
    write(tmp_path / "locked", hidden__md="The pool opens at nine daily.")
    (tmp_path / "link.md").symlink_to("a.md")
    look = Path.stat

    def guarded(self: Path, **options: bool) -> os.stat_result:
        if self == tmp_path / refusing:
            raise PermissionError(13, "Permission denied")
        return look(self, **options)

    monkeypatch.setattr(Path, "stat", guarded)
    base = KnowledgeBase.load([tmp_path])
    assert problems(base) == expected
    assert {"a.md", "z.md"} <= set(sources(base))


def test_of_a_document_with_too_much_in_it_the_beginning_is_used_and_the_end_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("campus_agent.knowledge.reading._MOST_PASSAGES", 2)
    base = KnowledgeBase.load([write(tmp_path, a__csv="club,day\nAI,Monday\nGo,Tuesday\nChess,Friday\nArt,Sunday\n")])
    assert [passage.line for passage in base.passages] == [2, 3]
    assert problems(base) == ["a.csv, line 4: the rest is not read: there are too many passages"]


def test_of_many_problems_of_one_document_the_first_are_named(tmp_path: Path):
    write(tmp_path, good__md=FACT, bad__jsonl="[\n" * 5000)
    said = problems(KnowledgeBase.load([tmp_path]))
    assert len(said) == 101
    assert said[-1] == "bad.jsonl, line 101: the rest is not read: there are too many problems"


def test_control_characters_and_half_characters_of_a_document_are_made_visible(tmp_path: Path):
    content = '{"Red \\u001b[31m": "Half a character \\ud800 stands\\nhere."}'
    (passage,) = KnowledgeBase.load([write(tmp_path, odd__json=content)]).passages
    assert (passage.title, passage.text) == ("Red \ufffd[31m", "Half a character \ufffd stands here.")


def test_a_very_long_paragraph_is_cut_between_sentences_only(tmp_path: Path):
    sentences = [f"Sentence number {n} tells when hall {n} opens at 5 p.m. Monday morning." for n in range(60)]
    base = KnowledgeBase.load([write(tmp_path, long__md=" ".join(sentences))])
    assert len(base.passages) > 3
    assert " ".join(passage.text for passage in base.passages) == " ".join(sentences)
    assert all(passage.text.startswith("Sentence") and len(passage.text) <= 1000 for passage in base.passages)


def test_loading_and_checking_a_base_imports_neither_textual_nor_openai_nor_numpy(tmp_path: Path):
    code = (
        "import sys; from campus_agent.knowledge.base import KnowledgeBase; KnowledgeBase.load(sys.argv[1:]);"
        "print([m for m in ('textual', 'openai', 'numpy', 'rank_bm25', 'rapidfuzz') if m in sys.modules])"
    )
    write(tmp_path, a__md=FACT)
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.strip() == "[]"
