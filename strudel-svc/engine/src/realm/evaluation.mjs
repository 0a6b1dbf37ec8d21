// Evaluate a script, and ask its pattern for events.
import { silence } from '@strudel/core';
import { addTunings } from '../common/add_tunings.mjs';
import { evaluateScript } from '../common/evaluate_script.mjs';
import { lines } from './host_globals.mjs';
import { prepare } from './script.mjs';
import { loaded } from './scope.mjs';

let pattern = silence;
let cps = 0.5;

/** Evaluate what the worker has compiled of a transpiled script. It waits, because scripts may wait for samples. */
export async function evaluate(transpiled, run) {
  if (globalThis.consortTunings) await addTunings();
  const beforeEval = () => {
    lines.length = 0;
    prepare(run);
  };
  ({ pattern, cps } = await evaluateScript('-', { transpiler: () => transpiled, beforeEval }));
}

const PROBE = 1 / 256; // of a cycle
const MOST_IN_CYCLE = 20_480;

/** Estimate from a short piece of a cycle, where patterns seldom begin together, whether it has too many events to ask
 * for them. Return null if it has not. */
export function tooMany(begin) {
  const at = Math.floor(begin) + 0.3717;
  const found = pattern.queryArc(at, at + PROBE, { _cps: cps }).filter((hap) => hap.hasOnset());
  const count = Math.round(found.length / PROBE);
  return count > MOST_IN_CYCLE ? { too_many: count } : null;
}

export function events(begin, end, most) {
  const found = [];
  let count = 0;
  for (let cycle = Math.floor(begin); cycle < end; cycle += 1) {
    const span = [Math.max(begin, cycle), Math.min(end, cycle + 1)];
    const haps = pattern.queryArc(...span, { _cps: cps });
    if (haps.length > MOST_IN_CYCLE) return { too_many: haps.length };
    for (const hap of haps) {
      if (!hap.hasOnset()) continue;
      count += 1;
      if (found.length < most) found.push(eventOf(hap));
    }
  }
  found.sort((one, other) => one.at - other.at);
  return { events: found, count, cps, loaded, lines };
}

function eventOf(hap) {
  const { begin, end } = hap.whole;
  return {
    at: begin.valueOf(),
    begin: begin.toFraction(),
    end: end.toFraction(),
    duration: hap.duration.toFraction(),
    value: plain(hap.value),
    locations: (hap.context?.locations ?? []).map(({ start, end: stop }) => [start, stop]),
  };
}

/** A value as JSON can hold it. */
function plain(value, depth = 0) {
  if (value === null || ['string', 'boolean', 'undefined'].includes(typeof value)) return value ?? null;
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'function' || depth > 4) return '?';
  if (Array.isArray(value)) return value.slice(0, 64).map((item) => plain(item, depth + 1));
  if (typeof value.toFraction === 'function') return value.valueOf();
  return Object.fromEntries(Object.entries(value).slice(0, 128).map(([name, item]) => [name, plain(item, depth + 1)]));
}
