"""``python -m tests.soak [PART ...] [--seed N] [--share 0.1]``: counts, and exit code 1 where something failed."""

import argparse
import os
import sys
import tempfile

os.environ.setdefault("OMP_NUM_THREADS", "1")

PARTS = {
    "smiles": ("molecules", 10_000),
    "files": ("molecules", 500),
    "damage": ("runs", 200),
    "kills": ("runs", 10),
    "addresses": ("pages", 400),
    "visitors": ("pages", 20),
}
"""Where each part is, and how much of it there is."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--seed", type=int, default=13)
    parser.add_argument("--share", type=float, default=1.0, help="of the number of each part")
    options = parser.parse_args()
    if unknown := set(options.parts) - set(PARTS):
        parser.error(f"there is no part {sorted(unknown)[0]!r}; choose from {', '.join(PARTS)}")
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"WOMBAT_CACHE": f"{folder}/cache", "WOMBAT_RUNS": f"{folder}/runs"}
        for name in options.parts or PARTS:
            module, number = PARTS[name]
            work = getattr(__import__(f"tests.soak.{module}", fromlist=[name]), name)
            counts = work(max(round(number * options.share), 1), options.seed)
            print(counts, flush=True)
            failed += len(counts.failures)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
