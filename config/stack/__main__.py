"""python -m config.stack setup | up | exec | migrate"""

import argparse
import os
import signal
import sys
from pathlib import Path

from config.stack import execute, setup, tables
from config.stack.child import die_with_parent
from config.stack.console import Console
from config.stack.layout import CannotStart, Layout
from config.stack.product import Product
from config.stack.table import PROCESSES

HIGHEST_PORT = 65535


def parser() -> argparse.ArgumentParser:
    main = argparse.ArgumentParser(prog="python -m config.stack", description=__doc__)
    verbs = main.add_subparsers(dest="verb", required=True)
    verb = verbs.add_parser("setup", help="install what the checkout lacks")
    verb.add_argument("--dev", action="store_true", help="also what tests and checks need")
    verb = verbs.add_parser("up", help="start the product and watch over it")
    verb.add_argument("--with-parent", action="store_true", help="end when the parent ends")
    verb = verbs.add_parser(
        "exec",
        help="run a command beside fresh databases",
        epilog="example: python -m config.stack exec --careless -- pytest tests/core",
    )
    verb.add_argument("--var", type=Path, help="keep the data here; default: a folder of its own")
    verb.add_argument("--careless", action="store_true", help="no fsync: for tests of units")
    verb.add_argument("--verbose", action="store_true", help="show what the databases say")
    verb.add_argument("command", nargs="+")
    verbs.add_parser("migrate", help="tables, roles and first admin in DATABASE_OWNER_URL")
    return main


def up(*, with_parent: bool) -> int:
    if with_parent:
        die_with_parent(signal.SIGTERM, os.getppid())()
    text = os.environ.get("PORT") or "8000"
    if not text.isdigit() or not 0 < int(text) <= HIGHEST_PORT:
        raise CannotStart(f"PORT must be a number up to {HIGHEST_PORT}, not {text!r}.")
    names = ["postgres", "valkey", *(process.name for process in PROCESSES)]
    return Product(Layout.of_environment(), Console(names), port=int(text)).run()


def main(arguments: list[str]) -> int:
    options = parser().parse_args(arguments)
    try:
        if options.verb == "setup":
            setup.set_up(development=options.dev)
        elif options.verb == "up":
            return up(with_parent=options.with_parent)
        elif options.verb == "exec":
            return execute.execute(
                options.command,
                var=options.var,
                careless=options.careless,
                verbose=options.verbose,
            )
        else:
            tables.make()
    except CannotStart as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
