from __future__ import annotations

import random
import re
import threading
from datetime import date
from pathlib import Path

import pytest
from postgres_server import Server

from campus_agent.cli.entry import run
from campus_agent.errors import CampusAgentError, KnowledgeError
from campus_agent.knowledge import files, index
from campus_agent.knowledge.base import KnowledgeBase
from campus_agent.knowledge.campus_file import CampusFile, read_campus_file
from campus_agent.knowledge.passage import Passage
from campus_agent.knowledge.postgres import push as pushing
from campus_agent.knowledge.postgres import tables
from campus_agent.knowledge.postgres.address import parsed
from campus_agent.knowledge.postgres.push import push
from campus_agent.knowledge.search import SearchResult
from campus_agent.settings import Settings

SATURDAY = date(2026, 6, 13)
WORDS = re.findall(
    r"\w+",
    "library opening hours dormitory residence hall printing quota wireless network password laboratory chess robotics "
    "meeting thursday monday afternoon professor application deadline scholarship tuition parking permit bicycle gym "
    "swimming pool cafeteria vegetarian breakfast tutoring calculus physics counselling appointment shuttle timetable",
)


def clubs(day: str, name: str = "clubs", count: int = 3) -> KnowledgeBase:
    passages = [Passage(f"Club {n}", f"Club {n} meets on {day}.", f"{day}.md", n) for n in range(1, count + 1)]
    return KnowledgeBase(name, passages)


def pushed(server: Server, database: str, base: KnowledgeBase, campus: CampusFile | None = None) -> KnowledgeBase:
    address = server.address(database)
    push(base, campus or CampusFile(), parsed(address))
    return KnowledgeBase.load([address])


def rows(server: Server, database: str, table: str) -> int:
    ((count,),) = server.execute(database, f"SELECT count(*) FROM campus_agent.{table}")
    return int(str(count))


def queries(count: int) -> list[str]:
    chance = random.Random(7)
    made = []
    for _ in range(count):
        words = [chance.choice((chance.choice(WORDS), "dorm", "wifi", "the", "when", "tomorrow")) for _ in range(4)]
        if chance.random() < 0.4:  # a letter too many, or another one
            place, letter = chance.randrange(4), chance.choice("aeiox")
            words[place] = words[place][:2] + letter + words[place][chance.choice((2, 3)) :]
        made.append(" ".join(words[: chance.randint(1, 4)]))
    return made


def same(one: SearchResult, other: SearchResult) -> bool:
    return (
        [scored.passage for scored in one.passages] == [scored.passage for scored in other.passages]
        and [scored.score for scored in one.passages] == pytest.approx([s.score for s in other.passages], abs=1e-9)
        and one.share == pytest.approx(other.share, abs=1e-9)
        and (one.found, one.confidence, one.corrected) == (other.found, other.confidence, other.corrected)
        and one.unmatched_terms == other.unmatched_terms
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    chance = random.Random(3)
    lines = ["title,text"]
    for n in range(150):
        words = [chance.choice(WORDS) for _ in range(12)]
        day = f"on June {chance.randint(1, 28)}, 2026" if n % 5 == 0 else "as ever"
        lines.append(f'{words[0]} {words[1]} {n},"{" ".join(words[2:])} {day} {n}."')
    place = tmp_path / "kb"
    place.mkdir()
    (place / "facts.csv").write_text("\n".join(lines))
    return place


@pytest.mark.parametrize("large", [True, False], ids=["large", "small"])
def test_queries_find_the_same_in_memory_in_the_kept_index_and_in_postgresql(
    folder: Path, large: bool, server: Server, database: str, monkeypatch: pytest.MonkeyPatch
):
    if large:  # of which an index is kept, and letters are not searched
        monkeypatch.setattr(index, "LARGE", 10)
        monkeypatch.setattr(files, "LARGE", 10)
    monkeypatch.setattr(tables, "_PART", 7)  # so that the postings of most words are in several rows
    first = KnowledgeBase.load([folder])
    first.prepare()
    kept = KnowledgeBase.load([folder])
    memory = KnowledgeBase("in memory", tuple(first.passages))
    remote = pushed(server, database, first)
    different = []
    for query in queries(1000 if large else 300):
        expected = memory.search(query, 5, today=SATURDAY)
        results = [base.search(query, 5, today=SATURDAY) for base in (kept, remote)]
        different += [result for result in results if not same(expected, result)]
    assert different == []
    assert memory.explain("dorm wifi pasword", today=SATURDAY) == remote.explain("dorm wifi pasword", today=SATURDAY)


def test_a_base_that_is_pushed_on_the_command_line_is_searched_by_its_address(
    folder: Path, server: Server, database: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    address = server.address(database)
    assert run(["kb", "push", address, "--kb", str(folder)]) == 0
    assert capsys.readouterr().out == f"Pushed 150 passages of kb to 127.0.0.1:{server.port}.\n"
    assert run(["kb", "search", "library", "--kb", str(folder)]) == 0
    from_folder = capsys.readouterr().out
    monkeypatch.setenv("CAMPUS_AGENT_KB", address)
    assert run(["kb", "search", "library"]) == 0
    assert capsys.readouterr().out == from_folder != ""
    assert run(["kb", "check"]) == 0
    assert "150" in capsys.readouterr().out
    assert run(["ask", "When does the library open?", "--quiet"]) == 0


@pytest.mark.parametrize("flags", [("--explain",), ("--json", "--explain"), ("--json",)])
def test_a_search_is_explained_from_postgresql_as_it_is_from_the_folder(
    folder: Path, server: Server, database: str, capsys: pytest.CaptureFixture[str], flags: tuple[str, ...]
):
    address = server.address(database)
    run(["kb", "push", address, "--kb", str(folder)])
    capsys.readouterr()
    shown = []
    for base in (str(folder), address):
        assert run(["kb", "search", "dorm libary monday", "--kb", base, *flags]) == 0
        shown.append(capsys.readouterr().out)
    assert shown[0] == shown[1] != ""


def test_a_base_in_postgresql_is_checked_and_counted_as_the_folder_is(
    folder: Path, server: Server, database: str, capsys: pytest.CaptureFixture[str]
):
    address = server.address(database)
    run(["kb", "push", address, "--kb", str(folder)])
    capsys.readouterr()
    for command in ("check", "stats"):
        shown = []
        for base in (str(folder), address):
            assert run(["kb", command, base]) == 0
            shown.append([line for line in capsys.readouterr().out.splitlines() if not line.startswith("  index")])
        assert shown[0] == shown[1]
        assert len(shown[0]) > 5
    assert run(["kb", "stats", address]) == 0
    assert "index       kept by the server, which every search asks" in capsys.readouterr().out


def test_what_the_base_sets_travels_with_it(tmp_path: Path, server: Server, database: str):
    (tmp_path / "beds.md").write_text("# Beds\n\nThe schlafsaal opens at noon.\n")
    (tmp_path / "campus.toml").write_text(
        'name = "Hillside"\nrefusal = "Ask at the desk."\ntimezone = "Europe/Berlin"\nquestions = ["Where is a bed?"]\n'
        'topics = ["beds"]\n[synonyms]\nbedroom = ["schlafsaal"]\n'
    )
    campus = read_campus_file([tmp_path])
    base = pushed(server, database, KnowledgeBase.load([tmp_path]), campus)
    address = server.address(database)
    settings = Settings.load(kb=(address,))
    assert (base.name, settings.refusal, settings.timezone) == ("Hillside", "Ask at the desk.", "Europe/Berlin")
    assert (settings.topics, read_campus_file([address]).questions) == (("beds",), ("Where is a bed?",))
    assert base.search("bedroom").found


def test_the_language_is_that_of_the_pushed_base(server: Server, database: str):
    german = KnowledgeBase("Mensa", [Passage("Essen", "Die Mensen haben geöffnet.", "a.md", 1)], language="german")
    base = pushed(server, database, german)
    assert (base.language, Settings.load(kb=(server.address(database),)).language) == ("german", "german")
    assert base.search("Mensa offnet").found is german.search("Mensa offnet").found


def test_hostile_text_comes_back_as_it_was(server: Server, database: str):
    texts = [
        "A null \x00 byte meets",
        "half a character \ud800 meets",
        "quotes ' \" '' \\' $$ -- ; DROP TABLE passage; \\. meets",
        "\\N\t\\n\r\n meets",
        "w" * 5000 + " meets",
        "部屋は九時 \U0001f600 ประตู meets",
        "",
    ]
    passages = [Passage(f"Title {n} '\x00", text, "a'b.md", n, phrasings=(text,)) for n, text in enumerate(texts)]
    local = KnowledgeBase('it\'s \\ "x"', passages)
    base = pushed(server, database, local)
    assert list(base.passages) == passages
    for query in ("meets", "w" * 5000, "drop table", "部屋", "\x00", "' OR 1=1 --", "%", "\ud800"):
        assert same(local.search(query, 9), base.search(query, 9))


@pytest.mark.parametrize("query", ["", "   ", "?!", "the", "zzzzzz"])
def test_a_query_that_asks_nothing_finds_nothing(query: str, server: Server, database: str):
    local = clubs("Monday")
    result = pushed(server, database, local).search(query)
    assert same(local.search(query), result)
    assert not result.found


def test_the_passages_are_there_as_of_files(server: Server, database: str):
    local = clubs("Monday", count=1203)
    base = pushed(server, database, local)
    assert list(base.passages) == list(local.passages)
    assert (base.passages[-1], base.passages[2:4]) == (local.passages[-1], list(local.passages[2:4]))
    assert (len(base.passages), base.documents, base.problems) == (1203, 1, ())
    with pytest.raises(IndexError):
        base.passages[1203]


def test_of_a_vocabulary_that_is_too_large_the_commonest_words_are_kept(
    server: Server, database: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(tables, "MOST_WORDS", 2)
    base = pushed(server, database, clubs("Wednesday"))
    assert base.search("clib").corrected == {"clib": "club"}
    assert base.search("wednesdya").corrected == {}
    assert base.search("wednesday").found


# ---- generations ---------------------------------------------------------------------------------------------------


def test_readers_search_one_whole_generation_while_others_are_pushed(server: Server, database: str):
    days = {"Monday": clubs("Monday"), "Friday": clubs("Friday")}
    base = pushed(server, database, days["Monday"])
    seen: set[tuple[str, ...]] = set()
    failures: list[BaseException] = []
    done = threading.Event()

    def read() -> None:
        try:
            while not done.is_set():
                seen.add(tuple(scored.passage.text for scored in base.search("club meets").passages))
        except BaseException as error:
            failures.append(error)

    readers = [threading.Thread(target=read) for _ in range(4)]
    for reader in readers:
        reader.start()
    for day in ("Friday", "Monday") * 4:
        push(days[day], CampusFile(), parsed(server.address(database)))
        assert {p.passage.source for p in base.search("club meets").passages} == {f"{day}.md"}
    done.set()
    for reader in readers:
        reader.join()
    assert failures == []
    assert seen <= {tuple(p.passage.text for p in one.search("club meets").passages) for one in days.values()}


def test_a_new_generation_is_told_once_and_shown(server: Server, database: str):
    base = pushed(server, database, clubs("Monday", "old"))
    assert base.refresh() is None
    push(clubs("Friday", "new", 5), CampusFile(), parsed(server.address(database)))
    assert base.refresh(every=3600) is None
    assert str(base.refresh()) == "the base was pushed anew: 5 passages"
    assert (base.refresh(), base.name, len(base.passages)) == (None, "new", 5)


def test_the_last_two_generations_are_kept_and_no_more(server: Server, database: str):
    first = pushed(server, database, clubs("Monday"))
    passages = first.passages
    push(clubs("Friday"), CampusFile(), parsed(server.address(database)))
    assert "Monday" in passages[0].text
    for _ in range(3):
        push(clubs("Sunday"), CampusFile(), parsed(server.address(database)))
    assert (rows(server, database, "generation"), rows(server, database, "passage")) == (2, 6)
    with pytest.raises(CampusAgentError, match="replaced while it was read"):
        passages[1]


@pytest.mark.parametrize("fault", ["interrupted", "disconnected"])
def test_a_push_that_dies_in_the_middle_leaves_nothing_to_be_seen(
    fault: str, server: Server, database: str, monkeypatch: pytest.MonkeyPatch
):
    before = pushed(server, database, clubs("Monday"))
    monkeypatch.setattr(pushing, "_TOLD_EVERY", 1)

    def progress(done: int, of: int) -> None:
        if done == 20 and fault == "interrupted":
            raise KeyboardInterrupt
        if done == 20:
            server.disconnect(database)

    with pytest.raises((KeyboardInterrupt, CampusAgentError), match=r"^$|Nothing of it can be seen"):
        push(clubs("Friday", count=40), CampusFile(), parsed(server.address(database)), progress=progress)
    assert (rows(server, database, "generation"), rows(server, database, "passage")) == (1, 3)
    assert before.search("club").passages[0].passage.source == "Monday.md"
    assert pushed(server, database, clubs("Sunday")).search("club").passages[0].passage.source == "Sunday.md"


def test_of_two_pushes_at_once_the_second_waits_and_wins(server: Server, database: str):
    address = parsed(server.address(database))
    waits, told = threading.Event(), []
    second = threading.Thread(target=lambda: push(clubs("Friday"), CampusFile(), address, waiting=waits.set))

    def progress(done: int, of: int) -> None:
        told.append((done, of))
        if not second.is_alive() and not waits.is_set():
            second.start()
            assert waits.wait(30)

    push(clubs("Monday", count=600), CampusFile(), address, progress=progress)
    second.join(30)
    assert told[-1][0] == told[-1][1] > 600
    assert KnowledgeBase.load([server.address(database)]).search("club").passages[0].passage.source == "Friday.md"
    assert rows(server, database, "generation") == 2


# ---- rights and versions -------------------------------------------------------------------------------------------


def test_a_reader_needs_no_more_than_to_read_and_is_told_so_when_it_pushes(server: Server, database: str):
    pushed(server, database, clubs("Monday"))
    address = server.address(database, user=f"reader_{database}")
    server.execute(database, f"CREATE ROLE reader_{database} LOGIN")
    with pytest.raises(KnowledgeError, match="Readers need USAGE on the schema"):
        KnowledgeBase.load([address])
    server.execute(database, f"GRANT USAGE ON SCHEMA campus_agent TO reader_{database}")
    server.execute(database, f"GRANT SELECT ON ALL TABLES IN SCHEMA campus_agent TO reader_{database}")
    assert KnowledgeBase.load([address]).search("club").found
    with pytest.raises(KnowledgeError, match="does not allow that"):
        push(clubs("Friday"), CampusFile(), parsed(address))


def test_the_password_comes_from_postgresqls_own_places(
    server: Server, database: str, monkeypatch: pytest.MonkeyPatch, isolation: Path
):
    pushed(server, database, clubs("Monday"))
    server.execute(database, "DROP ROLE IF EXISTS secretive")
    server.execute(database, "CREATE ROLE secretive LOGIN SUPERUSER PASSWORD 'hunter2'")
    address = server.address(database, user="secretive")
    with pytest.raises(KnowledgeError, match="A password is read from PGPASSWORD") as caught:
        KnowledgeBase.load([address])
    monkeypatch.setenv("PGPASSWORD", "wrong")
    with pytest.raises(KnowledgeError, match="password authentication failed"):
        KnowledgeBase.load([address])
    monkeypatch.setenv("PGPASSWORD", "hunter2")
    assert KnowledgeBase.load([address]).search("club").found
    monkeypatch.delenv("PGPASSWORD")
    services = isolation / "services.conf"
    services.write_text(
        f"[campus]\nhost=127.0.0.1\nport={server.port}\nuser=secretive\npassword=hunter2\ndbname={database}\n"
    )
    monkeypatch.setenv("PGSERVICEFILE", str(services))
    assert KnowledgeBase.load(["postgresql:///?service=campus"]).search("club").found
    assert "hunter2" not in str(caught.value)


def test_tables_of_another_version_are_neither_read_nor_written(server: Server, database: str):
    base = pushed(server, database, clubs("Monday"))
    server.execute(database, "UPDATE campus_agent.current SET version = 99")
    for refused in (
        lambda: base.search("club"),
        lambda: KnowledgeBase.load([server.address(database)]),
        lambda: push(clubs("Friday"), CampusFile(), parsed(server.address(database))),
    ):
        with pytest.raises(KnowledgeError, match="version 99"):
            refused()


@pytest.mark.parametrize("rules", ["", "those of another version"])
def test_a_base_pushed_by_other_rules_for_words_is_searched_and_said_to_be(rules: str, server: Server, database: str):
    pushed(server, database, clubs("Monday"))
    server.execute(
        database,
        f'UPDATE campus_agent.generation SET header = (header::jsonb || \'{{"rules": "{rules}"}}\')::text',
    )
    base = KnowledgeBase.load([server.address(database)])
    assert base.search("club").found
    assert ["push it again" in problem.reason for problem in base.problems] == [True]
    push(clubs("Monday"), CampusFile(), parsed(server.address(database)))
    assert base.refresh() is not None
    assert base.problems == ()


def test_a_database_without_a_base_says_how_to_push_one(server: Server, database: str):
    address = server.address(database)
    with pytest.raises(KnowledgeError, match="campus-agent kb push"):
        KnowledgeBase.load([address])
    server.execute(database, f"CREATE SCHEMA campus_agent; {tables.TABLES}")
    server.execute(database, f"INSERT INTO campus_agent.current (version) VALUES ({tables.VERSION})")
    with pytest.raises(KnowledgeError, match="campus-agent kb push"):
        KnowledgeBase.load([address])


@pytest.mark.parametrize("header", ["", "{}", "[1]", "not JSON", '{"name": ""}'])
def test_a_damaged_generation_is_said(header: str, server: Server, database: str):
    pushed(server, database, clubs("Monday"))
    server.execute(database, f"UPDATE campus_agent.generation SET header = '{header}'")
    with pytest.raises(KnowledgeError, match="damaged"):
        KnowledgeBase.load([server.address(database)])


def test_a_base_in_postgresql_is_no_source_for_another_push(server: Server, database: str):
    base = pushed(server, database, clubs("Monday"))
    address = server.address(database)
    with pytest.raises(KnowledgeError, match="Push the files"):
        push(base, CampusFile(), parsed(address))
    assert run(["kb", "push", address, "--kb", address]) == 2
