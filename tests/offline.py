"""All pages in a browser, with a list of who was asked for what: ``python -m tests.offline``.

Prints one JSON object: ``requests``, all of the browser's; ``server``, the addresses that the server's process looked
up or connected to. Run it under ``unshare -rn`` to have no network at all; the loopback is brought up here.
"""

import fcntl
import json
import os
import socket
import struct
import tempfile
from pathlib import Path

from tests.browser import ROOT, chromium, streamlit_server, visit

PAGES = ("", "layers", "interpolation", "failures", "benchmark", "author", "shapeggen", "lessons")
LOG = "WOMBAT_ASKED"

AUDIT = f"""
import json, os, sys

def note(event, arguments):
    if event in ("socket.connect", "socket.sendto", "socket.getaddrinfo", "socket.gethostbyname"):
        address = arguments[1] if event in ("socket.connect", "socket.sendto") else arguments[0]
        with open(os.environ["{LOG}"], "a") as log:
            log.write(json.dumps(address, default=repr) + "\\n")

sys.addaudithook(note)
"""


def loopback_up() -> None:
    """What ``ip link set lo up`` does; there may be no ``ip``."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        name, flags = struct.unpack("16sh", fcntl.ioctl(any_socket, 0x8913, struct.pack("16sh", b"lo", 0)))
        fcntl.ioctl(any_socket, 0x8914, struct.pack("16sh", name, flags | 1))


def main() -> None:
    if os.environ.get("OWN_NETWORK"):
        loopback_up()
    requests = []
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "asked"
        log.touch()
        (Path(folder) / "sitecustomize.py").write_text(AUDIT)
        os.environ |= {"PYTHONPATH": folder, LOG: str(log)}
        with streamlit_server(ROOT / "app.py") as server, chromium() as browser:
            for page in PAGES:
                with visit(browser, f"{server.url}/{page}") as tab:
                    requests += tab.requests + tab.outside
        asked = [json.loads(line) for line in log.read_text().splitlines()]
    print(json.dumps({"requests": requests, "server": asked}))


if __name__ == "__main__":
    main()
