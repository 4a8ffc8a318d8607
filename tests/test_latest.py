"""What the server keeps for all sessions."""

from pages.shared.latest import Latest


def test_the_latest_used_are_kept():
    kept = Latest(2)
    kept.put("a", 1)
    kept.put("b", 2)
    assert kept.get("a") == 1
    kept.put("c", 3)
    assert (kept.get("a"), kept.get("b"), kept.get("c")) == (1, None, 3)
    assert kept.of("c", lambda: 4) == 3 and kept.of("d", lambda: 4) == 4
    assert kept.values() == [3, 4]


def test_work_that_goes_on_stays():
    running = {"a"}
    kept = Latest(1, held=lambda value: value in running)
    assert [kept.of(name, lambda name=name: name) for name in "abc"] == ["a", "b", "c"]
    assert kept.values() == ["a", "c"]
    running.clear()
    kept.put("d", "d")
    assert kept.values() == ["d"]
