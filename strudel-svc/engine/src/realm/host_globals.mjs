// What the packages expect of a browser when they are loaded. A realm has only the globals of the language.
// Nothing here reaches out of the realm: timers never fire, fetch always fails, the console is a list.
const MOST_LINES = 200;
const MOST_CHARACTERS = 500;

export const lines = [];
const print =
  (level) =>
  (...values) => {
    if (lines.length < MOST_LINES) lines.push({ level, text: values.map(shown).join(' ').slice(0, MOST_CHARACTERS) });
  };
const shown = (value) => {
  try {
    return String(value?.message ?? value).replace(/^%c/, '');
  } catch {
    return '?';
  }
};

delete globalThis.Atomics; // a script that waits uses no time of the processor, which would look like a busy machine
delete globalThis.SharedArrayBuffer;
let clock = 0;
globalThis.console = Object.fromEntries(['log', 'info', 'warn', 'error', 'debug', 'table'].map((name) => [name, print(name)]));
globalThis.performance = { now: () => (clock += 1001) }; // the logger drops equal messages within a second
globalThis.setTimeout = globalThis.setInterval = globalThis.requestAnimationFrame = () => 0;
globalThis.clearTimeout = globalThis.clearInterval = globalThis.cancelAnimationFrame = () => undefined;
globalThis.queueMicrotask = (callback) => void Promise.resolve().then(callback);
globalThis.fetch = async (address) => {
  throw new Error(`scripts have no network here: ${shown(address)}`);
};
