"""The queue of long work: turns, stopping, visitors who leave, and what becomes of a failure."""

import threading
import time

import pytest

from wombat_core.errors import InputError
from wombat_core.jobs import UNEXPECTED, Job, Queue
from wombat_core.jobs import queue as queues
from wombat_core.progress import each, report, say, unpaused


class Gate:
    """Work that goes on only when it is told to, and notes when it began."""

    def __init__(self, name: str, log: list[str]):
        self.name, self.log = name, log
        self.open, self.began = threading.Event(), threading.Event()

    def __call__(self) -> str:
        self.log.append(self.name)
        self.began.set()
        while not self.open.wait(0.005):
            report(0.5)
        return self.name


def until(condition) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline, "it never came to that"
        time.sleep(0.005)


def gates(queue: Queue, names: str, log: list[str]) -> dict[str, tuple[Job, Gate]]:
    """Jobs such as "a1 a2 b1" in this order; the letter is the visitor."""
    made = {}
    for name in names.split():
        gate = Gate(name, log)
        made[name] = Job(queue, gate, name).start(name[0]), gate
    return made


def test_a_job_tells_how_far_it_is_and_gives_its_answer():
    seen = []

    def work():
        say("half way")
        report(0.5)
        seen.append((job.state, job.share, job.message))
        return 42

    job = Job(Queue(1), work, "Sum")
    assert (job.state, job.place, job.is_active) == ("new", None, False)
    job.start("a", patience=60)
    assert seen == [("running", 0.5, "half way")]
    assert (job.state, job.answer, job.problem) == ("done", 42, None)
    assert job.started <= job.ended and not job.owners
    job.start("a")
    assert job.state == "done", "what is done is not done again"


def test_visitors_take_turns_however_many_jobs_one_of_them_starts():
    queue, log = Queue(1), []
    jobs = gates(queue, "a1 a2 a3 a4 b1 c1 b2", log)
    jobs["a1"][1].began.wait(60)
    assert [job.title for job in queue.order()] == ["b1", "c1", "a2", "b2", "a3", "a4"]
    assert [jobs[name][0].place for name in ("b1", "a4", "a1")] == [1, 6, None]
    for _, gate in jobs.values():
        gate.open.set()
    until(lambda: not queue.running() and not queue.order())
    assert log == ["a1", "b1", "c1", "a2", "b2", "a3", "a4"]


def test_as_many_work_as_there_are_workers():
    queue, log = Queue(2), []
    jobs = gates(queue, "a1 a2 b1", log)
    until(lambda: len(log) == 2)
    assert [job.title for job in queue.running()] == ["a1", "a2"] and jobs["b1"][0].state == "waiting"
    jobs["a2"][1].open.set()
    until(lambda: jobs["b1"][0].state == "running")
    for job, gate in jobs.values():
        gate.open.set()
        job.wait(60)
    assert {job.state for job, _ in jobs.values()} == {"done"}


def test_a_long_job_gives_way_to_another_visitor_and_goes_on(monkeypatch):
    monkeypatch.setattr(queues, "SLICE", 0.0)
    queue, log = Queue(1), []
    [(long, gate)] = gates(queue, "a1", log).values()
    gate.began.wait(60)
    [(own, own_gate)] = gates(queue, "a2", log).values()
    time.sleep(0.05)
    assert log == ["a1"] and own.state == "waiting", "its visitor's own jobs come one after another"
    [(other, other_gate)] = gates(queue, "b1", log).values()
    until(lambda: other.state == "running")
    other_gate.open.set()
    until(lambda: other.state == "done")
    assert long.state in ("waiting", "running") and long.began is not None
    gate.open.set()
    own_gate.open.set()
    long.wait(60)
    own.wait(60)
    assert (long.answer, own.answer, other.answer) == ("a1", "a2", "b1")


def test_work_that_holds_a_lock_does_not_give_way(monkeypatch):
    monkeypatch.setattr(queues, "SLICE", 0.0)
    queue, log = Queue(1), []
    held, free = Gate("a1", log), threading.Event()

    def work():
        with unpaused():
            held()
        log.append("free")
        free.wait(60)

    job = Job(queue, work).start("a")
    held.began.wait(60)
    [(other, gate)] = gates(queue, "b1", log).values()
    gate.open.set()
    time.sleep(0.05)
    assert log == ["a1"], "it kept its turn"
    held.open.set()
    free.set()
    other.wait(60)
    job.wait(60)
    assert log == ["a1", "free", "b1"]


def test_a_stopped_job_goes_on_where_its_work_was():
    done, gate = [], threading.Event()

    def work():
        while len(done) < 5:
            done.append(len(done))
            if len(done) == 2:
                gate.set()
                while not job._stop.is_set():
                    time.sleep(0.005)
            report(len(done) / 5)
        return "all"

    job = Job(Queue(1), work).start("a")
    gate.wait(60)
    job.stop("a", patience=60)
    assert (job.state, job.answer, done) == ("stopped", None, [0, 1])
    job.start("a", patience=60)
    assert (job.state, job.answer, done) == ("done", "all", [0, 1, 2, 3, 4])


def test_a_waiting_or_paused_job_stops_at_once(monkeypatch):
    queue, log = Queue(1), []
    jobs = gates(queue, "a1 b1", log)
    jobs["a1"][1].began.wait(60)
    jobs["b1"][0].stop("b")
    assert jobs["b1"][0].state == "stopped" and log == ["a1"]
    monkeypatch.setattr(queues, "SLICE", 0.0)
    other = gates(queue, "c1", log)["c1"]
    until(lambda: other[0].state == "running")
    until(lambda: jobs["a1"][0].state == "waiting" or queue.running() == [jobs["a1"][0]])
    jobs["a1"][0].stop("a", patience=60)
    assert jobs["a1"][0].state == "stopped"
    other[1].open.set()
    other[0].wait(60)
    assert other[0].state == "done"


def test_a_job_of_two_visitors_ends_when_both_have_stopped_it():
    queue, log = Queue(1), []
    [(job, gate)] = gates(queue, "a1", log).values()
    job.start("b")
    gate.began.wait(60)
    job.stop("a")
    assert job.state == "running" and job.owners == {"b"} and log == ["a1"]
    job.stop("b", patience=60)
    assert job.state == "stopped"


def test_a_job_ends_a_while_after_its_visitor_is_gone_but_a_lasting_one_goes_on():
    now, there = [0.0], {"a", "b"}
    queue, log = Queue(4, is_there=there.__contains__, clock=lambda: now[0]), []
    jobs = gates(queue, "a1 b1", log)
    lasting_gate = Gate("a2", log)
    lasting = Job(queue, lasting_gate, lasting=True).start("a")
    until(lambda: len(log) == 3)
    there.discard("a")
    now[0] += queues.GRACE - 1
    queue.look()
    assert jobs["a1"][0].state == "running", "a page that is loaded anew is soon back"
    there.add("a")
    queue.look()
    there.discard("a")
    now[0] += queues.GRACE - 1
    queue.look()
    assert jobs["a1"][0].state == "running", "it was back"
    now[0] += 2
    queue.look()
    jobs["a1"][0].wait(60)
    assert [jobs["a1"][0].state, jobs["b1"][0].state, lasting.state] == ["stopped", "running", "running"]
    lasting.stop("a", patience=60)
    assert lasting.state == "stopped"
    jobs["b1"][1].open.set()
    jobs["b1"][0].wait(60)


def test_lasting_jobs_leave_a_worker_to_others():
    queue, log = Queue(2), []
    lasting = [Job(queue, Gate(name, log), name, lasting=True).start(name) for name in "ab"]
    until(lambda: log == ["a"])
    assert lasting[1].state == "waiting"
    [(job, gate)] = gates(queue, "c1", log).values()
    gate.open.set()
    job.wait(60)
    assert (job.state, lasting[1].state) == ("done", "waiting")
    lasting[0].stop(patience=60)
    until(lambda: lasting[1].state == "running")
    lasting[1].stop(patience=60)


@pytest.mark.parametrize(
    "error, problem",
    [
        (InputError("Line 3 is no molecule."), "Line 3 is no molecule."),
        (RuntimeError("secret"), UNEXPECTED),
        (SystemExit(1), UNEXPECTED),
    ],
)
def test_a_failure_is_a_sentence_and_frees_the_worker(error, problem, caplog):
    def fail():
        raise error

    queue = Queue(1)
    job = Job(queue, fail, "Failing").start("a", patience=60)
    assert (job.state, job.problem, job.answer) == ("failed", problem, None)
    assert ("Failing failed" in caplog.text) == (problem == UNEXPECTED)
    assert Job(queue, lambda: 1).start("a", patience=60).answer == 1
    job.of(lambda: each([1, 2], str)).start("a", patience=60)
    assert (job.state, job.problem, job.answer) == ("done", None, ["1", "2"])


def test_one_visitor_cannot_fill_the_line(monkeypatch):
    monkeypatch.setattr(queues, "MOST_WAITING", 2)
    queue, log = Queue(1), []
    jobs = gates(queue, "a1 a2 b1", log)
    with pytest.raises(InputError, match="2 computations wait already"):
        Job(queue, Gate("a3", log)).start("a")
    for job, _ in jobs.values():
        job.stop()
    until(lambda: not queue.running())


def test_a_job_pauses_for_a_page_that_is_made_and_never_for_one_that_waits_for_it():
    queue = Queue(workers=2)

    def work() -> int:
        steps, end = 0, time.monotonic() + 0.6
        while time.monotonic() < end:
            report(0.5)
            steps += 1
            time.sleep(0.005)
        return steps

    def steps() -> int:
        job = Job(queue, work).start("page")
        time.sleep(1.1)
        return job.answer

    free = steps()
    with queue.foreground.at_work():
        beside = steps()
        job = Job(queue, work).start("page", patience=5)
    assert 0 < beside < free / 3
    assert job.answer > 2 * beside, "whoever waits for it lets it work"
