// Takes the place of `Function` in the packages (see build.mjs): the realm may not compile text, so the worker compiles
// the script's code and puts it here before it is evaluated.
let prepared;

export const prepare = (run) => {
  prepared = run;
};
globalThis.compileScript = () => {
  if (!prepared) throw new Error('a script cannot make functions from text');
  const run = prepared;
  prepared = undefined;
  return run;
};
