"""Where the 3D viewer 3Dmol.js comes from: the local copy of the install step, or the CDN."""

from functools import cache
from pathlib import Path

VERSION = "2.5.5"
CDN_URL = f"https://cdn.jsdelivr.net/npm/3dmol@{VERSION}/build/3Dmol-min.js"
VENDOR = Path(__file__).resolve().parents[2] / "assets" / "vendor"
SCRIPT = VENDOR / "3Dmol-min.js"
LICENSE = VENDOR / "3Dmol-LICENSE"


def local_viewer() -> str | None:
    """The text of 3Dmol.js if ``python -m wombat_core.drawing.fetch_viewer`` has put it in place."""
    try:
        return _read(SCRIPT, SCRIPT.stat().st_mtime_ns)
    except (OSError, UnicodeDecodeError):
        return None


@cache
def _read(path: Path, _modified: int) -> str:
    return path.read_text(encoding="utf-8")
