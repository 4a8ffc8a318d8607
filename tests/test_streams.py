"""The terminal's streams as they come: another encoding, closed, full, a reader that leaves."""

import io
import json
import os
import subprocess
import sys

import pytest

from tests.browser import ROOT
from wombat_core.cli import main

NAME = "café Ω"


@pytest.mark.parametrize(("encoding", "json_too"), [("ascii", False), ("latin-1", True)])
def test_what_the_encoding_lacks_is_escaped_and_told_once(encoding, json_too, tmp_path, monkeypatch, capsys):
    path = tmp_path / "a.csv"
    path.write_text(f"smiles,name\nCC=O,{NAME}\nCC=O,{NAME}\n", encoding="utf-8")
    stdout = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    monkeypatch.setattr(sys, "stdout", stdout)
    assert main(["predict", "--pattern", "12", "--input", str(path), *["--json"] * json_too]) == 0
    written, told = stdout.buffer.getvalue().decode(encoding), capsys.readouterr().err
    if json_too:
        assert [json.loads(line)["name"] for line in written.splitlines()] == [NAME] * 2 and told == ""
    else:
        assert written.count("caf\\xe9 \\u03a9") == 2
        assert told == ("wombat_core: standard output is ascii, so other characters are written as \\x and a number.\n")


@pytest.mark.parametrize(
    ("command", "code", "sentence"),
    [
        ("patterns > /dev/full", 2, "wombat_core patterns: Standard output cannot be written: No space left on device"),
        (
            "interpolate --help > /dev/full",
            2,
            "wombat_core: Standard output cannot be written: No space left on device",
        ),
        (
            "patterns --json >/dev/full",
            2,
            "wombat_core patterns: Standard output cannot be written: No space left on device",
        ),
        ("patterns >&-", 2, "wombat_core: Standard output is closed; send it somewhere, such as to /dev/null"),
        ("patterns | head -1", 0, ""),
        ("--help | true", 0, ""),
        ("patterns 2>&-", 0, ""),
        ("predict --pattern 12 <&-", 2, "wombat_core predict: standard input is empty"),
        ("predict --pattern nonsense C 2> /dev/full", 2, ""),
    ],
)
def test_a_stream_that_is_closed_or_full_is_one_sentence(command, code, sentence):
    unbuffered = "1" if command.startswith("patterns > ") else ""
    ended = subprocess.run(
        ["bash", "-o", "pipefail", "-c", f"{sys.executable} -m wombat_core {command}"],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
    )
    assert (ended.returncode, ended.stderr.strip().rstrip(".")) == (code, sentence)
