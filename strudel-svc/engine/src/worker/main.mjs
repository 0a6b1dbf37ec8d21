// The worker: one JSON request a line on stdin, one JSON answer a line on stdout.
//   {"id": 1, "op": "facts", "script": "s(\"bd*4\")"}
//   {"id": 2, "op": "events", "script": "...", "begin": 0, "end": 4, "most": 5000, "time_limit_ms": 2000}
//   {"id": 3, "op": "names"}
// An answer is {"id": 1, "answer": ...} as the realm gave it, or {"id": 1, "failure": ...} if it gave none.
// Every script runs in a fresh realm. Time and memory are limited here and by the parent, which kills and replaces a
// worker that does not answer.
import { createInterface } from 'node:readline';
import { collectRealms } from './memory.mjs';
import { Realm } from './realm.mjs';

const MOST_CHARACTERS = 16_000_000;
const TIME_LIMIT_MS = 2000;
let spare = new Realm();
let reader;

const operations = {
  names({ time_limit_ms = TIME_LIMIT_MS }) {
    const left = countdown(time_limit_ms);
    const realm = take();
    realm.evaluate({ output: 'return silence' }, 'tune', left()); // the repl adds its own functions; tunings are loaded too
    return realm.call('names', [], left());
  },
  facts: ({ script, time_limit_ms = TIME_LIMIT_MS }) => read('facts', script, time_limit_ms),
  events({ script, begin = 0, end = 1, most = 5000, time_limit_ms = TIME_LIMIT_MS }) {
    const left = countdown(time_limit_ms);
    const transpiled = JSON.parse(read('transpiled', script, left()));
    if (!transpiled.ok) return JSON.stringify(transpiled);
    const realm = take();
    const state = realm.evaluate(transpiled.result, script, left());
    if (!JSON.parse(state)?.ok) return state;
    return askForEvents(realm, [begin, end, most], left);
  },
};

/** Ask for events. If that takes long, estimate first how many there are: a realm can be asked again after a timeout. */
function askForEvents(realm, values, left) {
  try {
    return realm.call('events', values, Math.ceil(left() / 4));
  } catch (error) {
    if (!isTimeout(error)) throw error;
  }
  const tooMany = realm.call('tooMany', values, left());
  return JSON.parse(tooMany).result ? tooMany : realm.call('events', values, left());
}

const isTimeout = (error) => error?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';

/** Return a function that says how many milliseconds of a time limit are left, at least one. */
function countdown(limit) {
  const end = performance.now() + limit;
  return () => Math.max(Math.round(end - performance.now()), 1);
}

const read = (method, script, timeLimit) => (reader ??= new Realm('reader')).call(method, [script], timeLimit);

function take() {
  const realm = spare ?? new Realm();
  spare = undefined;
  return realm;
}

function answered(line) {
  const request = JSON.parse(line);
  const began = process.cpuUsage();
  try {
    const text = operations[request.op](request);
    if (text.length > MOST_CHARACTERS) throw new Error('the answer is too long');
    return `{"id":${request.id},"answer":${text}}\n`;
  } catch (error) {
    const { user, system } = process.cpuUsage(began);
    const failure = { stage: isTimeout(error) ? 'time' : 'engine', error: String(error?.message), cpu_ms: (user + system) / 1000 };
    return `${JSON.stringify({ id: request.id, failure })}\n`;
  }
}

createInterface({ input: process.stdin }).on('line', (line) => {
  process.stdout.write(answered(line), () => {
    collectRealms(); // while the parent reads the answer
    spare ??= new Realm();
  });
});
process.stdout.write('{"ready":true}\n');
