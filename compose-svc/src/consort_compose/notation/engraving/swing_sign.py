"""The sign of swing eighths: two beamed eighths are played as a quarter and an eighth of a triplet.

The music font has no beamed notes and no bracket, so both sides are put together from its notes. Sizes are in
thousandths of the font size, as the font has them.
"""

from consort_compose.notation.engraving.fonts import ComposedSign, OutlineFont, SignPiece

_BEAMED_PAIR, _TRIPLET = "\uf8f1", "\uf8f2"
"""Characters for private use."""
SWING_SIGN = f"{_BEAMED_PAIR} = {_TRIPLET}"
_QUARTER, _EIGHTH, _THREE = "\ueca5", "\ueca7", "\ue883"
_STEM_LEFT, _STEM_RIGHT, _STEM_TOP = 280, 302, 668
_BEAM = 110
_APART = 420
_LINE = 24
_BRACKET_Y, _HOOK = 850, 90
_THREE_LEFT, _THREE_RIGHT = 330, 560


def add_swing_sign(font: OutlineFont) -> None:
    """Add the two sides of the sign to the music font."""
    font.add(
        _BEAMED_PAIR,
        ComposedSign(
            pieces=(SignPiece(_QUARTER, 0, 0), SignPiece(_QUARTER, _APART, 0)),
            boxes=((_STEM_LEFT, _STEM_TOP - _BEAM, _APART + _STEM_RIGHT, _STEM_TOP),),
            width=_APART + _STEM_RIGHT,
        ),
    )
    left, right = 150, _APART + 250
    top = _BRACKET_Y + _LINE
    font.add(
        _TRIPLET,
        ComposedSign(
            pieces=(
                SignPiece(_QUARTER, 0, 0),
                SignPiece(_EIGHTH, _APART, 0),
                SignPiece(_THREE, _THREE_LEFT - 10, _BRACKET_Y - 140),
            ),
            boxes=(
                (left, _BRACKET_Y, _THREE_LEFT - 40, top),
                (_THREE_RIGHT + 50, _BRACKET_Y, right, top),
                (left, top - _HOOK, left + _LINE, top),
                (right - _LINE, top - _HOOK, right, top),
            ),
            width=_APART + 500,
        ),
    )
