// Pure functions on samples: level, pitch, delay and WAV. They use no objects of the page.

const SMALLEST_LEVEL = 1e-6; // -120 dB

// Return the lowest and the highest sample.
function rangeOf(samples) {
  let low = 0;
  let high = 0;
  for (let i = 0; i < samples.length; i++) {
    if (samples[i] < low) low = samples[i];
    else if (samples[i] > high) high = samples[i];
  }
  return [low, high];
}

function rmsOf(samples) {
  let sum = 0;
  for (let i = 0; i < samples.length; i++) sum += samples[i] * samples[i];
  return samples.length ? Math.sqrt(sum / samples.length) : 0;
}

function decibels(amplitude) {
  return 20 * Math.log10(Math.max(amplitude, SMALLEST_LEVEL));
}

// Return the fundamental frequency in Hz, or null if there is no clear pitch. McLeod and Wyvill's normalised square
// difference function: the first peak that is nearly as high as the highest gives the period.
function detectPitch(samples, rate, lowest = 30, highest = 2200) {
  const longest = Math.min(Math.floor(rate / lowest), Math.floor(samples.length / 2));
  const window = samples.length - longest;
  if (rmsOf(samples) < 0.002) return null;
  const similarity = new Float64Array(longest + 1);
  for (let lag = 0; lag <= longest; lag++) {
    let product = 0;
    let energy = 0;
    for (let i = 0; i < window; i++) {
      const a = samples[i];
      const b = samples[i + lag];
      product += a * b;
      energy += a * a + b * b;
    }
    similarity[lag] = energy > 0 ? (2 * product) / energy : 0;
  }
  const peaks = [];
  let lag = 1;
  while (lag < longest && similarity[lag] > 0) lag++; // skip the peak at lag 0
  for (let best = 0; lag < longest; lag++) {
    if (similarity[lag] > 0) {
      if (!best || similarity[lag] > similarity[best]) best = lag;
      if (similarity[lag + 1] <= 0 || lag + 1 === longest) {
        peaks.push(best);
        best = 0;
      }
    }
  }
  const highestPeak = Math.max(0, ...peaks.map((each) => similarity[each]));
  if (highestPeak < 0.8) return null;
  const period = peaks.find((each) => similarity[each] >= 0.92 * highestPeak);
  if (period < 1 || period >= longest) return null;
  const [before, at, after] = [similarity[period - 1], similarity[period], similarity[period + 1]];
  const curve = before - 2 * at + after;
  const frequency = rate / (period + (curve ? (0.5 * (before - after)) / curve : 0));
  return frequency <= highest ? frequency : null;
}

// Return the name of the nearest note (A4 = 440 Hz), and how many cents the frequency is above it.
function nearestNote(frequency) {
  const names = ["C", "C♯", "D", "E♭", "E", "F", "F♯", "G", "A♭", "A", "B♭", "B"];
  const exact = 69 + 12 * Math.log2(frequency / 440);
  const midi = Math.round(exact);
  return { name: `${names[((midi % 12) + 12) % 12]}${Math.floor(midi / 12) - 1}`, cents: Math.round((exact - midi) * 100) };
}

// Return a short sweep from 1.5 to 6 kHz. Sweeps are found in noise and echo better than a single impulse.
function makeSweep(rate) {
  const length = Math.round(0.02 * rate);
  const sweep = new Float32Array(length);
  for (let i = 0; i < length; i++) {
    const t = i / rate;
    const fade = 0.5 - 0.5 * Math.cos((2 * Math.PI * (i + 0.5)) / length);
    sweep[i] = 0.9 * fade * Math.sin(2 * Math.PI * (1500 * t + (4500 / (2 * 0.02)) * t * t));
  }
  return sweep;
}

// Find a pattern in a signal by normalised cross-correlation. Return the index of the best match, and its
// correlation coefficient (0 to 1, without regard to polarity).
function findPattern(signal, pattern) {
  let patternEnergy = 0;
  for (const value of pattern) patternEnergy += value * value;
  let energy = 0;
  for (let i = 0; i < pattern.length && i < signal.length; i++) energy += signal[i] * signal[i];
  const best = { index: 0, score: 0 };
  for (let start = 0; start + pattern.length <= signal.length; start++) {
    let product = 0;
    for (let i = 0; i < pattern.length; i++) product += pattern[i] * signal[start + i];
    const score = energy > 1e-9 ? Math.abs(product) / Math.sqrt(energy * patternEnergy) : 0;
    if (score > best.score) Object.assign(best, { index: start, score });
    const next = signal[start + pattern.length];
    energy = Math.max(0, energy - signal[start] * signal[start] + (next === undefined ? 0 : next * next));
  }
  return best;
}

// Return the delay in seconds that most of the clicks agree on, or null if they do not agree. `findings` are the
// delays that were found for each click, with their scores.
function agreedDelay(findings) {
  const good = findings.filter((each) => each.score > 0.35).map((each) => each.delay).sort((a, b) => a - b);
  if (!good.length) return null;
  const median = good[Math.floor(good.length / 2)];
  const agreeing = good.filter((each) => Math.abs(each - median) < 0.004);
  return agreeing.length >= 0.6 * findings.length ? agreeing.reduce((a, b) => a + b) / agreeing.length : null;
}

// Turns samples into the bytes of a mono WAV file with 24 bits, a piece at a time, so that a long take needs little memory.
class WavWriter {
  constructor(rate) {
    this.rate = rate;
    this.frames = 0;
    this.parts = [];
    this.part = null;
    this.used = 0;
  }

  add(samples) {
    for (let i = 0; i < samples.length; i++) {
      if (this.part === null || this.used === this.part.length) this.nextPart();
      const value = Math.round(Math.max(-1, Math.min(1, samples[i])) * 8388607);
      this.part[this.used] = value & 255;
      this.part[this.used + 1] = (value >> 8) & 255;
      this.part[this.used + 2] = (value >> 16) & 255;
      this.used += 3;
    }
    this.frames += samples.length;
  }

  nextPart() {
    this.part = new Uint8Array(3 * 262144);
    this.parts.push(this.part);
    this.used = 0;
  }

  header() {
    const view = new DataView(new ArrayBuffer(44));
    const text = (at, letters) => [...letters].forEach((letter, i) => view.setUint8(at + i, letter.charCodeAt(0)));
    const size = 3 * this.frames;
    text(0, "RIFF");
    view.setUint32(4, 36 + size + (size % 2), true);
    text(8, "WAVEfmt ");
    view.setUint32(16, 16, true);
    view.setUint16(20, 1, true); // PCM
    view.setUint16(22, 1, true); // one channel
    view.setUint32(24, this.rate, true);
    view.setUint32(28, 3 * this.rate, true);
    view.setUint16(32, 3, true);
    view.setUint16(34, 24, true);
    text(36, "data");
    view.setUint32(40, size, true);
    return new Uint8Array(view.buffer);
  }

  blob() {
    const full = this.parts.slice(0, -1);
    const last = this.part ? [this.part.subarray(0, this.used)] : [];
    const padding = this.frames % 2 ? [new Uint8Array(1)] : [];
    return new Blob([this.header(), ...full, ...last, ...padding], { type: "audio/wav" });
  }
}
