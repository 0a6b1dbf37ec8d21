// superdough takes a sound apart when the browser says that a source has ended, which the page learns at any moment while
// the rest is being rendered. Here these handlers are called while the rendering is suspended, at the first block after the
// end that the engine gave to the source, so that every render of a script takes its sounds apart at the same samples.
const due = new Map(); // sources that play, with the time at which they end
const ended = new WeakSet();
const handlers = new WeakMap();

export function watchEndings() {
  const { prototype } = AudioScheduledSourceNode;
  const { stop } = prototype;
  const { start } = AudioBufferSourceNode.prototype;
  Object.defineProperty(prototype, 'onended', {
    configurable: true,
    get() {
      return handlers.get(this) ?? null;
    },
    set(handler) {
      handlers.set(this, handler);
    },
  });
  prototype.stop = function (when = 0) {
    stop.call(this, when);
    endsAt(this, Math.max(when, this.context.currentTime));
  };
  // A buffer that is played to its end needs no `stop`.
  AudioBufferSourceNode.prototype.start = function (when = 0, offset = 0, ...duration) {
    start.call(this, when, offset, ...duration);
    const seconds = ((this.buffer?.duration ?? 0) - offset) / Math.abs(this.playbackRate.value);
    if (!this.loop && Number.isFinite(seconds)) endsAt(this, Math.max(when, this.context.currentTime) + seconds);
  };
}

/**
 * superdough plays filters and oscillators again that the garbage collector has not taken yet, with what still rings in
 * them. Without references to find them by, every sound gets new ones.
 */
export function useNodesOnce() {
  globalThis.WeakRef = class {
    deref() {}
  };
}

function endsAt(source, time) {
  if (source.context.isMain && !ended.has(source)) due.set(source, time);
}

/** When the next source ends, in seconds, or Infinity. */
export function nextEnding() {
  let next = Infinity;
  for (const time of due.values()) next = Math.min(next, time);
  return next;
}

/** Call the handlers of all sources that have ended by `time`, in the order of their ends. */
export function callEnded(time) {
  while (nextEnding() <= time) {
    const found = [...due].filter(([, end]) => end <= time).sort(([, one], [, other]) => one - other);
    for (const [source] of found) {
      due.delete(source);
      ended.add(source); // its handler stops it again
      try {
        handlers.get(source)?.call(source, new Event('ended'));
      } catch (error) {
        console.warn(error); // as in the browser, the other handlers are called
      }
      handlers.delete(source);
    }
  }
}
