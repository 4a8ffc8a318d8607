"""What came of a part of the soak: how many of what, and every failure with the input that brought it about."""

import time
from collections import Counter
from dataclasses import dataclass, field


@dataclass
class Counts:
    """Outcomes by name. A failure is an outcome that must not be."""

    what: str
    outcomes: Counter = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)
    longest: tuple[float, str] = (0.0, "")
    begun: float = field(default_factory=time.perf_counter)

    def add(self, outcome: str, number: int = 1) -> None:
        self.outcomes[outcome] += number

    def fail(self, why: object, given: object) -> None:
        self.outcomes["FAILURES"] += 1
        self.failures.append(f"{type(why).__name__ if isinstance(why, BaseException) else ''} {why}: {given!r:.300}")

    def took(self, seconds: float, given: object) -> None:
        self.longest = max(self.longest, (seconds, f"{given!r:.80}"))

    def __str__(self) -> str:
        counted = ", ".join(f"{number:,} {outcome}" for outcome, number in self.outcomes.items())
        slow = f"; longest {self.longest[0]:.2f} s: {self.longest[1]}" if self.longest[1] else ""
        head = f"{self.what}: {counted} ({time.perf_counter() - self.begun:.0f} s{slow})"
        return "\n".join([head, *(f"  FAILED {each}" for each in self.failures[:20])])
