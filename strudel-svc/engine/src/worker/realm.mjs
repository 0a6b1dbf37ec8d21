// Make realms: contexts without any object of this process, in which text cannot be compiled.
import { readFileSync } from 'node:fs';
import vm from 'node:vm';

const USES_TUNINGS = /\b(xen|tune|tuning|withBase|ftrans|fadd|edo)\b/;
const load = (name) => new vm.Script(readFileSync(new URL(name, import.meta.url), 'utf8'), { filename: name });

const realmScript = load('../../dist/realm.js');
let tuningsScript;

export class Realm {
  constructor() {
    this.context = vm.createContext(vm.constants.DONT_CONTEXTIFY, {
      codeGeneration: { strings: false, wasm: false },
      microtaskMode: 'afterEvaluate', // so that a time limit ends loops of promises too
    });
    realmScript.runInContext(this.context);
  }

  /** Call a method of the realm's `consort` with JSON values. Return the text that it answers. */
  call(method, values, timeLimit) {
    const text = vm.runInContext(`consort.${method}(${values.map((value) => JSON.stringify(value)).join()})`, this.context, {
      timeout: timeLimit,
    });
    if (typeof text !== 'string') throw new Error('the realm did not answer');
    return text;
  }

  /** Run the code of a transpiled script. Return the answer of `state`. */
  evaluate(code, script, timeLimit) {
    if (USES_TUNINGS.test(script)) (tuningsScript ??= load('../../dist/tunings.js')).runInContext(this.context);
    const wrapped = new vm.Script(`consort.evaluate(async () => {"use strict";${code}\n})`, { filename: 'script' });
    wrapped.runInContext(this.context, { timeout: timeLimit });
    return this.call('state', [], timeLimit);
  }
}
