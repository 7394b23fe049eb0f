"""Embedded PostgreSQL 18: our own child in the foreground, healed or explained when it is not well."""

import getpass
import os
import pwd
import shutil
import signal
import subprocess

from config.stack import pgfolder, wheels
from config.stack.child import Child, run_quietly
from config.stack.console import Console
from config.stack.layout import CannotStart, Layout, explain, private_folder

DATABASE, OWNER, APP = "warroom", "warroom_owner", "warroom_app"
SETTINGS = {
    "listen_addresses": "",
    "port": "5432",
    "unix_socket_permissions": "0700",
    "max_connections": "120",
    "shared_buffers": "128MB",
    "max_locks_per_transaction": "256",
    "max_wal_size": "2GB",
    "jit": "off",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "log_line_prefix": "",
    "log_checkpoints": "off",
    "log_min_messages": "warning",
    "log_min_error_statement": "panic",  # statements and details carry what people wrote
    "log_error_verbosity": "terse",
    "autovacuum_naptime": "15s",
}
# For tests of units only: a crash may lose the data, and there is nothing to lose.
CARELESS = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "max_connections": "300",
}


class Postgres:
    def __init__(self, layout: Layout, console: Console, *, careless: bool = False) -> None:
        self.data = layout.pgdata
        self.socket = layout.socket_folder()
        self._console = console
        self._bin = wheels.postgres_bin()
        self._user = wheels.unprivileged()
        self._settings = SETTINGS | (CARELESS if careless else {})
        self._careless = careless
        self._environment = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}

    def child(self) -> Child:
        settings = self._settings | {"unix_socket_directories": f'"{self.socket}"'}
        options = [part for key, value in settings.items() for part in ("-c", f"{key}={value}")]
        return Child(
            "postgres",
            [str(self._bin / "postgres"), "-D", str(self.data), *options],
            self._environment,
            user=self._user,
            stop_signal=signal.SIGINT,  # "fast": ends sessions, writes a checkpoint
            grace_seconds=8.0,
            before_start=self._clear_leftovers,
        )

    def prepare(self) -> None:
        """Leave a data folder that PostgreSQL can start on, or raise `CannotStart`."""
        try:
            self._make_way()
            self._heal_folder()
            if not self.data.exists():
                self._initialise()
            self._write_access_rules()
        except OSError as error:
            raise CannotStart(explain(error, self.data)) from error

    def url(self, role: str) -> str:
        """In a form that both Django and libpq read; the socket admits this user only."""
        return f"postgres://{role}@/{DATABASE}?host={self.socket}"

    def answers(self) -> bool:
        return self._psql("postgres", "select 1").returncode == 0

    def make_roles(self) -> None:
        """Two roles: one owns the tables and migrates, one runs the product. No superuser."""
        self._must(
            "postgres",
            # The names are constants of ours.
            f"""
            select 'create role {OWNER} login createdb createrole'
             where not exists (select from pg_roles where rolname = '{OWNER}') \\gexec
            select 'create role {APP} login'
             where not exists (select from pg_roles where rolname = '{APP}') \\gexec
            grant {APP} to {OWNER} with admin option;
            select 'create database {DATABASE} owner {OWNER}'
             where not exists (select from pg_database where datname = '{DATABASE}') \\gexec
            """,  # noqa: S608
        )

    def _must(self, database: str, sql: str) -> None:
        done = self._psql(database, sql)
        if done.returncode:
            raise CannotStart(f"PostgreSQL refused the set-up: {done.stdout.strip()}")

    def _psql(self, database: str, sql: str) -> "subprocess.CompletedProcess[str]":
        return run_quietly(
            [
                str(self._bin / "psql"),
                *("-X", "-q", "-At", "-v", "ON_ERROR_STOP=1"),
                *("-h", str(self.socket), "-U", "postgres", "-d", database, "-f", "-"),
            ],
            self._environment | {"PGCONNECT_TIMEOUT": "5"},
            text=sql,
        )

    def _make_way(self) -> None:
        if self._user is None:
            return
        self._console.say(
            f"We are root, which PostgreSQL refuses: it runs as `{self._user.pw_name}`."
        )
        for folder in (self._bin.parent, self._bin.parents[1].with_suffix(".libs")):
            wheels.make_readable(folder)
        opened = [
            *wheels.open_way(self._bin / "postgres", self._user),
            *wheels.open_way(self.data, self._user),
            *wheels.open_way(self.socket, self._user),
        ]
        for folder in opened:
            self._console.say(f"Others may now pass through {folder} (o+x, nothing more).")

    def _heal_folder(self) -> None:
        if said := pgfolder.heal(self.data):
            self._console.say(said)
        if not self.data.exists():
            return
        if self._user is not None:
            if pgfolder.give_to(self.data, self._user):
                self._console.say(f"{self.data} belonged to another user: given to its server.")
        elif self.data.stat().st_uid != os.getuid():
            owner = pwd.getpwuid(self.data.stat().st_uid).pw_name
            raise CannotStart(
                f"{self.data} belongs to `{owner}`, who started the product before. As root:"
                f" chown -R {getpass.getuser()} {self.data.parent}"
            )
        self.data.chmod(0o700)

    def _initialise(self) -> None:
        """Fill a folder beside the real one, and rename it when it is whole."""
        draft = self.data.with_name(f"{self.data.name}.new")
        shutil.rmtree(draft, ignore_errors=True)
        uid, gid = (self._user.pw_uid, self._user.pw_gid) if self._user else (os.getuid(), -1)
        private_folder(draft, uid, gid)
        self._console.say("First start: making the database folder.")
        options = ["--no-sync"] if self._careless else []
        done = run_quietly(
            [
                *(str(self._bin / "initdb"), "-D", str(draft), "-U", "postgres", *options),
                *("--auth=peer", "--encoding=UTF8", "--locale-provider=builtin"),
                *("--locale=C.UTF-8", "--no-instructions"),
            ],
            self._environment,
            user=self._user,
        )
        if done.returncode:
            shutil.rmtree(draft, ignore_errors=True)
            lines = [
                line
                for line in done.stdout.splitlines()
                if "error" in line or "fatal" in line.lower()
            ]
            raise CannotStart(f"The database folder could not be made: {(lines or ['?'])[0]}")
        draft.rename(self.data)

    def _write_access_rules(self) -> None:
        """Only this user, and the one PostgreSQL runs as, may connect; by the socket alone."""
        uid, gid = (self._user.pw_uid, self._user.pw_gid) if self._user else (os.getuid(), -1)
        private_folder(self.socket, uid, gid)
        users = {pwd.getpwuid(os.getuid()).pw_name, pwd.getpwuid(uid).pw_name}
        rules = {
            "pg_hba.conf": "local all all peer map=warroom\n",
            "pg_ident.conf": "".join(f'warroom "{name}" all\n' for name in sorted(users)),
        }
        for name, text in rules.items():
            path = self.data / name
            path.write_text(text)
            path.chmod(0o600)
            os.chown(path, uid, gid)

    def _clear_leftovers(self) -> None:
        if said := pgfolder.clear_leftovers(self.data):
            self._console.say(said)
