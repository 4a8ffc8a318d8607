"""Seeded damage to texts and bytes."""

import random

PIECES = (
    *"()[]=#-+.:/\\%@$~*0123456789CNOSPFIHBcnosp",
    *("[C", "[N+]", "[999C]", "[CH99]", "%99", "[U]", "[*:1]", "[#200]", "()", "((", "C(", "C1", "c1ccccc1", "|$R1$|"),
    *("\x00", "\t", "\u200b", "\u202e", "é", "Ω", "🙂", "\ud7ff", ">>", "'", '"', ";", ",", "<b>", "{}", "__", "%00"),
    *("C" * 50, "(" * 50, "[" * 50, "C1CC1" * 20, "C(=O)N" * 30),
)


def text(own: random.Random, start: str) -> str:
    """A text with one to six things wrong with it."""
    letters = list(start)
    for _ in range(own.randint(1, 6)):
        place = own.randrange(len(letters) + 1)
        match own.randrange(5):
            case 0:
                letters.insert(place, own.choice(PIECES))
            case 1:
                del letters[place : place + own.randint(1, 4)]
            case 2:
                letters[place : place + 1] = [own.choice(PIECES)]
            case 3:
                cut = letters[place : place + own.randint(1, 12)]
                letters[place:place] = cut * own.randint(1, 4)
            case _:
                own.shuffle(part := letters[place : place + 5])
                letters[place : place + 5] = part
    return "".join(letters)


def content(own: random.Random, start: bytes) -> bytes:
    """A file's bytes with one to eight things wrong with them."""
    found = bytearray(start)
    for _ in range(own.randint(1, 8)):
        place = own.randrange(len(found) + 1)
        match own.randrange(6):
            case 0 if found:
                found[place % len(found)] ^= 1 << own.randrange(8)
            case 1:
                found[place:place] = own.randbytes(own.randint(1, 20))
            case 2:
                del found[place : place + own.randint(1, 200)]
            case 3:
                found[place:place] = own.choice(
                    [b"\n", b"\r", b'"', b"\x00", b"\xff\xfe", b"$$$$\n", b"M  END\n", b","]
                )
            case 4:
                found[place:place] = found[place : place + own.randint(1, 400)] * own.randint(1, 3)
            case _:
                found = found[:place] if own.random() < 0.3 else found
    return bytes(found)
