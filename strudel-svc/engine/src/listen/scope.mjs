// Everything that a script can name on this page: as in the public REPL, but nothing is loaded from elsewhere.
import * as codemirror from '@strudel/codemirror';
import * as core from '@strudel/core';
import * as draw from '@strudel/draw';
import * as mini from '@strudel/mini';
import * as soundfonts from '@strudel/soundfonts';
import * as tonal from '@strudel/tonal';
import * as webaudio from '@strudel/webaudio';
import { addMethods, standIns } from '../common/stand_ins.mjs';

/** Make the names known. `onPack(text)` is called when a script wants to load sounds from elsewhere. */
export async function makeScope(onPack) {
  addMethods();
  const withoutNetwork = {
    ...standIns,
    samples: async (source) => onPack(typeof source === 'string' ? source : 'a list of samples'),
    tables: async () => onPack('wavetables'),
  };
  await core.evalScope(core, draw, mini, tonal, webaudio, codemirror, soundfonts, withoutNetwork);
}
