// Evaluate a script with the repl of @strudel/core, without a clock and without sound.
import { isPattern, repl, silence } from '@strudel/core';

/** Return the pattern and the tempo of a script. `options` are more options of the repl. Throw the script's error. */
export async function evaluateScript(code, options) {
  let failure;
  const player = repl({
    getTime: () => 0,
    defaultOutput: () => undefined,
    onEvalError: (error) => {
      failure = error;
    },
    setInterval: () => 0,
    clearInterval: () => undefined,
    ...options,
  });
  const pattern = await player.evaluate(code, false);
  if (failure) throw failure;
  return { pattern: isPattern(pattern) ? pattern : silence, cps: player.scheduler.cps };
}
