// Stands in for @strudel/core in the bundle of tunings, which must use the core that is in the realm already.
export const { register, parseNumeral, _mod } = globalThis;
