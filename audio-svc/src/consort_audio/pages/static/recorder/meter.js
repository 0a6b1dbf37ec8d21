// The level meter and the tuner: what the player sees before recording.

const QUIETEST_DB = -60;
const TOO_QUIET_DB = -30;
const CLIPPED = 0.985; // -0.13 dB
const HOLD_S = 1.5;
const CLIP_HOLD_S = 3;

class LevelMeter {
  constructor(bar, peakMark, hint) {
    Object.assign(this, { bar, peakMark, hint });
    this.clear();
  }

  clear() {
    this.peaks = [];
    this.clippedUntil = 0;
    this.began = null;
    this.hint.textContent = "";
  }

  add(samples, time) {
    this.began ??= time;
    const [low, high] = rangeOf(samples);
    const peak = Math.max(-low, high);
    if (peak >= CLIPPED) this.clippedUntil = time + CLIP_HOLD_S;
    this.peaks.push({ time, peak });
    while (this.peaks[0].time < time - HOLD_S) this.peaks.shift();
    const held = Math.max(...this.peaks.map((each) => each.peak));
    this.bar.style.width = `${this.percent(decibels(peak))}%`;
    this.bar.classList.toggle("loud", time < this.clippedUntil);
    this.peakMark.style.left = `calc(${this.percent(decibels(held))}% - 3px)`;
    if (time - this.began < HOLD_S) return;
    const words = this.words(decibels(held), time < this.clippedUntil);
    if (words !== this.hint.textContent) this.hint.textContent = words; // a screen reader speaks only changes
  }

  percent(level) {
    return Math.max(0, Math.min(100, (1 - level / QUIETEST_DB) * 100));
  }

  words(level, isClipped) {
    if (isClipped) return "Too loud: it distorts. Move away from the microphone, or turn its volume down.";
    if (level < -90) return "No sound arrives. The microphone may be muted, or another input is needed.";
    if (level < TOO_QUIET_DB) return "Too quiet. Play as you will in the recording; move closer, or turn the volume up.";
    return "Good level.";
  }
}

class Tuner {
  constructor(note, needle, words) {
    Object.assign(this, { note, needle, words });
    this.isOn = false;
    this.recent = new Float32Array(0);
    this.shown = 0;
  }

  add(samples, time, rate) {
    if (!this.isOn) return;
    const length = Math.round(rate / 11);
    const joined = new Float32Array(Math.min(length, this.recent.length + samples.length));
    const kept = joined.length - samples.length;
    joined.set(this.recent.subarray(this.recent.length - kept));
    joined.set(samples, kept);
    this.recent = joined;
    if (joined.length < length || time - this.shown < 0.12) return;
    this.shown = time;
    this.show(detectPitch(joined, rate));
  }

  show(frequency) {
    if (frequency === null) {
      this.words.textContent = "Play one long note.";
      return;
    }
    const { name, cents } = nearestNote(frequency);
    const off = cents === 0 ? "exactly in tune" : `${Math.abs(cents)} cents ${cents > 0 ? "sharp" : "flat"}`;
    this.note.textContent = name;
    this.needle.style.left = `${50 + cents}%`;
    this.words.textContent = `${Math.abs(cents) <= 5 && cents ? `in tune (${off})` : off}, ${frequency.toFixed(1)} Hz`;
  }
}
