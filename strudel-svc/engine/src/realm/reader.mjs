// The realm that reads scripts: it parses and transpiles them, but runs none. So the worker can keep it, and its code is
// warm.
import './host_globals.mjs';
import { transpiler } from '@strudel/transpiler';
import { answering, offer } from './answers.mjs';
import { factsOf } from './facts.mjs';

offer({
  facts: answering(factsOf),
  transpiled: answering((script) => transpiler(script, { emitWidgets: false, emitMiniLocations: false })),
});
