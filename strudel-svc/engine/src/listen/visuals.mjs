// What the page draws while a song plays: a piano roll of the next and last seconds, and the waveform of the output.
import { noteToMidi, freqToMidi } from '@strudel/core';
import { getAudioContext, getSuperdoughAudioController } from '@strudel/webaudio';

const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#8c6bb1', '#a6761d'];
const LEAST_SPAN = 12; // semitones that the roll shows at least
const SCOPE_FRAMES = 2048;

const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Make the canvas as sharp as the screen, and return its context and size in CSS pixels. */
function prepared(canvas) {
  const { width, height } = canvas.getBoundingClientRect();
  const scale = window.devicePixelRatio || 1;
  if (canvas.width !== Math.round(width * scale)) canvas.width = Math.round(width * scale);
  if (canvas.height !== Math.round(height * scale)) canvas.height = Math.round(height * scale);
  const context = canvas.getContext('2d');
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, width, height);
  return { context, width, height };
}

function pitchOf(value) {
  if (value.freq !== undefined) return freqToMidi(value.freq);
  const note = value.note ?? (value.n !== undefined && value.s === undefined ? value.n : undefined);
  if (typeof note === 'number') return note;
  if (typeof note !== 'string') return undefined;
  try {
    return noteToMidi(note);
  } catch {
    return undefined;
  }
}

export class PianoRoll {
  #canvas;
  #lanes = []; // sounds without a pitch, in the order in which they were first seen
  #colours = new Map();

  constructor(canvas) {
    this.#canvas = canvas;
  }

  /** Draw events around a time, in cycles. `span` is what is seen before and after it. */
  draw(time, events, [from, to]) {
    const { context, width, height } = prepared(this.#canvas);
    const shown = events.filter((hap) => hap.whole && typeof hap.value === 'object').map((hap) => this.#place(hap));
    const pitches = shown.map((each) => each.pitch).filter((pitch) => pitch !== undefined);
    const lanesHeight = this.#lanes.length ? Math.min(height * (pitches.length ? 0.45 : 1), this.#lanes.length * 22) : 0;
    const rollHeight = height - lanesHeight;
    const [low, high] = range(pitches);
    const x = (cycle) => ((cycle - time - from) / (to - from)) * width;
    for (const { hap, pitch, lane, colour } of shown) {
      const left = x(hap.whole.begin.valueOf());
      const right = Math.max(x(hap.endClipped.valueOf()) - 1.5, left + 3);
      const isPlaying = hap.whole.begin <= time && hap.endClipped > time;
      const size = pitch === undefined ? lanesHeight / this.#lanes.length : Math.max(rollHeight / (high - low + 1), 5);
      const top = pitch === undefined ? rollHeight + lane * size : rollHeight * (1 - (pitch - low + 1) / (high - low + 1));
      context.globalAlpha = isPlaying ? 1 : 0.45;
      context.fillStyle = colour;
      context.fillRect(left, top + 1, right - left, Math.max(size - 2, 2));
    }
    context.globalAlpha = 1;
    context.fillStyle = style('--ink');
    context.fillRect(x(time), 0, 1.5, height);
    context.font = '12px system-ui, sans-serif';
    this.#lanes.forEach((name, lane) => {
      const size = lanesHeight / this.#lanes.length;
      if (size >= 12) context.fillText(name, 6, rollHeight + lane * size + size / 2 + 4);
    });
  }

  #place(hap) {
    const { value } = hap;
    const pitch = pitchOf(value);
    const name = String(value.s ?? 'note').replace(/^.*_(?=[a-z]{2}$)/, '');
    if (!this.#colours.has(name)) this.#colours.set(name, COLOURS[this.#colours.size % COLOURS.length]);
    if (pitch === undefined && !this.#lanes.includes(name)) this.#lanes.push(name);
    return { hap, pitch, lane: this.#lanes.indexOf(name), colour: value.color ?? this.#colours.get(name) };
  }
}

function range(pitches) {
  if (!pitches.length) return [48, 72];
  const [low, high] = [Math.min(...pitches), Math.max(...pitches)];
  const more = Math.max(0, LEAST_SPAN - (high - low)) / 2;
  return [low - more, high + more];
}

export class Scope {
  #canvas;
  #analyser;
  #samples = new Float32Array(SCOPE_FRAMES);
  #isRunning = false;

  constructor(canvas) {
    this.#canvas = canvas;
  }

  /** The highest sample of the output just now. */
  get peak() {
    this.#analyser?.getFloatTimeDomainData(this.#samples);
    return this.#samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
  }

  start() {
    if (!this.#analyser) {
      this.#analyser = new AnalyserNode(getAudioContext(), { fftSize: SCOPE_FRAMES });
      getSuperdoughAudioController().output.destinationGain.connect(this.#analyser);
    }
    if (this.#isRunning) return;
    this.#isRunning = true;
    const frame = () => {
      if (!this.#isRunning) return;
      this.#draw();
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }

  stop() {
    this.#isRunning = false;
  }

  #draw() {
    const { context, width, height } = prepared(this.#canvas);
    this.#analyser.getFloatTimeDomainData(this.#samples);
    const first = firstRise(this.#samples);
    const count = SCOPE_FRAMES / 2;
    context.strokeStyle = style('--accent');
    context.lineWidth = 1.5;
    context.beginPath();
    for (let index = 0; index < count; index += 1) {
      const y = height / 2 - (Math.max(-1, Math.min(1, this.#samples[first + index])) * (height - 4)) / 2;
      if (index) context.lineTo((index / count) * width, y);
      else context.moveTo(0, y);
    }
    context.stroke();
  }
}

/** Where the wave crosses zero upwards, so that the picture of a steady tone stands still. */
function firstRise(samples) {
  for (let index = 1; index < samples.length / 2; index += 1) {
    if (samples[index - 1] < 0 && samples[index] >= 0) return index;
  }
  return 0;
}
