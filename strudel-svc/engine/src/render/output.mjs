// The offline context in which the sound engine plays, and what has to be different there.
import {
  getSuperdoughAudioController, initAudio, setAudioContext, setSuperdoughAudioController,
} from '@strudel/webaudio';
import { seedWorklets } from './random.mjs';
import { keepError } from './script.mjs';

const UNLIMITED = 1e9;
const LOWEST_GAIN = 0.01;
const DUCK_LEAD_S = 0.01;
const SHORTEST_S = 0.002;
const impulseResponses = new Set();

/** Rooms compute their impulse response in another offline context. Let `settled` wait for those. */
export function watchImpulseResponses() {
  const Base = globalThis.OfflineAudioContext;
  globalThis.OfflineAudioContext = class extends Base {
    startRendering() {
      const rendering = super.startRendering();
      if (!this.isMain) {
        const done = new Promise((resolve) => this.addEventListener('complete', () => resolve()));
        impulseResponses.add(done);
        done.then(() => impulseResponses.delete(done));
      }
      return rendering;
    }
  };
}

export async function settled() {
  while (impulseResponses.size) await Promise.all([...impulseResponses]);
}

/** A sound that cannot be decoded becomes silent, because the loader of instruments would wait forever. */
export function reportBadSounds(onBad) {
  const decode = BaseAudioContext.prototype.decodeAudioData;
  BaseAudioContext.prototype.decodeAudioData = function (data, onDone) {
    return decode
      .call(this, data)
      .catch(() => {
        onBad();
        return this.createBuffer(1, 1, this.sampleRate);
      })
      .then((buffer) => {
        onDone?.(buffer);
        return buffer;
      });
  };
}

export async function openContext(seconds, sampleRate, seed) {
  const context = new OfflineAudioContext(2, Math.ceil(seconds * sampleRate), sampleRate);
  context.isMain = true;
  setAudioContext(context);
  setSuperdoughAudioController(null);
  await seedWorklets(context, seed);
  await initAudio({ maxPolyphony: UNLIMITED });
  const controller = getSuperdoughAudioController();
  controller.duck = duckByAutomation;
  return { context, controller };
}

/** Lower other orbits. The engine's own way waits for an event of the main thread, which comes too late offline. */
function duckByAutomation(targets, time, onset = 0, attack = 0.1, depth = 1) {
  const pick = (values, index) => [values].flat()[index] ?? [values].flat()[0];
  [targets].flat().forEach((target, index) => {
    const orbit = this.nodes[target];
    if (!orbit) {
      keepError(`duck target orbit ${target} does not exist`, 'error');
      return;
    }
    const { gain } = orbit.output;
    const start = Math.max(time - DUCK_LEAD_S, 0);
    const lowest = time + pick(onset, index);
    if (start < (orbit.duckedUntil ?? 0)) gain.cancelAndHoldAtTime(start);
    else gain.setValueAtTime(1, start); // a ramp begins at the event before it
    orbit.duckedUntil = lowest + Math.max(pick(attack, index), SHORTEST_S);
    gain.exponentialRampToValueAtTime(Math.max(LOWEST_GAIN, 1 - Math.sqrt(pick(depth, index))), lowest);
    gain.exponentialRampToValueAtTime(1, orbit.duckedUntil);
  });
}
