"""One kind of job for all long work, and the queue that gives every visitor a turn."""

from .job import ACTIVE, UNEXPECTED, Job
from .queue import Queue

__all__ = ["ACTIVE", "UNEXPECTED", "Job", "Queue"]
