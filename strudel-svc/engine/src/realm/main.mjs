// The realm in which one script runs.
import './host_globals.mjs';
import './script.mjs';
import { answering, failed, offer, succeeded } from './answers.mjs';
import { evaluate, events, tooMany } from './evaluation.mjs';
import { makeScope, names } from './scope.mjs';

let state = failed('the script waits for something that never happens');

offer({
  names: answering(names),
  evaluate: (transpiled, run) =>
    void evaluate(transpiled, run).then(
      () => {
        state = succeeded();
      },
      (error) => {
        state = failed(error);
      },
    ),
  state: () => state,
  events: answering(events),
  tooMany: answering(tooMany),
});
makeScope();
