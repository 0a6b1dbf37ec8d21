// Stand-ins for what a script of the public REPL can name but has no meaning here: devices, inputs, and other programs.
import { Pattern, reify, silence } from '@strudel/core';

const DEVICES = ['csound', 'csoundm', 'midi', 'mqtt', 'osc', 'serial'];
const INPUTS = ['cc', 'gamepad', 'midin', 'midikeys'];
const SETUP = ['enableMotion', 'initHydra', 'loadCsound', 'loadOrc', 'midimaps', 'defaultmidimap'];

/** Make methods of patterns that return the pattern unchanged. */
export function addMethodsWithoutEffect(names) {
  for (const name of names) {
    Pattern.prototype[name] = function () {
      return this;
    };
  }
}

/** Add the methods that the public REPL has, beyond those of its packages. */
export function addMethods() {
  addMethodsWithoutEffect(DEVICES);
  Pattern.prototype.piano = function () {
    return this.fmap((value) => ({ ...value, clip: value.clip ?? 1 })).s('piano').release(0.1);
  };
}

export const standIns = {
  hydra: () => silence,
  H: (value) => reify(value),
  speak: () => silence,
  ...Object.fromEntries(INPUTS.map((name) => [name, async () => () => silence])),
  ...Object.fromEntries(SETUP.map((name) => [name, async () => undefined])),
};
