// Evaluate a script, and ask its pattern for events.
import { silence } from '@strudel/core';
import { evaluateScript } from '../common/evaluate_script.mjs';
import { lines } from './host_globals.mjs';
import { prepare } from './script.mjs';
import { addTunings, loaded } from './scope.mjs';

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
const MOST_IN_PROBE = 80;

/** Estimate the events of a cycle from a short piece of it, where patterns seldom begin together. */
function density(cycle) {
  const at = cycle + 0.3717;
  return pattern.queryArc(at, at + PROBE, { _cps: cps }).filter((hap) => hap.hasOnset()).length;
}

/** Return the events. A pattern with so many that asking for them takes seconds is only estimated. */
export function events(begin, end, most) {
  const probed = density(Math.floor(begin));
  if (probed > MOST_IN_PROBE) return { too_many: Math.round(probed / PROBE) };
  const found = [];
  let count = 0;
  for (let cycle = Math.floor(begin); cycle < end; cycle += 1) {
    const span = [Math.max(begin, cycle), Math.min(end, cycle + 1)];
    for (const hap of pattern.queryArc(...span, { _cps: cps })) {
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
