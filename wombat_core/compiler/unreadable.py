"""Where a SMARTS that cannot be read goes wrong."""

from dataclasses import dataclass

from rdkit import Chem, rdBase

MOST_TRIES = 200
_CLOSING = {")": "(", "]": "["}


@dataclass(frozen=True)
class Fault:
    """What is wrong, in words that follow a colon, and where in the text: (start, end) in characters."""

    words: str
    span: tuple[int, int]


def find_fault(text: str) -> Fault | None:
    """The first bracket or ring that does not close, or the first character that cannot stand where it stands.

    Args:
        text: a SMARTS that RDKit does not read, of a length that is bounded already.

    >>> find_fault("C(")
    Fault(words='the bracket ( at position 2 is not closed', span=(1, 2))
    >>> find_fault("C1CC")
    Fault(words='ring 1, opened at position 2, is not closed', span=(1, 2))
    """
    return _brackets(text) or _first_bad(text) or _rings(text)


def _brackets(text: str) -> Fault | None:
    open_: list[int] = []
    for place, character in enumerate(text):
        if character in "([":
            open_.append(place)
        elif character in _CLOSING:
            if not open_:
                return Fault(f"the bracket {character} at position {place + 1} was not opened", (place, place + 1))
            if text[open_[-1]] != _CLOSING[character]:
                break
            open_.pop()
    if not open_:
        return None
    place = open_[-1]
    return Fault(f"the bracket {text[place]} at position {place + 1} is not closed", (place, place + 1))


def _rings(text: str) -> Fault | None:
    """The first ring that is not closed; digits in brackets are none."""
    open_: dict[str, int] = {}
    place = depth = 0
    while place < len(text):
        character = text[place]
        depth += {"[": 1, "]": -1}.get(character, 0)
        number, start = "", place
        if depth == 0 and character == "%":
            number = text[place + 1 : place + 3]
            place += 2
        elif depth == 0 and character.isdecimal():
            number = character
        if number.isdecimal() and open_.pop(number, None) is None:
            open_[number] = start
        place += 1
    for number, start in open_.items():
        return Fault(f"ring {number}, opened at position {start + 1}, is not closed", (start, start + 1))
    return None


def _first_bad(text: str) -> Fault | None:
    """The first character after which no prefix can be read, brackets and rings closed."""
    last = 0
    with rdBase.BlockLogs():
        for end in range(1, min(len(text), MOST_TRIES) + 1):
            if _reads(text[:end]):
                last = end
    if last >= min(len(text), MOST_TRIES):
        return None
    place = last
    return Fault(f"what begins at position {place + 1} is no SMARTS", (place, len(text)))


def _reads(text: str) -> bool:
    fault = _rings(text)
    while fault is not None:  # a ring that is open is closed by an atom behind it
        number = fault.words.split(",")[0].removeprefix("ring ")
        text += f"[*]{'%' if len(number) > 1 else ''}{number}"
        fault = _rings(text)
    open_ = [character for character in text if character in "(["]
    return len(open_) == sum(character in ")]" for character in text) and Chem.MolFromSmarts(text) is not None
