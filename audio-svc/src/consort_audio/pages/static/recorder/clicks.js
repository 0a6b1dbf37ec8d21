// Sounds at exact times: count-in, metronome, and the measurement of the delay from speaker to microphone.

const AHEAD_S = 1.3; // browsers run timers of hidden pages only once a second
const LEAD_IN_S = 0.1; // a take begins this long before its first beat, so that an early note is not cut off

class Metronome {
  // `bar` has the offsets of the beats and of the strong beats, and the length of a bar, all in quarter notes.
  constructor(context, bar, tempo) {
    this.context = context;
    this.bar = bar;
    this.quarter = 60 / tempo;
    this.output = context.createGain();
    this.output.connect(context.destination);
  }

  get barLength() {
    return this.bar.length * this.quarter;
  }

  // Click from time `start` for `bars` bars (Infinity: until stop). `onBeat(number)` is called near each beat's time.
  start(start, bars, onBeat = () => {}) {
    let bar = 0;
    let beat = 0;
    this.timers = [];
    const schedule = () => {
      while (bar < bars) {
        const at = start + bar * this.barLength + this.bar.beats[beat] * this.quarter;
        if (at > this.context.currentTime + AHEAD_S) return;
        this.click(at, this.bar.beats[beat] === 0 ? 1760 : this.bar.strong.includes(this.bar.beats[beat]) ? 1320 : 880);
        const number = beat + 1;
        this.timers.push(setTimeout(() => onBeat(number), Math.max(0, (at - this.context.currentTime) * 1000)));
        beat = (beat + 1) % this.bar.beats.length;
        if (beat === 0) bar += 1;
      }
    };
    schedule();
    this.interval = setInterval(schedule, 100);
  }

  stop() {
    clearInterval(this.interval);
    this.timers?.forEach(clearTimeout);
    this.output.disconnect();
  }

  click(at, frequency) {
    const tone = this.context.createOscillator();
    const envelope = this.context.createGain();
    tone.frequency.value = frequency;
    envelope.gain.setValueAtTime(0, at);
    envelope.gain.linearRampToValueAtTime(0.5, at + 0.001);
    envelope.gain.exponentialRampToValueAtTime(0.001, at + 0.06);
    tone.connect(envelope).connect(this.output);
    tone.start(at);
    tone.stop(at + 0.07);
  }
}

// Measures the delay between a sound that is played and its arrival from the microphone.
class DelayMeasurement {
  constructor(context) {
    this.context = context;
    this.rate = context.sampleRate;
    this.sweep = makeSweep(this.rate);
    const gaps = [0.3, 0.72, 0.81, 0.69, 0.77, 0.73]; // uneven, so that no other rhythm in the room fits
    let at = context.currentTime;
    this.times = gaps.map((gap) => (at += gap));
    this.longest = 0.6;
    this.end = at + this.longest + this.sweep.length / this.rate;
    this.first = null;
    this.blocks = [];
    const buffer = context.createBuffer(1, this.sweep.length, this.rate);
    buffer.copyToChannel(this.sweep, 0);
    this.times.forEach((time) => {
      const source = context.createBufferSource();
      source.buffer = buffer;
      source.connect(context.destination);
      source.start(time);
    });
  }

  // Take a block of the microphone's samples. Return true when enough was heard.
  add(samples, first) {
    this.first ??= first;
    this.blocks.push(samples);
    return (first + samples.length) / this.rate >= this.end;
  }

  // Return the delay in seconds, or null if the clicks were not heard clearly.
  result() {
    const heard = new Float32Array(this.blocks.reduce((sum, block) => sum + block.length, 0));
    this.blocks.reduce((at, block) => (heard.set(block, at), at + block.length), 0);
    const findings = this.times.map((time) => {
      const from = Math.max(0, Math.round(time * this.rate) - this.first);
      const found = findPattern(heard.subarray(from, from + Math.round(this.longest * this.rate)), this.sweep);
      return { delay: (this.first + from + found.index) / this.rate - time, score: found.score };
    });
    return agreedDelay(findings);
  }
}
