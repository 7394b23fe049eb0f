"""How the front-end packages of npm become static files, without a bundler and without copies."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Literal, overload

from django.contrib.staticfiles.finders import BaseFinder
from django.core.checks import CheckMessage, Error
from django.core.files.storage import FileSystemStorage, Storage
from whitenoise.storage import CompressedManifestStaticFilesStorage  # type: ignore[import-untyped]

from config.settings.static import MODULES, VENDOR_FILES


class VendorStorage(FileSystemStorage):
    """Serves a fixed list of names from wherever npm put the files."""

    def path(self, name: str) -> str:
        return str(VENDOR_FILES[name])


class VendorFinder(BaseFinder):
    """Finds the files of `VENDOR_FILES`, and says so when `npm ci` has not run."""

    storage = VendorStorage(location=str(MODULES))

    def check(self, **kwargs: Any) -> list[CheckMessage]:
        missing = [str(path) for path in VENDOR_FILES.values() if not path.is_file()]
        if not missing:
            return []
        return [Error(f"Front-end files are missing: {missing[0]}.", hint="Run `npm ci`.")]

    @overload
    def find(self, path: str, find_all: Literal[False] = ..., **kwargs: Any) -> str | None: ...
    @overload
    def find(self, path: str, find_all: Literal[True], **kwargs: Any) -> list[str]: ...
    def find(self, path: str, find_all: bool = False, **kwargs: Any) -> str | list[str] | None:
        found = VENDOR_FILES.get(path)
        if found is None or not found.is_file():
            return [] if find_all else None
        return [str(found)] if find_all else str(found)

    def list(self, ignore_patterns: Iterable[str] | None) -> Iterator[tuple[str, Storage]]:
        for name, path in VENDOR_FILES.items():
            if Path(path).is_file():
                yield name, self.storage


class HashedStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Names carry a hash, also inside `import "./x.js"`; source maps are not shipped."""

    support_js_module_import_aggregation = True
    manifest_strict = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._patterns: dict[str, Any] = {
            suffix: [pair for pair in pairs if "sourceMappingURL" not in pair[0].pattern]
            for suffix, pairs in self._patterns.items()
        }
