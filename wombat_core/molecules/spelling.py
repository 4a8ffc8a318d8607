"""The spellings of a text: invisible characters, typographic signs, Greek letters, what is around it."""

import html
import re
import sys
import unicodedata
from collections.abc import Iterator

INVISIBLE = "".join(
    chr(code) for code in range(sys.maxunicode + 1) if unicodedata.category(chr(code)) in ("Cc", "Cf", "Zs", "Zl", "Zp")
)
"""Characters that nobody sees, blanks among them."""
_HYPHENS = dict.fromkeys(map(ord, "‐‑‒–—―−﹣－⁃"), "-")
_PRIMES = {**dict.fromkeys(map(ord, "′’‘ʹʼ´`＇"), "'"), **dict.fromkeys(map(ord, "″”“"), "''"), ord("‴"): "'''"}
_GREEK = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau upsilon phi chi "
    "psi omega"
)
_LETTERS = dict(zip(map(ord, "αβγδεζηθικλμνξοπρστυφχψω"), _GREEK.split(), strict=True)) | {
    ord("ς"): "sigma",
    ord("ϵ"): "epsilon",
}
_MARKS = {"'": "'", '"': '"', "`": "`", "‘": "’", "’": "’", "“": "”", "”": "”", "„": "“", "«": "»", "<": ">"}
_SIGNS = {
    ",": "comma",
    ";": "semicolon",
    ".": "full stop",
    "'": "quotation mark",
    '"': "quotation mark",
    "`": "quotation mark",
    "\\": "backslash",
    "、": "comma",
    "，": "comma",
    "；": "semicolon",
    "|": "vertical bar",
}
_LABEL = re.compile(
    r"(?:canonical |isomeric )?(smiles|smi|inchi|name|cas|structure|molecule)"
    r"(?:\s*(?:code|string|number|no\.?)?\s*[:=]\s*|(?<=smiles)\s+)(?=\S)",
    re.IGNORECASE,
)


def trimmed(text: str) -> str:
    """The text without blanks, control and other invisible characters at its ends."""
    return text.strip(INVISIBLE)


def split_name(content: str) -> tuple[str, str | None]:
    """SMILES and name of "CCO ethanol"; what begins with | belongs to the SMILES, a name may stand behind it."""
    text, *rest = content.split(maxsplit=1)
    behind = rest[0].strip() if rest else ""
    if not behind.startswith("|"):
        return text, behind or None
    extension, bar, name = behind[1:].partition("|")
    return f"{text} |{extension}{bar}", name.strip() or None


def plain_signs(text: str) -> str:
    """The text with hyphens, primes and quotation marks as keyboards have them, without invisible characters."""
    seen = "".join(c for c in text if unicodedata.category(c) not in ("Cf", "Cc"))
    return unicodedata.normalize("NFKC", seen.translate(_HYPHENS | _PRIMES)).translate(_HYPHENS | _PRIMES)


def spellings(name: str) -> Iterator[str]:
    """The spellings under which a name may be known, the given one first, each in lower case with single blanks.

    Greek letters are written out, with a hyphen to what follows where there is none; primes stay, since they tell
    molecules apart.
    """
    given = " ".join(name.lower().split())
    plain = " ".join(plain_signs(html.unescape(name)).lower().split())
    plain = (
        re.sub(r"[.$\\]+(" + _GREEK.replace(" ", "|") + r")[.$]*", r"\1", plain)
        if re.search(r"[.$\\]", plain)
        else plain
    )
    written = "".join(_written(plain))
    texts = [given, plain, written]
    greek = "|".join(_GREEK.split())
    texts += [re.sub(rf"\b({greek}) (?=\w)", r"\1-", text) for text in (plain, written)]
    texts += [re.sub(rf"\b({greek})-(?=\w)", r".\1.-", text) for text in (plain, written)]
    texts += [re.sub(rf"\b({greek})-", r"\1 ", written)]
    texts += [re.sub("sulph", "sulf", text) for text in (plain, written)]
    texts += [text.replace("aluminum", "aluminium").replace("cesium", "caesium") for text in (plain,)]
    texts += [text.replace("aluminium", "aluminum").replace("caesium", "cesium") for text in (plain,)]
    texts += [re.sub(r"\s*([-,()\[\]])\s*", r"\1", written)]
    yield from dict.fromkeys(text for text in texts if text)


def _written(text: str) -> Iterator[str]:
    """Greek letters as words: "β-alanine" and "βalanine" give the same."""
    for place, character in enumerate(text):
        word = _LETTERS.get(ord(character))
        if word is None:
            yield character
            continue
        before, after = text[place - 1 : place], text[place + 1 : place + 2]
        yield f"{'-' if before.isalpha() else ''}{word}{'-' if after.isalpha() else ''}"


def unwrapped(text: str) -> tuple[str, str] | None:
    """A text without one thing around it that is no part of it, and what that was in words; None where there is none.

    Quotation marks around the whole, a comma, semicolon or single mark at an end, a label such as "SMILES:" in front.
    """
    if found := _LABEL.match(text):
        return trimmed(text[found.end() :]), f"the word '{found[0].strip()}' in front"
    if len(text) > 2 and _MARKS.get(text[0]) == text[-1]:
        what = "angle brackets" if text[0] == "<" else "quotation marks"
        return trimmed(text[1:-1]), f"the {what} around it"
    if len(text) > 1 and text[-1] in _SIGNS:
        return trimmed(text[:-1]), f"the {_SIGNS[text[-1]]} at its end (position {len(text)})"
    if len(text) > 1 and text[0] in _SIGNS:
        return trimmed(text[1:]), f"the {_SIGNS[text[0]]} in front (position 1)"
    return None
