// Stands in for `fraction.js`. The packages make a fraction of almost every time that they touch, and most of these are
// fractions already, which never change: they are used as they are, instead of being reduced to a copy.
import Exact from '../../node_modules/fraction.js/dist/fraction.mjs';

export default function Fraction(value, divisor) {
  return value instanceof Exact && divisor === undefined ? value : new Exact(value, divisor);
}
Fraction.prototype = Exact.prototype;
