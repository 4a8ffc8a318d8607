"""Whether the installed packages fit together and have no known vulnerability: ``make audit``.

The second needs the answers of PyPI's vulnerability service. Where none come (no network, or a mirror without it, for
which pip-audit itself says "No known vulnerabilities found") that is said, and nothing fails; known ones fail.
"""

import json
import subprocess
import sys

ASK = ["-m", "pip_audit", "--skip-editable", "--progress-spinner", "off", "--timeout", "10", "--format", "json"]


def verdict(answer: str) -> tuple[str, bool]:
    """What pip-audit's JSON says in a few lines, and whether there is a known vulnerability."""
    try:
        packages = json.loads(answer)["dependencies"]
    except (ValueError, KeyError, TypeError):
        return "the vulnerability service gave no answer: no package was looked up.", False
    asked = [package for package in packages if "skip_reason" not in package]
    if not asked:
        return f"the vulnerability service has none of the {len(packages)} packages: none was looked up.", False
    found = [(package, each) for package in asked for each in package["vulns"]]
    lines = [f"{len(asked)} of {len(packages)} packages looked up, {len(found)} known vulnerabilities."]
    for package, each in found:
        mended = ", ".join(each["fix_versions"]) or "no version yet"
        lines.append(f"{package['name']} {package['version']}: {each['id']}, mended in {mended}")
    return "\n".join(lines), bool(found)


def main() -> int:
    if subprocess.run([sys.executable, "-m", "pip", "check"]).returncode:
        return 1
    said, bad = verdict(subprocess.run([sys.executable, *ASK], capture_output=True, text=True).stdout)
    print(f"pip-audit: {said}")
    return int(bad)


if __name__ == "__main__":
    sys.exit(main())
