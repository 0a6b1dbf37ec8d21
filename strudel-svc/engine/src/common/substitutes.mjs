// Which local sound plays for a name that is not there. The tables come with the library; Consort's own code has the
// same rule (consort_strudel/sounds/substitutes.py), so that validation names the substitute that is heard.

/** Return the substitute of a name in lower case, or undefined. */
export function substituteFor(name, has, { kits = [], drums = {}, instruments = {}, defaultKit = 'std' }) {
  const cut = name.lastIndexOf('_');
  const bank = cut > 0 ? name.slice(0, cut) : '';
  for (const candidate of bank ? [name, name.slice(cut + 1)] : [name]) {
    const drum = Object.hasOwn(drums, candidate) ? drums[candidate] : candidate;
    const plain = `${defaultKit}_${drum}`;
    if (!has(plain)) continue;
    if (candidate === name) return has(drum) ? drum : plain;
    const kit = kits.find(([pattern]) => new RegExp(pattern).test(bank))?.[1] ?? defaultKit;
    return has(`${kit}_${drum}`) ? `${kit}_${drum}` : plain;
  }
  for (let rest = name; rest; rest = rest.slice(0, Math.max(rest.lastIndexOf('_'), 0))) {
    if (Object.hasOwn(instruments, rest) && has(instruments[rest])) return instruments[rest];
  }
  return undefined;
}
