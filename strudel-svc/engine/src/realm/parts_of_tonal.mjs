// Stands in for @tonaljs/tonal: the parts that the packages use. The other parts build tables in every realm.
export { default as Interval } from '@tonaljs/interval';
export { default as Note } from '@tonaljs/note';
export { default as Range } from '@tonaljs/range';
export { default as Scale } from '@tonaljs/scale';
