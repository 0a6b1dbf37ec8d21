"""Edit clips as a user would: other numbers and notes, another sound, a call more or less. The seed is fixed."""

import random
import re

_SEED = 1917
_NUMBER = re.compile(r"(?<![\w.:#])\d*\.?\d+(?![\w.:(])")
_NOTE = re.compile(r"\b([a-g])(#|b)?([1-6])\b")
_LAST_CALL = re.compile(r"\.(gain|room|delay|pan|release|attack|size|lpq|velocity|postgain)\([^()]*\)")
_ADDED = (".gain(.8)", ".room(.2)", ".pan(.4)", ".fast(1)", ".hpf(90)", ".velocity(.9)")
_SOUNDS = (
    ("sawtooth", "square"),
    ("square", "triangle"),
    ("triangle", "sine"),
    ("gm_piano", "gm_epiano1"),
    ("hh", "oh"),
)


def edited(code: str, number: int) -> str:
    """Return the code with two or three edits. `number` chooses them."""
    chance = random.Random(_SEED * 100_000 + number)
    edits = [_other_numbers, _transposed, _other_sound, _call_less, _call_more]
    chance.shuffle(edits)
    changed, done = code.strip(), 0
    for edit in edits:
        after = edit(changed, chance)
        done += after != changed
        changed = after
        if done == 2 + number % 2:
            break
    return changed


def _other_numbers(code: str, chance: random.Random) -> str:
    """Change a third of the numbers by up to a third."""

    def other(found: re.Match[str]) -> str:
        value = float(found[0])
        if chance.random() > 0.34 or value in (0, 1, 2, 4, 8, 16):
            return found[0]
        changed = value * chance.uniform(0.7, 1.35)
        return str(max(round(changed), 1)) if found[0].isdigit() else f"{changed:.2f}".lstrip("0")

    return _NUMBER.sub(other, code)


def _transposed(code: str, chance: random.Random) -> str:
    """Move all note names by one letter."""
    return _NOTE.sub(lambda found: f"{'bcdefga'['abcdefg'.index(found[1])]}{found[3]}", code)


def _other_sound(code: str, chance: random.Random) -> str:
    fitting = [(old, new) for old, new in _SOUNDS if re.search(rf"\b{old}\b", code)]
    if not fitting:
        return code
    old, new = chance.choice(fitting)
    return re.sub(rf"\b{old}\b", new, code, count=1)


def _call_less(code: str, chance: random.Random) -> str:
    found = list(_LAST_CALL.finditer(code))
    if not found:
        return code
    gone = chance.choice(found)
    return code[: gone.start()] + code[gone.end() :]


def _call_more(code: str, chance: random.Random) -> str:
    return code + chance.choice(_ADDED) if code.endswith(")") else code
