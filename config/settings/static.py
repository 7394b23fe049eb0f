"""
The few files of the front-end packages that the pages load, by the name they are served under.

The `dist` folders hold 60 MB of maps, fonts and variants; only what is listed here is collected.
"""

from pathlib import Path

MODULES = Path(__file__).resolve().parents[2] / "node_modules"

VENDOR_FILES: dict[str, Path] = {
    "vendor/tabler/tabler.min.css": MODULES / "@tabler/core/dist/css/tabler.min.css",
    "vendor/tabler/tabler.min.js": MODULES / "@tabler/core/dist/js/tabler.min.js",
    "vendor/icons/tabler-icons.min.css": MODULES
    / "@tabler/icons-webfont/dist/tabler-icons.min.css",
    **{
        f"vendor/icons/fonts/tabler-icons.{kind}": MODULES
        / f"@tabler/icons-webfont/dist/fonts/tabler-icons.{kind}"
        for kind in ("woff2", "woff", "ttf")
    },
    "vendor/htmx/htmx.min.js": MODULES / "htmx.org/dist/htmx.min.js",
    "vendor/echarts/echarts.min.js": MODULES / "echarts/dist/echarts.min.js",
}

VENDOR_STATIC: list[tuple[str, Path]] = []
"""Whole folders for STATICFILES_DIRS: none, see VENDOR_FILES and config.staticfiles."""

STATICFILES_FINDERS = [
    "django.contrib.staticfiles.finders.FileSystemFinder",
    "django.contrib.staticfiles.finders.AppDirectoriesFinder",
    "config.staticfiles.VendorFinder",
]
