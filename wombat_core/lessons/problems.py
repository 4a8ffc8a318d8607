"""What pydantic finds wrong, as one sentence for the person who wrote the lesson."""

from collections.abc import Iterable

from pydantic import ValidationError

_WORDS = {
    "a valid integer": "a whole number",
    "a valid string": "a text",
    "a valid number": "a number",
    "a valid tuple": "a list of texts, such as [a, b]",
    "a valid dictionary": "of the form {name: value}",
}
LONGEST = 40


def first_problem(error: ValidationError, known: Iterable[str], what: str, part: str) -> tuple[str, str]:
    """The key that the first error is about, and the sentence.

    Args:
        error: pydantic's.
        known: the keys there are.
        what: has the keys: "a step".
        part: what one of them is called: "key", "option".
    """
    found = min(error.errors(), key=lambda one: one["type"] != "extra_forbidden")
    place = [str(one) for one in found["loc"]]
    key, kind, given = (place or [""])[0], found["type"], str(found["input"])[:LONGEST]
    if kind == "extra_forbidden":
        return key, f"{what} has no {part} '{key[:LONGEST]}'; it has {', '.join(known) or 'none'}."
    if kind == "missing" and len(place) == 1:
        return key, f"{what} lacks the {part} '{key}'."
    if kind == "literal_error":
        choices = found.get("ctx", {})["expected"].replace("'", "").replace(" or ", ", ")
        name = [one for one in found["loc"] if isinstance(one, str)][-1]
        return key, f"there is no {name} '{given}'; choose one of {choices}."
    if kind == "value_error":
        error_itself = found.get("ctx", {})["error"]
        return getattr(error_itself, "key", key), str(error_itself)
    told = found["msg"].partition(", ")[0].removeprefix("Input should ")
    for technical, plain in _WORDS.items():
        told = told.replace(technical, plain)
    if kind in ("too_long", "too_short"):
        told = f"be {'shorter' if kind == 'too_long' else 'longer'}"
    return key, f"'{'.'.join(place)}' must {told}."
