"""YAML mappings that know on which line each of their keys stands."""

from typing import Any

import yaml

from .lesson import LessonError


def read_mapping(text: str, file: str, first_line: int) -> tuple[dict[str, Any], dict[str, int]]:
    """The values of a YAML mapping, and the line of every key in the file.

    Args:
        text: the YAML; nothing at all is an empty mapping.
        file: for the sentences of errors.
        first_line: the line of the file on which ``text`` begins.

    Raises:
        LessonError: it is no YAML, no mapping, or has a key twice.
    """
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
        values = yaml.safe_load(text)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = first_line + (mark.line if mark else 0)
        problem = getattr(error, "problem", None) or "a special character"
        raise LessonError(file, line, f"this is not valid YAML ({problem}).") from None
    if node is None:
        return {}, {}
    if not isinstance(node, yaml.MappingNode):
        raise LessonError(file, first_line, "this must be lines of the form 'key: value'.")
    lines: dict[str, int] = {}
    for key, _ in node.value:
        line = first_line + key.start_mark.line
        if not isinstance(key, yaml.ScalarNode):
            raise LessonError(file, line, "a key must be a word.")
        if key.value in lines:
            raise LessonError(file, line, f"the key '{key.value}' stands here for the second time.")
        lines[key.value] = line
    return {str(key): value for key, value in values.items()}, lines
