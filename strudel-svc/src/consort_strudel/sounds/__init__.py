"""The local sound library: what scripts can sound like without the internet.

Read at run time (standard library only):

- `folders`: where the library's files and fetched packs are
- `library`: the sounds that are there, their files, origins and licences
- `substitutes`: which local sound plays for a name that is not there
- `drum_aliases`: other names of drums
- `drum_keys`: the keys of General MIDI that each drum has
- `fingerprint`: whether the library is up to date
- `fetch_pack`: download a pack, for users who are online

Used when the library is built (numpy, soundfile):

- `soundfont_file`: read the presets and zones of an SF2 or SF3 soundfont
- `general_midi`: write the files of the `gm_*` instruments
- `drum_kits`: write the drums of a soundfont as one-shot samples
- `wavetables`: compute the wavetables
- `sample_names`: which sample is played by which name
- `build`: build the whole library in one go

The library is one folder with a description, `library.json`, which the listen page and the renderer share. It is built
from FluidR3Mono (MIT) and the samples of Sonic Pi (CC0), both packages of Debian: 73 MB in 4 s of CPU.
"""
