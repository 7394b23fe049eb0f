from collections.abc import Iterator
from pathlib import Path

import pytest

from config.stack.running import Stack
from tests.stack import tiny_stack


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """A tiny product that the tests of a module share; each leaves it as healthy as it was."""
    with tiny_stack(tmp_path_factory.mktemp("running") / "var") as stack:
        yield stack


@pytest.fixture
def stack(tmp_path: Path) -> Iterator[Stack]:
    """A tiny product that is not started yet."""
    product = tiny_stack(tmp_path / "var")
    yield product
    product.stop()
