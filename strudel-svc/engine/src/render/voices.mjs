// The voices of a script, and how loud each one is: a worklet measures what the events of each voice send out.
import { addModule } from './random.mjs';

const UNLABELLED = 'all';
const REPORT_EVERY = 64; // blocks of 128 frames

/** Return the voice of each event and the names of all voices. `ranges` are places of voices in the script. */
export function voicesOf(events, labels, ranges) {
  const names = ranges.length ? ranges.map(({ id }) => id) : labels.length ? [...labels] : [UNLABELLED];
  const isLabelled = labels.length === names.length; // then the order of the labels is that of the names
  const numbers = events.map(({ context }) => {
    const labelled = labels.indexOf(context?.voice);
    if (isLabelled && labelled >= 0) return labelled;
    return ranges.length > 1 ? mostCommonRange(context?.locations ?? [], ranges) : 0;
  });
  return { names, numbers };
}

/** The number of the range that most of the locations are in, or -1. */
function mostCommonRange(locations, ranges) {
  const counts = ranges.map(({ start, end }) => locations.filter((at) => at.start >= start && at.start < end).length);
  const most = Math.max(...counts);
  return most ? counts.indexOf(most) : -1;
}

const SOURCE = `
registerProcessor('consort-meter', class extends AudioWorkletProcessor {
  constructor({ numberOfInputs, processorOptions }) {
    super();
    this.peaks = new Float32Array(numberOfInputs);
    this.lastFrame = processorOptions.lastFrame;
    this.blocks = 0;
    this.port.onmessage = ({ data }) => this.port.postMessage({ echo: data });
  }
  process(inputs) {
    for (let voice = 0; voice < inputs.length; voice++) {
      const channels = inputs[voice];
      let peak = this.peaks[voice];
      for (let side = 0; side < channels.length; side++) {
        const samples = channels[side];
        for (let at = 0; at < samples.length; at++) {
          const size = samples[at] < 0 ? -samples[at] : samples[at];
          if (size > peak) peak = size;
        }
      }
      this.peaks[voice] = peak;
    }
    const isLast = currentFrame + 256 > this.lastFrame;
    if (++this.blocks % ${REPORT_EVERY} === 0 || isLast) this.port.postMessage({ peaks: this.peaks.slice(), isLast });
    return true;
  }
});`;

export class VoiceMeter {
  peaks = [];
  #node;
  #echoed = new Map();

  static async in(context, count) {
    await addModule(context, SOURCE);
    return new VoiceMeter(context, count);
  }

  constructor(context, count) {
    this.#node = new AudioWorkletNode(context, 'consort-meter', {
      numberOfInputs: count,
      outputChannelCount: [1],
      processorOptions: { lastFrame: context.length },
    });
    this.#node.connect(new GainNode(context, { gain: 0 })).connect(context.destination); // otherwise it does not run
    this.finished = new Promise((resolve) => {
      this.#node.port.onmessage = ({ data }) => {
        if (data.echo !== undefined) {
          this.#echoed.get(data.echo)();
          return;
        }
        this.peaks = [...data.peaks];
        if (data.isLast) resolve();
      };
    });
  }

  /** Wait until the worklets have read all messages so far. */
  async echo() {
    const number = this.#echoed.size;
    await new Promise((resolve) => {
      this.#echoed.set(number, resolve);
      this.#node.port.postMessage(number);
    });
  }

  listen(node, voice) {
    node.connect(this.#node, 0, voice);
  }
}
