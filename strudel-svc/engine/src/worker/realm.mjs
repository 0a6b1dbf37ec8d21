// Make realms: contexts without any object of this process, in which text cannot be compiled.
import { readFileSync } from 'node:fs';
import vm from 'node:vm';
import { usesTunings } from '../common/tunings.mjs';

const loaded = {};
/** Return a bundle, compiled once for all realms. */
const bundle = (name) =>
  (loaded[name] ??= new vm.Script(readFileSync(new URL(`../../dist/${name}.js`, import.meta.url), 'utf8'), { filename: name }));

export class Realm {
  constructor(name = 'realm') {
    this.context = vm.createContext(vm.constants.DONT_CONTEXTIFY, {
      codeGeneration: { strings: false, wasm: false },
      microtaskMode: 'afterEvaluate', // so that a time limit ends loops of promises too
    });
    bundle(name).runInContext(this.context);
  }

  /** Call a method of the realm's `consort` with JSON values. Return the text that it answers. */
  call(method, values, timeLimit) {
    const text = vm.runInContext(`consort.${method}(${values.map((value) => JSON.stringify(value)).join()})`, this.context, {
      timeout: timeLimit,
    });
    if (typeof text !== 'string') throw new Error('the realm did not answer');
    return text;
  }

  /** Run a transpiled script. Return the answer of `state`. */
  evaluate(transpiled, script, timeLimit) {
    if (usesTunings(script)) bundle('tunings').runInContext(this.context);
    const run = `async () => {"use strict";${transpiled.output}\n}`;
    const wrapped = new vm.Script(`consort.evaluate(${JSON.stringify(transpiled)}, ${run})`, { filename: 'script' });
    wrapped.runInContext(this.context, { timeout: timeLimit });
    return this.call('state', [], timeLimit);
  }
}
