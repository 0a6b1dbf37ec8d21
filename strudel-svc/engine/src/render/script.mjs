// Evaluate a script, and collect its events, each with the voice that plays it.
import { Pattern } from '@strudel/core';
import { transpiler } from '@strudel/transpiler';
import { evaluateScript } from '../common/evaluate_script.mjs';
import { addTunings } from '../common/add_tunings.mjs';

export const messages = [];
const MOST_MESSAGES = 200;
const LONGEST_WAIT_MS = 1500;
const TIMERS = ['setTimeout', 'setInterval', 'requestAnimationFrame', 'requestIdleCallback'];
const timers = Object.fromEntries(TIMERS.map((name) => [name, globalThis[name]]));
const { setTimeout } = timers;

/** Keep a message that the engine logs if it is an error. Errors while a pattern is asked for events have no level. */
export function keepError(text, level = 'log') {
  const isError = level === 'error' || /\] error: /.test(text);
  if (isError && messages.length < MOST_MESSAGES) messages.push(String(text).slice(0, 300));
}
document.addEventListener('strudel.log', ({ detail }) => keepError(detail.message, detail.type));

/** Run an action during which timers cannot be set, as in the engine's realm: code of a script would run later. */
export async function withoutTimers(action) {
  for (const name of TIMERS) globalThis[name] = () => 0;
  try {
    return await action();
  } finally {
    Object.assign(globalThis, timers);
  }
}

export async function evaluate(code) {
  const labels = [];
  if (globalThis.consortTunings) await addTunings();
  const waiting = new Promise((_, reject) => {
    setTimeout(() => reject(new Error('it waits for something that never happens')), LONGEST_WAIT_MS);
  });
  const evaluating = evaluateScript(code, { transpiler, beforeEval: () => markVoices(labels) });
  return { ...(await Promise.race([evaluating, waiting])), labels };
}

/** Note in the context of each event which labelled pattern it comes from. The repl has just set `p`. */
function markVoices(labels) {
  const register = Pattern.prototype.p;
  let anonymous = 0;
  Pattern.prototype.p = function (id) {
    const name = String(id);
    if (name.startsWith('_') || name.endsWith('_')) return register.call(this, name);
    const label = name.includes('$') ? `${name}${(anonymous += 1)}` : name;
    if (!labels.includes(label)) labels.push(label);
    return register.call(this.withContext((context) => ({ ...context, voice: label })), name);
  };
}

/** Events that begin within the cycles, in order. Raise an error if there are more than `most`. */
export function eventsOf(pattern, cps, begin, end, most) {
  const found = [];
  for (let cycle = begin; cycle < end; cycle = Math.floor(cycle) + 1) {
    for (const hap of pattern.queryArc(cycle, Math.min(Math.floor(cycle) + 1, end), { _cps: cps })) {
      if (!hap.whole || !hap.hasOnset()) continue;
      hap.ensureObjectValue();
      found.push(hap);
      if (found.length > most) throw new Error(`more than ${most} events; render fewer cycles`);
    }
  }
  return found.sort((one, other) => one.whole.begin.valueOf() - other.whole.begin.valueOf());
}
