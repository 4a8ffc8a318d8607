"""Install step: put 3Dmol.js (BSD-3) into ``assets/vendor/``, so that 3D views work without internet.

Run as ``python -m wombat_core.drawing.fetch_viewer``. Needs npm; without it, or without a network, it says
so in one sentence and succeeds: the 3D views then load 3Dmol.js from the CDN.
"""

import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path

from . import viewer_script
from .viewer_script import VERSION

MEMBERS = {"package/build/3Dmol-min.js": "SCRIPT", "package/LICENSE": "LICENSE"}
MAX_BYTES = 5_000_000
FALLBACK = "3D views will load it from the CDN"


def fetch_viewer(timeout: float = 120) -> str:
    """Fetch 3Dmol.js with ``npm pack`` unless it is there; returns a sentence about what happened."""
    if viewer_script.SCRIPT.exists():
        return f"3Dmol.js is already in {viewer_script.VENDOR}."
    npm = shutil.which("npm")
    if npm is None:
        return f"3Dmol.js was not installed because npm is missing; {FALLBACK}."
    with tempfile.TemporaryDirectory() as folder:
        command = [npm, "pack", "--silent", "--ignore-scripts", f"3dmol@{VERSION}"]
        try:
            subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=timeout)  # noqa: S603 - npm as found
            unpack(Path(folder) / f"3dmol-{VERSION}.tgz")
        except (OSError, subprocess.SubprocessError):
            return f"3Dmol.js was not installed because npm could not fetch it; {FALLBACK}."
        except (tarfile.TarError, EOFError, ValueError) as error:
            return f"3Dmol.js was not installed because its package is not as expected ({error}); {FALLBACK}."
    return f"3Dmol.js {VERSION} is now in {viewer_script.VENDOR}."


def unpack(archive: Path) -> None:
    """Copy the viewer and its licence, and nothing else, out of the package.

    Raises:
        ValueError: a member is missing, not a regular file, too large, or not 3Dmol.js.
        tarfile.TarError: the file is not a package.
    """
    texts = {}
    with tarfile.open(archive, "r:gz") as package:
        for member, target in MEMBERS.items():
            try:
                info = package.getmember(member)
            except KeyError:
                raise ValueError(f"{member} is missing") from None
            if not info.isreg() or not 0 < info.size <= MAX_BYTES:
                raise ValueError(f"{member} is not a file of a sensible size")
            file = package.extractfile(info)
            if file is None:
                raise AssertionError("it is a regular file")
            texts[target] = file.read()
    if b"3Dmol" not in texts["SCRIPT"]:
        raise ValueError("the script is not 3Dmol.js")
    viewer_script.VENDOR.mkdir(parents=True, exist_ok=True)
    for target in ("LICENSE", "SCRIPT"):  # the script last and in one move: it marks the step as done
        path = getattr(viewer_script, target)
        partial = path.with_name(path.name + ".part")
        partial.write_bytes(texts[target])
        partial.replace(path)


if __name__ == "__main__":
    print(fetch_viewer())
