"""Hostile input, visitors and kills in numbers that no test has time for: ``make soak``."""
