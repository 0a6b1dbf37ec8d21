// Join two edits of the same script, line by line (diff3).
import { alignLines } from './line_diff.mjs';

/** Return the script with both edits of `base`, or undefined if they change the same lines. */
export function merge(base, mine, theirs) {
  const lines = base.split('\n');
  const [one, other] = [changesOf(lines, mine), changesOf(lines, theirs)];
  const merged = [];
  for (let place = 0; place <= lines.length; place += 1) {
    const [added, alsoAdded] = [one.before[place], other.before[place]];
    if (added.length && alsoAdded.length && added.join('\n') !== alsoAdded.join('\n')) return undefined;
    merged.push(...(added.length ? added : alsoAdded));
    if (place === lines.length) break;
    if (one.removed[place] && !other.removed[place] && other.touches(place)) return undefined;
    if (other.removed[place] && !one.removed[place] && one.touches(place)) return undefined;
    if (!one.removed[place] && !other.removed[place]) merged.push(lines[place]);
  }
  return merged.join('\n');
}

/** For each line of the base: whether an edit removed it, and which lines it added before it. */
function changesOf(lines, edited) {
  const removed = lines.map(() => false);
  const before = [...lines, ''].map(() => []);
  let place = 0;
  for (const [mark, text] of alignLines(lines, edited.split('\n'))) {
    if (mark === '+') before[place].push(text);
    else removed[place++] = mark === '-';
  }
  const touches = (at) => before[at].length > 0 || before[at + 1].length > 0;
  return { removed, before, touches };
}
