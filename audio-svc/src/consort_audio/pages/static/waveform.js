/**
 * Draws peaks on a canvas, with a time axis, the played part, a loop and the playhead.
 *
 * Times are in seconds, x in CSS pixels from the left edge. Peaks are [lowest, highest] samples, -1 to 1, of equal
 * parts of the duration. They are drawn so that the loudest one fills the height.
 */
class Waveform {
  static AXIS = 26;
  static BAR = 3;
  static GAP = 1;
  static STEPS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600];

  constructor(canvas, duration) {
    this.canvas = canvas;
    this.duration = duration;
    this.position = 0;
    this.loop = null;
    this.peaks = [];
    this.readColours();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      this.readColours();
      this.draw();
    });
    new ResizeObserver(() => this.fit()).observe(canvas);
    this.fit();
  }

  readColours() {
    const style = getComputedStyle(document.documentElement);
    const names = ["sunk", "line", "grey-ink", "ink", "accent", "second", "second-soft", "edge"];
    this.colours = Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
  }

  fit() {
    const ratio = window.devicePixelRatio || 1;
    this.width = this.canvas.clientWidth;
    this.height = this.canvas.clientHeight;
    this.canvas.width = Math.round(this.width * ratio);
    this.canvas.height = Math.round(this.height * ratio);
    this.canvas.getContext("2d").setTransform(ratio, 0, 0, ratio, 0, 0);
    this.bars = null;
    this.draw();
  }

  show(peaks) {
    this.peaks = peaks;
    this.bars = null;
    this.draw();
  }

  xOf(time) {
    return (time / this.duration) * this.width;
  }

  timeAt(x) {
    return Math.min(Math.max(x / this.width, 0), 1) * this.duration;
  }

  draw() {
    const context = this.canvas.getContext("2d");
    const floor = this.height - Waveform.AXIS;
    context.clearRect(0, 0, this.width, this.height);
    context.fillStyle = this.colours.sunk;
    context.beginPath();
    context.roundRect(0, 0, this.width, floor, 8);
    context.fill();
    if (this.loop) this.drawLoop(context, floor);
    this.drawBars(context, floor);
    this.drawAxis(context, floor);
    if (this.loop) this.drawLoopEdges(context, floor);
    this.drawPlayhead(context, floor);
  }

  /** Return the lowest and highest peak of each bar, scaled to -1 to 1. */
  barHeights() {
    if (this.bars) return this.bars;
    const count = Math.max(1, Math.floor(this.width / (Waveform.BAR + Waveform.GAP)));
    const loudest = Math.max(0.001, ...this.peaks.map(([low, high]) => Math.max(-low, high)));
    this.bars = Array.from({ length: this.peaks.length ? count : 0 }, (_, bar) => {
      const first = Math.floor((bar * this.peaks.length) / count);
      const end = Math.max(first + 1, Math.floor(((bar + 1) * this.peaks.length) / count));
      const part = this.peaks.slice(first, end);
      return [Math.min(...part.map((peak) => peak[0])) / loudest, Math.max(...part.map((peak) => peak[1])) / loudest];
    });
    return this.bars;
  }

  drawBars(context, floor) {
    const middle = floor / 2;
    const reach = middle - 8;
    const pitch = Waveform.BAR + Waveform.GAP;
    const played = this.xOf(this.position);
    this.barHeights().forEach(([low, high], bar) => {
      const x = bar * pitch;
      const top = middle - Math.max(high * reach, 0.75);
      const bottom = middle - Math.min(low * reach, -0.75);
      context.fillStyle = x < played ? this.colours.accent : this.colours.edge;
      context.beginPath();
      context.roundRect(x, top, Waveform.BAR, bottom - top, Waveform.BAR / 2);
      context.fill();
    });
  }

  drawLoop(context, floor) {
    const [from, to] = [this.xOf(this.loop.start), this.xOf(this.loop.end)];
    context.fillStyle = this.colours["second-soft"];
    context.fillRect(from, 0, to - from, floor);
  }

  drawLoopEdges(context, floor) {
    context.fillStyle = this.colours.second;
    for (const [time, side] of [[this.loop.start, 1], [this.loop.end, -1]]) {
      const x = Math.min(Math.max(this.xOf(time), 1), this.width - 1);
      context.fillRect(x - 1, 0, 2, floor);
      context.beginPath();
      context.moveTo(x, 0);
      context.lineTo(x + 10 * side, 0);
      context.lineTo(x, 12);
      context.fill();
    }
  }

  drawAxis(context, floor) {
    const step = Waveform.STEPS.find((each) => this.xOf(each) >= 64) ?? 7200;
    const decimals = step < 1 ? 1 : 0;
    context.font = '12px system-ui, -apple-system, "Segoe UI", sans-serif';
    context.textBaseline = "alphabetic";
    for (let index = 0; index * step <= this.duration + 1e-6; index++) {
      const x = Math.min(Math.max(this.xOf(index * step), 0.5), this.width - 0.5);
      context.fillStyle = this.colours.edge;
      context.fillRect(x - 0.5, floor + 2, 1, 5);
      const text = timeText(index * step, decimals);
      const half = context.measureText(text).width / 2;
      context.fillStyle = this.colours["grey-ink"];
      context.fillText(text, Math.min(Math.max(x - half, 0), this.width - 2 * half), this.height - 5);
    }
  }

  drawPlayhead(context, floor) {
    const x = Math.min(Math.max(this.xOf(this.position), 1), this.width - 1);
    context.fillStyle = this.colours.ink;
    context.fillRect(x - 1, 0, 2, floor + 3);
    context.beginPath();
    context.arc(x, floor + 3, 4, 0, 2 * Math.PI);
    context.fill();
  }
}
