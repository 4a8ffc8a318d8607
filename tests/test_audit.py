import json

import pytest

from tests.audit import verdict

SOUND = {"name": "a", "version": "1", "vulns": []}
SKIPPED = {"name": "b", "skip_reason": "Dependency not found on PyPI and could not be audited: b (1)"}
BAD = {"name": "c", "version": "2", "vulns": [{"id": "CVE-1", "fix_versions": ["3"]}]}


@pytest.mark.parametrize(
    ("packages", "said", "bad"),
    [
        (None, "gave no answer: no package was looked up", False),
        ([SKIPPED, SKIPPED], "has none of the 2 packages: none was looked up", False),
        ([SOUND, SKIPPED], "1 of 2 packages looked up, 0 known", False),
        ([SOUND, BAD], "c 2: CVE-1, mended in 3", True),
    ],
)
def test_an_audit_that_asked_nobody_is_not_taken_for_a_sound_one(packages, said, bad):
    found = verdict("" if packages is None else json.dumps({"dependencies": packages, "fixes": []}))
    assert said in found[0] and found[1] is bad
