"""What can be wrong with a data folder: each case is healed, or explained in one line."""

import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from config.stack import pgfolder, wheels
from config.stack.child import as_user
from config.stack.layout import CannotStart, Layout
from tests.stack import beside_databases

ANSWER = "42"


def ask(var: Path, sql: str = "select 40 + 2") -> "subprocess.CompletedProcess[str]":
    """Start the databases on `var` and let psql ask; its answer is among the lines of `stdout`."""
    psql = wheels.postgres_bin() / "psql"
    return beside_databases(var, "sh", "-c", f'"{psql}" "$DATABASE_URL" -Atc "{sql}"')


@contextmanager
def somebody_of_the_same_user() -> Iterator[int]:
    process = subprocess.Popen(["sleep", "60"], **as_user(wheels.unprivileged()))
    try:
        yield process.pid
    finally:
        process.kill()
        process.wait()


def test_a_fresh_folder_answers_in_unicode_and_c_order(tmp_path: Path) -> None:
    done = ask(
        tmp_path, "select datlocprovider, datlocale from pg_database where datname='warroom'"
    )

    assert "b|C.UTF-8" in done.stdout.split(), done.stdout


def test_a_stale_pid_file_of_a_living_process_does_not_hinder_the_start(tmp_path: Path) -> None:
    assert beside_databases(tmp_path, "true").returncode == 0
    with somebody_of_the_same_user() as pid:
        (tmp_path / "postgres" / "postmaster.pid").write_text(f"{pid}\n{tmp_path}/postgres\n1\n")

        done = ask(tmp_path)

    assert ANSWER in done.stdout.split(), done.stdout
    assert "Removed the stale postmaster.pid" in done.stdout


def test_a_half_written_folder_is_moved_aside(tmp_path: Path) -> None:
    (tmp_path / "postgres" / "base" / "1").mkdir(parents=True)
    (tmp_path / "postgres" / "PG_VERSION").write_text("18\n")

    done = ask(tmp_path)

    assert ANSWER in done.stdout.split(), done.stdout
    assert "half-written" in done.stdout
    assert list(tmp_path.glob("postgres.broken-*"))


def test_a_first_start_that_was_interrupted_is_begun_again(tmp_path: Path) -> None:
    (tmp_path / "postgres.new" / "base").mkdir(parents=True)

    done = ask(tmp_path)

    assert ANSWER in done.stdout.split(), done.stdout
    assert not (tmp_path / "postgres.new").exists()


def test_a_damaged_folder_that_holds_data_is_refused_and_left_alone(tmp_path: Path) -> None:
    table = tmp_path / "postgres" / "base" / "16384" / "16390"
    table.parent.mkdir(parents=True)
    table.write_text("somebody's rows")

    done = beside_databases(tmp_path, "true")

    assert done.returncode == 1
    assert "is damaged" in done.stdout.splitlines()[-1]
    assert table.read_text() == "somebody's rows"


def test_data_of_another_major_version_is_refused(tmp_path: Path) -> None:
    (tmp_path / "global").mkdir()
    (tmp_path / "global" / "pg_control").write_text("")
    (tmp_path / "PG_VERSION").write_text("16\n")

    with pytest.raises(CannotStart, match="written by PostgreSQL 16"):
        pgfolder.heal(tmp_path)


def test_a_folder_that_belongs_to_another_user_is_given_to_the_server(tmp_path: Path) -> None:
    if wheels.unprivileged() is None:
        pytest.skip("only root can make files of another user: run the tests as root to see this")
    assert beside_databases(tmp_path, "true").returncode == 0
    subprocess.run(["chown", "-R", "root:root", str(tmp_path / "postgres")], check=True)

    done = ask(tmp_path)

    assert ANSWER in done.stdout.split(), done.stdout
    assert "belonged to another user" in done.stdout


def test_a_long_path_gets_a_short_socket(tmp_path: Path) -> None:
    var = tmp_path / ("a-folder-with-a-long-name/" * 6)

    done = ask(var)

    assert ANSWER in done.stdout.split(), done.stdout
    assert len(str(Layout(var).socket_folder())) < 80


def test_a_server_that_lost_its_supervisor_is_ended_before_the_next_start(tmp_path: Path) -> None:
    assert beside_databases(tmp_path, "true").returncode == 0
    data = tmp_path / "postgres"
    lost = subprocess.Popen(
        [str(wheels.postgres_bin() / "postgres"), "-D", str(data), "-k", str(tmp_path / "run/pg")],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        **as_user(wheels.unprivileged()),
    )
    while not (data / "postmaster.pid").exists():
        time.sleep(0.02)

    done = ask(tmp_path)

    assert ANSWER in done.stdout.split(), done.stdout
    assert "of an earlier run was still there" in done.stdout
    assert lost.wait(5) is not None
