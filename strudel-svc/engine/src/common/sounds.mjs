// The sounds of the local library, registered with the sound engine. The page that loads them says where they are:
// `address(path)` is the address of a file of the library.
import * as soundfonts from '@strudel/soundfonts';
import { registerSynthSounds, registerZZFXSounds, samples, soundMap } from '@strudel/webaudio';
import { substituteFor } from './substitutes.mjs';

const FONTS = 'https://instruments.invalid'; // replaced by `instrumentAddress` before anything is requested
const PROGRAM = /^https:\/\/instruments\.invalid\/(\d{3})\d_\w+\.js$/;
const SILENT_NAMES = ['-', '~', '_'];

let library = { samples: {}, programs: [], substitutes: {} };
let isLocal = () => false;

export async function registerSounds(description, address) {
  library = description;
  registerSynthSounds();
  registerZZFXSounds();
  soundfonts.setSoundfontUrl(FONTS);
  soundfonts.registerSoundfonts();
  const local = new Set();
  const addressOf = (path) => {
    const found = address(path);
    local.add(found);
    return found;
  };
  const map = {};
  for (const [name, files] of Object.entries(library.samples)) {
    map[name] = Array.isArray(files)
      ? files.map(addressOf)
      : Object.fromEntries(Object.entries(files).map(([note, each]) => [note, each.map(addressOf)]));
  }
  await samples(map, '');
  isLocal = (url) => local.has(url);
  const request = globalThis.fetch.bind(globalThis);
  globalThis.fetch = (resource, ...rest) => request(instrumentAddress(resource, address) ?? resource, ...rest);
}

/** The loader asks for one of many fonts by name; the library has one file for each program of General MIDI. */
function instrumentAddress(resource, address) {
  const found = typeof resource === 'string' && PROGRAM.exec(resource);
  return found ? address(`gm/${found[1]}.js`) : undefined;
}

/** The name by which the sound engine looks up the sound of an event, or undefined if the event is a rest. */
export function soundName(value) {
  const name = value.s ?? 'triangle';
  if (SILENT_NAMES.includes(name)) return undefined;
  return String(value.bank ? `${value.bank}_${name}` : name).toLowerCase();
}

export function hasSound(name) {
  const sound = soundMap.get()[name];
  if (!sound) return false;
  if (sound.data?.type === 'soundfont') return library.programs.length > 0;
  const files = sound.data?.samples ?? sound.data?.tables;
  return !files || Object.values(files).flat().some(isLocal);
}

/** Make sure that a sound can be heard here. Return the name that plays for it, or undefined if nothing can. */
export function ensureSound(name) {
  if (hasSound(name)) return name;
  const found = substituteFor(name, hasSound, library.substitutes);
  if (found) soundMap.setKey(name, soundMap.get()[found]);
  return found;
}
