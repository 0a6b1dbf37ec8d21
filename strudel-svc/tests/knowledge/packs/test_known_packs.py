"""The facts about all packs: they agree with themselves, and with what the real engine and validate_script do."""

import re

import pytest

from consort_strudel.packs import KnownPack, known_packs, pack_at, packs_with_sound
from consort_strudel.packs.known_packs import PACK_CHARACTERS, PACK_TYPES
from consort_strudel.sounds.drum_aliases import DRUM_ALIASES
from tests.support.strudel_engine import RunningEngine

_DEFAULT_BRANCH = "main"
"""What the engine's own `githubPath` reads if an address names none."""
FACTS = {
    "Dirt-Samples": ("samples('github:tidalcycles/Dirt-Samples/master')", "c74fc80f8db8", None, 218, 2038),
    "uzu-drumkit": ("samples('github:tidalcycles/uzu-drumkit')", "2f3e05c70ab4", "Unlicense", 16, 41),
    "spicule": ("samples('github:yaxu/spicule/master')", "625bcff3088b", None, 75, 1527),
    "mrid": ("samples('github:yaxu/mrid')", "5ba409cabb28", "CC-BY-SA", 13, 131),
    "Dough-Amiga": ("samples('github:Bubobubobubobubo/Dough-Amiga')", "c0988494e066", None, 116, 10646),
    "polifonia-samples": ("samples('github:fstiffo/polifonia-samples/master')", "a11a1bcde153", "CC0-1.0", 1, 14),
    "samples-flbass": ("samples('github:cleary/samples-flbass')", "f0c5f4ee19c2", "CC0-1.0", 1, 17),
    "VCSL": (
        "samples('https://raw.githubusercontent.com/felixroos/dough-samples/main/vcsl.json')",
        None,
        "CC0-1.0",
        128,
        1908,
    ),
}
"""By name: loading line, commit, licence, categories and samples, copied from the packs by hand."""


def test_there_are_75_packs_with_unique_names_and_addresses() -> None:
    assert len(known_packs()) == 75
    assert (
        len({pack.name.lower() for pack in known_packs()})
        == len({pack.address.lower() for pack in known_packs()})
        == 75
    )


@pytest.mark.parametrize("name", FACTS)
def test_the_facts_of_some_packs(name: str) -> None:
    pack = next(pack for pack in known_packs() if pack.name == name)
    assert FACTS[name] == (pack.loading_syntax, pack.commit, pack.licence, len(pack.sounds), pack.sample_count)


def address_of(pack: KnownPack) -> str:
    """Return the address that the facts say: repository, branch unless it is the default, and the file of a map."""
    if pack.address.startswith("github:"):
        branch = "" if pack.branch == _DEFAULT_BRANCH else f"/{pack.branch}"
        return f"github:{pack.repository}{branch}"
    file = pack.address.rpartition(f"/{pack.branch}/")[2]
    return f"https://raw.githubusercontent.com/{pack.repository}/{pack.branch}/{file}"


def test_every_loading_line_is_read_by_the_engine_as_the_facts_say(engine: RunningEngine) -> None:
    lines = "\n".join(pack.loading_syntax for pack in known_packs())
    facts = engine.parse(lines)
    assert facts.error is None
    loaded = [call["values"][0] for call in engine.evaluate(f'{lines}\ns("bd")', 0, 1).loaded]
    assert loaded == [address_of(pack) for pack in known_packs()]
    assert [pack_at(address) for address in loaded] == list(known_packs())


def test_counts_descriptions_and_words_are_complete() -> None:
    for pack in known_packs():
        assert bool(pack.sounds) == pack.is_loadable and all(count >= 0 for count in pack.sounds.values())
        assert set(pack.pitched) <= set(pack.sounds), pack.name
        assert len(pack.description) > 10 and pack.description.endswith("."), pack.name
        assert pack.types and set(pack.types) <= set(PACK_TYPES), pack.name
        assert pack.character and set(pack.character) <= set(PACK_CHARACTERS), pack.name
        assert pack.tags and len(set(pack.tags)) == len(pack.tags), pack.name
        assert pack.licence is None or "none" not in pack.licence.lower(), pack.name
        assert pack.commit is None or re.fullmatch("[0-9a-f]{12}", pack.commit), pack.name


def own_sound(pack: KnownPack) -> str | None:
    """Return a sound that no script knows without loading the pack, and that is no other word for a drum."""
    elsewhere = {sound.lower() for other in known_packs() if other.in_public_repl for sound in other.sounds}
    elsewhere |= {*DRUM_ALIASES, "pulse"}
    names = (name for name in pack.sounds if re.fullmatch(r"[A-Za-z][\w]{3,}", name) and not name.startswith("wt_"))
    return next((name for name in names if name.lower() not in elsewhere), None)


def test_the_sounds_of_a_pack_are_known_only_to_scripts_that_load_it(engine: RunningEngine) -> None:
    packs = [(pack, sound) for pack in known_packs() if (sound := own_sound(pack)) and not pack.in_public_repl]
    assert len(packs) > 50
    with_line = engine.validate_all([f'{pack.loading_syntax}\ns("{sound}")' for pack, sound in packs])
    assert [pack.name for (pack, _), verdict in zip(packs, with_line, strict=True) if not verdict.valid] == []
    without = engine.validate_all([f's("{sound}")' for _, sound in packs])
    for (_, sound), verdict in zip(packs, without, strict=True):
        assert not verdict.valid and packs_with_sound(sound)[0].loading_syntax in str(verdict.errors[0].suggestion)


@pytest.mark.parametrize(
    ("script", "line"),
    [
        ('s("funkydrummer")', "samples('github:yaxu/clean-breaks')"),
        ('s("bd").bank("crate")', "samples('github:eddyflux/crate')"),
        ('s("gglitch:3")', "samples('github:kyrsive/gc-glitches')"),
    ],
)
def test_an_unknown_sound_that_a_pack_has_names_the_line_to_load_it(
    engine: RunningEngine, script: str, line: str
) -> None:
    verdict = engine.validate(script)
    assert not verdict.valid and line in str(verdict.errors[0].suggestion)
    assert engine.validate(f"{line}\n{script}").valid


def test_another_word_for_a_drum_is_not_looked_for_in_packs(engine: RunningEngine) -> None:
    assert engine.validate('s("kick")').errors[0].suggestion == "Did you mean 'bd'?"


def test_a_pack_with_a_broken_map_gives_a_warning(engine: RunningEngine) -> None:
    verdict = engine.validate("samples('github:wyan/livecoding-samples')\ns(\"bd\")")
    assert verdict.valid and any("not valid JSON" in warning.message for warning in verdict.warnings)
