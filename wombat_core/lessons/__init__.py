"""Lessons: Markdown files whose steps name molecule, whitebox, explainers and view, and whose numbers are computed."""
