// Everything that a script can name on this page: as in the public REPL, but nothing is loaded from elsewhere.
import * as codemirror from '@strudel/codemirror';
import * as core from '@strudel/core';
import * as draw from '@strudel/draw';
import * as mini from '@strudel/mini';
import * as soundfonts from '@strudel/soundfonts';
import * as tonal from '@strudel/tonal';
import * as webaudio from '@strudel/webaudio';

const { Pattern, evalScope, reify, silence } = core;
const DEVICES = ['csound', 'csoundm', 'midi', 'mqtt', 'osc', 'serial'];
const INPUTS = ['cc', 'gamepad', 'midin', 'midikeys'];
const SETUP = ['enableMotion', 'initHydra', 'loadCsound', 'loadOrc', 'midimaps', 'defaultmidimap'];

/** Make the names known. `onPack(text)` is called when a script wants to load sounds from elsewhere. */
export async function makeScope(onPack) {
  const itself = function () {
    return this;
  };
  for (const name of DEVICES) Pattern.prototype[name] = itself;
  Pattern.prototype.piano = function () {
    return this.fmap((value) => ({ ...value, clip: value.clip ?? 1 })).s('piano').release(0.1);
  };
  const standIns = {
    samples: async (source) => onPack(typeof source === 'string' ? source : 'a list of samples'),
    tables: async () => onPack('wavetables'),
    hydra: () => silence,
    H: (value) => reify(value),
    speak: () => silence,
  };
  for (const name of INPUTS) standIns[name] = async () => () => silence;
  for (const name of SETUP) standIns[name] = async () => undefined;
  await evalScope(core, draw, mini, tonal, webaudio, codemirror, soundfonts, standIns);
}
