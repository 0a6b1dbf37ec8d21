// The realm in which one script runs. The worker calls `consort.METHOD(...)` by text and gets text back.
import './host_globals.mjs';
import './script.mjs';
import { evaluate, events, transpiled } from './evaluation.mjs';
import { factsOf } from './facts.mjs';
import { makeScope, names } from './scope.mjs';

const { stringify } = JSON;
const messageOf = (error) => String(error?.message ?? error).slice(0, 1000);
const answer = (action) => {
  try {
    return stringify({ ok: true, result: action() });
  } catch (error) {
    return stringify({ ok: false, error: messageOf(error) });
  }
};
let state = stringify({ ok: false, error: 'the script waits for something that never happens' });

const consort = {
  names: () => answer(names),
  facts: (script) => answer(() => factsOf(script)),
  transpiled: (script) => answer(() => transpiled(script)),
  evaluate: (run) =>
    void evaluate(run).then(
      () => {
        state = stringify({ ok: true });
      },
      (error) => {
        state = stringify({ ok: false, error: messageOf(error) });
      },
    ),
  state: () => state,
  events: (begin, end, most) => answer(() => events(begin, end, most)),
};
Object.defineProperty(globalThis, 'consort', { value: Object.freeze(consort) });
makeScope();
