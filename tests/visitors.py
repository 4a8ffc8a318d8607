"""Visitors of one server, without browsers: how fast it answers, alone and while some start the dearest work.

    python -m tests.visitors                    twenty visitors, four of whom start the dearest things there are
    python -m tests.visitors --visitors 40 --dear 0      a class
    python -m tests.visitors --hostile          molecules that cost more than their answer is worth, besides

A visitor is a session of Streamlit's own protocol over a web socket. Each of those who only look opens another molecule
every few seconds and waits until the page is whole. It takes minutes and needs a quiet machine, so no test runs it.
"""

import argparse
import asyncio
import contextlib
import os
import random
import statistics
import tempfile
import time
from functools import cache
from itertools import islice
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.browser import ROOT, streamlit_server
from wombat_core.benchmark import runs
from wombat_core.molecules.library import LibraryRow, library_rows
from wombat_core.whitebox.catalogue import fourteen

EVERY = 12.0
"""Seconds between two molecules of a visitor."""
PATIENCE = 120.0
COSTLY = "gnn-explainer,pg-explainer,subgraphx,shapley-value-sampling,pgm-explainer"
LARGE = "CC(C)CC(NC(=O)C(CO)NC(=O)C(CCC)NC(=O)C(C)NC(=O)C(CO)NC(=O)C(CCCCN)NC(=O)C)C(=O)NC(CC(=O)O)C(=O)O"
HOSTILE = ("C1" + "C" * 900 + "C1", "C(" * 1200 + "C" + ")" * 1200, "C1" + "C" * 3900 + "C1", "C" * 3900)


class Visitor:
    """A browser tab: a web socket, and the buttons of the page it shows."""

    def __init__(self, server: str):
        self._server = server
        self._socket = None
        self.buttons: dict[str, str] = {}
        self.said: list[str] = []

    async def __aenter__(self) -> "Visitor":
        address = f"ws://{urlsplit(self._server).netloc}/_stcore/stream"
        self._socket = await websockets.connect(address, subprotocols=["streamlit"], max_size=None)
        return self

    async def __aexit__(self, *error) -> None:
        await self._socket.close()

    async def open(self, page: str, **address: str) -> float:
        """Open an address and wait until the page is whole; the seconds it took."""
        message = BackMsg()
        message.rerun_script.query_string = urlencode(address)
        message.rerun_script.page_name = page
        return await self._whole(message)

    async def click(self, label: str, page: str, **address: str) -> None:
        """Click the first button whose label begins so; what it starts is not waited for."""
        id = next((id for own, id in self.buttons.items() if own.startswith(label)), None)
        if id is None:
            raise RuntimeError(f"no button {label!r} on {page}: {list(self.buttons)} {self.said[-3:]}")
        message = BackMsg()
        message.rerun_script.query_string = urlencode(address)
        message.rerun_script.page_name = page
        state = message.rerun_script.widget_states.widgets.add()
        state.id, state.trigger_value = id, True
        await self._whole(message)

    async def _whole(self, message: BackMsg) -> float:
        began = time.perf_counter()
        self.buttons, self.said = {}, []
        await self._socket.send(message.SerializeToString())
        async with asyncio.timeout(PATIENCE):
            while True:
                found = ForwardMsg.FromString(await self._socket.recv())
                element = found.delta.new_element
                if element.HasField("button"):
                    self.buttons[element.button.label] = element.button.id
                elif element.HasField("markdown"):
                    self.said.append(element.markdown.body)
                elif element.HasField("alert"):
                    self.said.append(element.alert.body)
                if found.WhichOneof("type") == "script_finished":
                    return time.perf_counter() - began

    async def stay(self) -> None:
        """Keep reading, as a browser does, without doing anything."""
        with contextlib.suppress(websockets.ConnectionClosed):
            while True:
                await self._socket.recv()


@cache
def some_rows() -> list[LibraryRow]:
    """Molecules to open, read before anything is measured."""
    return list(islice(library_rows(), 20_000))


async def look(server: str, number: int, until: float, times: list[float]) -> None:
    """Open a new molecule on Explore every few seconds."""
    draw = random.Random(number)
    rows = some_rows()
    ids = [each.id for each in fourteen()]
    async with Visitor(server) as visitor:
        await asyncio.sleep(EVERY * draw.random())
        while time.monotonic() < until:
            row = rows[draw.randrange(len(rows))]
            address = {"molecule": row.smiles[:400], "pattern": draw.choice(ids)}
            began = time.monotonic()
            times.append(await visitor.open("", **address))
            await asyncio.sleep(max(0.0, EVERY - (time.monotonic() - began)))


async def spend(server: str, number: int) -> None:
    """Start one of the dearest things there are, and stay."""
    kinds = (
        ("Run all", "", {"molecule": LARGE, "explainers": COSTLY, "samples": "2000", "steps": "2000"}),
        (
            "Start the run",
            "benchmark",
            {
                "benchmark.view": "new",
                "benchmark.patterns": ",".join(each.id for each in fourteen()),
                "benchmark.molecules": "library",
                "benchmark.most_each": "0",
            },
        ),
        ("Search", "failures", {"failures.view": "search", "failures.molecules": "library", "samples": "2000"}),
        ("Compute", "benchmark", {"benchmark.view": "molecules"}),
    )
    button, page, address = kinds[number % len(kinds)]
    async with Visitor(server) as visitor:
        await visitor.open(page, **address)
        await visitor.click(button, page, **address)
        print(f"  started: {button} ({page or 'explore'})", flush=True)
        await visitor.stay()


async def harm(server: str, number: int) -> None:
    """Open molecules that cost more than their answer is worth, one after another."""
    async with Visitor(server) as visitor:
        for turn in range(1000):
            text = HOSTILE[(number + turn) % len(HOSTILE)]
            await visitor.open("", molecule=f"{text} {turn}", pattern="5")


async def measure(server: str, visitors: int, seconds: float, others: list) -> list[float]:
    """The answer times of visitors who look, while others do something else."""
    times: list[float] = []
    until = time.monotonic() + seconds
    busy = [asyncio.create_task(each) for each in others]
    if busy:
        await asyncio.sleep(8)
    results = await asyncio.gather(
        *(look(server, number, until, times) for number in range(visitors)), return_exceptions=True
    )
    for task in busy:
        task.cancel()
    for result in [*results, *await asyncio.gather(*busy, return_exceptions=True)]:
        if isinstance(result, Exception):
            print("  a visitor's error:", type(result).__name__, result)
    return times


def megabytes(server: str) -> float:
    """What the server's process holds."""
    port = str(urlsplit(server).port)
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            words = (folder / "cmdline").read_bytes().split(b"\0")
            if f"--server.port={port}".encode() in words:
                return int((folder / "statm").read_text().split()[1]) * 4096 / 1e6
    return float("nan")


def told(name: str, times: list[float]) -> str:
    """Median and 90th percentile of answer times."""
    ordered = sorted(times)
    tenth = ordered[int(0.9 * (len(ordered) - 1))]
    return f"{name}: {len(times)} answers, median {statistics.median(times):.2f} s, 90 % within {tenth:.2f} s"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--visitors", type=int, default=20)
    parser.add_argument("--dear", type=int, default=4, help="how many of them start the dearest work")
    parser.add_argument("--hostile", action="store_true", help="and two of them open hostile molecules")
    parser.add_argument("--seconds", type=float, default=90)
    options = parser.parse_args()
    lookers = options.visitors - options.dear
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"WOMBAT_RUNS": f"{folder}/runs", "WOMBAT_CACHE": f"{folder}/cache"}
        try:
            _measured(options, lookers)
        finally:
            for each in runs.run_infos():  # a run goes on when its server ends
                runs.stop(each.name)
                while runs.info(each.name).at_work:
                    time.sleep(0.2)


def _measured(options: argparse.Namespace, lookers: int) -> None:
    some_rows()
    with streamlit_server(ROOT / "app.py") as server:
        asyncio.run(measure(server.url, 1, 15, []))
        before = megabytes(server.url)
        idle = asyncio.run(measure(server.url, lookers, options.seconds, []))
        after = megabytes(server.url)
        print(told(f"{lookers} visitors alone", idle))
        print(f"memory: {before:.0f} MB with one visitor before, {after:.0f} MB after")
        if options.dear:
            others = [spend(server.url, number) for number in range(options.dear)]
            others += [harm(server.url, number) for number in range(2)] if options.hostile else []
            busy = asyncio.run(measure(server.url, lookers, options.seconds, others))
            print(told(f"the same while {len(others)} others work", busy))
            ratio = statistics.median(busy) / statistics.median(idle)
            print(f"ratio of the medians: {ratio:.2f} (wanted: below 1.5); memory {megabytes(server.url):.0f} MB")


if __name__ == "__main__":
    main()
