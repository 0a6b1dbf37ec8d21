// Everything that a script can name: the packages of the public REPL, and harmless stand-ins for what needs a browser
// or a device (canvas, MIDI, OSC, sliders).
import { everything as core } from 'all-of:@strudel/core';
import { everything as draw } from 'all-of:@strudel/draw';
import { everything as mini } from 'all-of:@strudel/mini';
import { everything as soundfonts } from 'all-of:@strudel/soundfonts';
import { everything as tonal } from 'all-of:@strudel/tonal';
import { everything as webaudio } from 'all-of:@strudel/webaudio';
import { addMethods, addMethodsWithoutEffect, standIns } from '../common/stand_ins.mjs';

const { Pattern, evalScope, pure, silence } = core;

const DRAWING = [
  'animate', 'draw', 'fscope', 'markcss', 'onPaint', 'pianoroll', 'pitchwheel', 'punchcard', 'scope', 'spectrum', 'spiral',
  'tscope', 'wordfall',
];

export const loaded = [];
/** What `samples()` and its like were called with. */
const record =
  (kind) =>
  async (...values) => {
    loaded.push({ kind, values: values.map((value) => (typeof value === 'string' ? value : JSON.parse(JSON.stringify(value ?? null)))) });
  };

export async function makeScope() {
  for (let i = 1; i <= 1021; i += 1) delete Pattern.prototype[`consort${i}`]; // see build.mjs
  addMethods();
  addMethodsWithoutEffect([...DRAWING, ...DRAWING.map((name) => `_${name}`), 'K', 'hydra']);
  globalThis.window = { addEventListener() {}, removeEventListener() {}, postMessage() {} }; // for the keys pressed: none
  const withoutPage = {
    ...standIns,
    slider: (value) => pure(value),
    sliderWithID: (id, value) => pure(value),
    samples: record('samples'),
    tables: record('tables'),
    aliasBank: record('aliasBank'),
    soundAlias: record('soundAlias'),
    kabel: () => silence,
    loadSoundfont: async () => undefined,
  };
  await evalScope(core, draw, mini, tonal, webaudio, soundfonts, withoutPage);
}

export function names() {
  webaudio.registerSynthSounds();
  webaudio.registerZZFXSounds();
  soundfonts.registerSoundfonts();
  const methods = new Set();
  for (let at = Pattern.prototype; at && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    for (const name of Object.getOwnPropertyNames(at)) methods.add(name);
  }
  return {
    functions: Object.keys(core.strudelScope).filter((name) => typeof globalThis[name] === 'function').sort(),
    values: Object.keys(core.strudelScope).filter((name) => typeof globalThis[name] !== 'function').sort(),
    methods: [...methods].sort(),
    controls: Object.keys(core.controls).filter((name) => typeof core.controls[name] === 'function').sort(),
    sounds: Object.keys(webaudio.soundMap.get()).sort(),
    voicings: Object.fromEntries(Object.entries(tonal.voicingRegistry).map(([name, { dictionary }]) => [name, Object.keys(dictionary).sort()])),
    scales: require('@tonaljs/scale-type').all().flatMap(({ name, aliases }) => [name, ...aliases]).sort(),
  };
}
