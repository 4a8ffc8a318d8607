"""Numbers as lessons wrote them before: ``{{auroc integrated-gradients steps=100}}``, in today's form."""

import re
from collections.abc import Container

_OLD = re.compile(r"([a-z][a-z-]*)((?: +[^\s\"'|]+)*)")
_NUMBER = re.compile(r"\d+(\.\d+)?")
_TEXTS = ("pattern", "molecule", "readout")


def rewritten(source: str, known: Container[str], quote: str = '"') -> str | None:
    """What stands between the braces today; None where it is not in the old form.

    >>> rewritten("score saliency 3 digits=4", {"score"})
    'score("saliency", 3, digits=4)'
    >>> rewritten("num-atoms", {"num_atoms"})
    'num_atoms'
    >>> rewritten('score("saliency", 3)', {"score"}) is None
    True
    """
    found = _OLD.fullmatch(source)
    if found is None or (name := found[1].replace("-", "_")) not in known or source == name:
        return None
    if not found[2]:
        return name

    def written(word: str) -> str:
        key, equals, value = word.partition("=") if re.match(r"[a-z_]+=", word) else ("", "", word)
        is_number = _NUMBER.fullmatch(value) and key not in _TEXTS
        return f"{key}{equals}{value}" if is_number else f"{key}{equals}{quote}{value}{quote}"

    return f"{name}({', '.join(map(written, found[2].split()))})"


def convert(text: str, known: Container[str]) -> str:
    """A lesson file with its numbers in today's form.

    In a ``step`` block the quotes are single ones, as YAML has double ones around texts.
    """
    in_block, lines = False, []
    for line in text.split("\n"):
        in_block = line.strip() == "```step" or (in_block and line.strip() != "```")
        quote = "'" if in_block else '"'

        def told(found: re.Match, quote: str = quote) -> str:
            modern = rewritten(found[1].strip(), known, quote)
            return found[0] if modern is None else f"{{{{ {modern} }}}}"

        lines.append(re.sub(r"\{\{(.*?)\}\}", told, line))
    return "\n".join(lines)
