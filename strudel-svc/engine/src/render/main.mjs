// The page in headless Chromium that turns one script into sound. Consort calls `consortRender` over the debugging
// pipe: `boot` once, then `prepare` (runs the script) and `render` (plays its events; `progress` says how far it is), then
// `read` for the samples.
import { aliasBank, setLogger, soundAlias, superdough } from '@strudel/webaudio';
import { evalScope } from '@strudel/core';
import * as answers from '../realm/answers.mjs';
import { makeScope } from '../realm/scope.mjs';
import { ensureSound, registerSounds, soundName } from '../common/sounds.mjs';
import { callEnded, nextEnding, useNodesOnce, watchEndings } from './endings.mjs';
import { addVowelsInPairs, ExactSum } from './exact_sum.mjs';
import { openContext, reportBadSounds, settled, watchImpulseResponses } from './output.mjs';
import { evaluate, eventsOf, keepError, messages, withoutTimers } from './script.mjs';
import { seedPage } from './random.mjs';
import { messagesRead, watchMessages } from './worklet_messages.mjs';
import { onlySetsTempo, TempoMap } from './tempo.mjs';
import { VoiceMeter, voicesOf } from './voices.mjs';

const LEAD_S = 0.1; // the engine needs some time before the first event; it is cut off at the end
const WINDOW_S = 0.25; // events are given to the engine in windows: all at once would take far longer
const LOOK_AHEAD_S = 0.1;
const BLOCK = 128;
const CEILING = 0.985; // 16-bit samples above would clip
const METER_PATIENCE_MS = 2000;

let prepared;
let rendered;
let playing; // the name of the sound that is being started
let share = 0; // how much of the sound is rendered

async function boot({ library, base }) {
  watchImpulseResponses();
  watchEndings();
  useNodesOnce();
  watchMessages();
  addVowelsInPairs();
  setLogger(keepError);
  await makeScope();
  await evalScope({ aliasBank, soundAlias });
  await registerSounds(library, (path) => base + path);
}

/** Run the script and return what it is going to play. This is the only time that its code runs on this page. */
async function prepare({ code, begin, cycles, seed, ranges = [], voice = null, mostEvents }) {
  seedPage(seed);
  const { cps, labels, all } = await withoutTimers(async () => {
    const { pattern, ...found } = await evaluate(code);
    return { ...found, all: eventsOf(pattern, found.cps, begin, begin + cycles, mostEvents) };
  });
  const { names, numbers } = voicesOf(all, labels, ranges);
  const wanted = voice === null ? -1 : names.indexOf(voice);
  if (voice !== null && wanted < 0) return { cps, voices: names, unknownVoice: true };
  const heard = all.map((hap, index) => ({ hap, voice: numbers[index] })).filter(({ hap }) => !onlySetsTempo(hap));
  const events = heard.filter((each) => wanted < 0 || each.voice === wanted);
  const tempo = new TempoMap(all, cps, begin);
  const seconds = tempo.seconds(begin + cycles);
  const tempoVoices = new Set(numbers.filter((voice) => !heard.some((each) => each.voice === voice)));
  prepared = { events, tempo, seconds, seed, voices: names, wanted, tempoVoices, ...checkSounds(events) };
  return { cps, voices: names, seconds, events: events.length };
}

function checkSounds(events) {
  const sounds = {};
  const substituted = {};
  const missing = {};
  for (const { hap } of events) {
    const name = soundName(hap.value);
    if (name === undefined) continue;
    sounds[name] = (sounds[name] ?? 0) + 1;
    const found = ensureSound(name);
    if (found === undefined) missing[name] = sounds[name];
    else if (found !== name) substituted[name] = found;
  }
  return { sounds, substituted, missing };
}

async function render({ tail, sampleRate }) {
  const { events, tempo, seed, voices } = prepared;
  const failed = {};
  const fail = (why) => {
    const key = `${playing}: ${why}`;
    failed[key] = (failed[key] ?? 0) + 1;
  };
  reportBadSounds(() => fail('its file cannot be decoded'));
  const seconds = LEAD_S + prepared.seconds + tail;
  const { context, controller } = await openContext(seconds, sampleRate, seed);
  const meter = await VoiceMeter.in(context, voices.length);
  const exactSum = new ExactSum(context);
  exactSum.ofController(controller);
  let voice = -1;
  for (const { hap } of events) {
    const { orbit = 1, channels = [1, 2] } = hap.value; // every orbit exists before the first event that ducks it
    listenTo(controller.getOrbit(orbit, [channels].flat().map((channel) => channel - 1)));
  }
  function listenTo(orbit) {
    if (orbit.isMeasured) return;
    orbit.isMeasured = true;
    exactSum.ofOrbit(orbit);
    const connect = orbit.connectToOutput.bind(orbit);
    orbit.connectToOutput = (node) => {
      connect(node);
      if (voice >= 0) meter.listen(node, voice);
    };
  }
  const onset = (hap) => LEAD_S + tempo.seconds(hap.whole.begin.valueOf());
  const counts = voices.map(() => 0);
  let next = 0;
  async function playUntil(limit) {
    while (next < events.length && onset(events[next].hap) < limit) {
      const event = events[next++];
      voice = event.voice;
      if (voice >= 0) counts[voice] += 1;
      playing = soundName(event.hap.value);
      if (playing === undefined || Object.hasOwn(prepared.missing, playing)) continue;
      const { hap } = event;
      try {
        const cycle = hap.whole.begin.valueOf();
        const cps = tempo.cps(cycle);
        await superdough({ ...hap.value }, onset(hap), hap.duration.valueOf() / cps, cps, cycle);
      } catch (error) {
        fail(String(error?.message ?? error).slice(0, 120));
      }
    }
    await settled();
    await messagesRead(() => meter.echo());
  }
  await playUntil(WINDOW_S + LOOK_AHEAD_S);
  const toBlock = (seconds) => (Math.floor((seconds * sampleRate) / BLOCK) + 1) * BLOCK; // the first one after it
  let nextWindow = toBlock(WINDOW_S);
  function suspendNext() {
    const frame = Math.min(nextWindow, toBlock(nextEnding()));
    if (frame >= context.length - BLOCK) return;
    context.suspend((frame + 0.5) / sampleRate).then(async () => { // the browser rounds down to a block
      const time = frame / sampleRate;
      share = frame / context.length;
      callEnded(time);
      if (frame === nextWindow) {
        nextWindow = toBlock(time + WINDOW_S);
        await playUntil(time + WINDOW_S + LOOK_AHEAD_S);
      }
      suspendNext();
      await context.resume();
    });
  }
  suspendNext();
  const buffer = await context.startRendering();
  await Promise.race([meter.finished, new Promise((resolve) => setTimeout(resolve, METER_PATIENCE_MS))]);
  return report(buffer, { sampleRate, meter, counts, failed });
}

function report(buffer, { sampleRate, meter, counts, failed }) {
  const first = Math.round(LEAD_S * sampleRate);
  const [left, right] = [0, 1].map((channel) => buffer.getChannelData(channel).subarray(first));
  let peak = 0;
  for (let frame = 0; frame < left.length; frame++) peak = Math.max(peak, Math.abs(left[frame]), Math.abs(right[frame]));
  const gain = peak > CEILING ? CEILING / peak : 1;
  rendered = new Int16Array(2 * left.length);
  for (let frame = 0; frame < left.length; frame++) {
    rendered[2 * frame] = Math.round(left[frame] * gain * 32767);
    rendered[2 * frame + 1] = Math.round(right[frame] * gain * 32767);
  }
  const { voices, wanted, tempoVoices, sounds, substituted, missing, events } = prepared;
  return {
    frames: left.length,
    peak: Number.isFinite(peak) ? peak : -1,
    gain,
    events: events.length,
    voices: voices
      .map((name, index) => ({ name, events: counts[index], peak: meter.peaks[index] ?? 0, setsDry: setsDry(index) }))
      .filter((_, index) => (wanted < 0 || index === wanted) && !tempoVoices.has(index)),
    sounds,
    substituted,
    missing,
    failed,
    messages,
  };
}

/** Whether a voice changes its dry level: it may be heard only through its effects, so its peak says nothing. */
const setsDry = (voice) => prepared.events.some((each) => each.voice === voice && each.hap.value.dry !== undefined);

/** Samples as base64: 16 bits, left and right in turn. */
function read({ start, count }) {
  const bytes = new Uint8Array(rendered.buffer, 4 * start, 4 * Math.min(count, rendered.length / 2 - start));
  if (bytes.toBase64) return bytes.toBase64();
  let text = '';
  for (let at = 0; at < bytes.length; at += 32768) text += String.fromCharCode(...bytes.subarray(at, at + 32768));
  return btoa(text);
}

const progress = () => share;

const { parse } = JSON;
const answering = (action) => async (text) => {
  try {
    return answers.succeeded((await action(parse(text))) ?? null);
  } catch (error) {
    return answers.failed(error);
  }
};
const methods = Object.fromEntries(
  Object.entries({ boot, prepare, render, progress, read }).map(([name, action]) => [name, answering(action)]),
);
Object.defineProperty(globalThis, 'consortRender', { value: Object.freeze(methods) });
