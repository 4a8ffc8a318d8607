"""What the engine reads, as files of the package: whiteboxes, molecules, published numbers, cases and lessons."""

from pathlib import Path

FOLDER = Path(__file__).parent


def data_file(name: str) -> Path:
    """The path of a file or folder that ships with the package, such as ``data_file("patterns.yaml")``."""
    return FOLDER / name
