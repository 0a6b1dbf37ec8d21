// Loads the sounds of a pattern before it is played: the engine leaves out events whose file arrives too late.
import { getAudioContext, getSampleBuffer, getSampleInfo, soundMap } from '@strudel/webaudio';
import { getFontBufferSource } from '@strudel/soundfonts';
import { soundName } from '../common/sounds.mjs';

const FIRST_CYCLES = 2; // playing waits for the sounds of these
const LATER_CYCLES = 64; // those of these are loaded meanwhile
const MOST_EVENTS = 4000;
const LONGEST_WAIT_MS = 5000;

let newest; // the pattern that was given last

/**
 * Load the sounds of a pattern's next cycles. Return whether no other pattern was given meanwhile.
 * `localSound` gives the name that plays for the name of a sound.
 */
export async function preload(pattern, cycle, localSound) {
  const load = (value) => loadSound(value, localSound);
  newest = pattern;
  const begin = Math.floor(cycle);
  const wait = new Promise((resolve) => setTimeout(resolve, LONGEST_WAIT_MS));
  await Promise.race([Promise.all(valuesOf(pattern, begin, begin + FIRST_CYCLES).map(load)), wait]);
  if (newest !== pattern) return false;
  loadLater(pattern, load, begin + FIRST_CYCLES, begin + LATER_CYCLES);
  return true;
}

/** Load cycle after cycle, without disturbing the playing. */
function loadLater(pattern, load, cycle, end, events = MOST_EVENTS) {
  setTimeout(async () => {
    if (newest !== pattern || cycle >= end || events <= 0) return;
    const values = valuesOf(pattern, cycle, cycle + 1);
    await Promise.all(values.map(load));
    loadLater(pattern, load, cycle + 1, end, events - values.length);
  });
}

function valuesOf(pattern, begin, end) {
  try {
    const values = pattern.queryArc(begin, end).map(({ value }) => value);
    return values.filter((value) => value && typeof value === 'object');
  } catch {
    return []; // the scheduler reports the error when it plays the pattern
  }
}

async function loadSound(value, localSound) {
  const name = soundName(value);
  const { type, samples, fonts, tables } = soundMap.get()[name && localSound(name)]?.data ?? {};
  try {
    if (type === 'sample') await getSampleBuffer(value, samples);
    else if (tables) await fetch(getSampleInfo(value, tables).url);
    else if (fonts) await getFontBufferSource(fontOf(value, fonts), value, getAudioContext());
  } catch {
    // the engine reports it when it plays the event
  }
}

const fontOf = ({ n }, fonts) => fonts.at((Math.round(n) || 0) % fonts.length);
