// Stands in for @tonaljs/tonal: the parts that the packages use. The other parts build tables in every realm, and those
// of scales are built only for scripts that use them.
export { default as Interval } from '@tonaljs/interval';
export { default as Note } from '@tonaljs/note';
export { default as Range } from '@tonaljs/range';

export const Scale = {
  get: (name) => require('@tonaljs/scale').get(name),
  tokenize: (name) => require('@tonaljs/scale').tokenize(name),
};
