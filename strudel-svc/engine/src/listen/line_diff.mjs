// The lines that differ between two scripts: equal lines at both ends are set aside, the rest is compared by the
// longest common subsequence.

const MOST_CELLS = 4e6;

/** Return rows of [mark, text]: '-' was removed, '+' was added, ' ' is the same. Only changed lines and one around. */
export function lineDiff(before, after) {
  const rows = alignLines(before.split('\n'), after.split('\n'));
  const first = rows.findIndex(isChange);
  return first < 0 ? [] : rows.slice(Math.max(0, first - 1), rows.findLastIndex(isChange) + 2);
}

const isChange = ([mark]) => mark !== ' ';

/** Return such rows for all lines of two texts. */
export function alignLines(one, other) {
  let start = 0;
  while (start < one.length && start < other.length && one[start] === other[start]) start += 1;
  let [end, otherEnd] = [one.length, other.length];
  while (end > start && otherEnd > start && one[end - 1] === other[otherEnd - 1]) [end, otherEnd] = [end - 1, otherEnd - 1];
  const middle = compare(one.slice(start, end), other.slice(start, otherEnd));
  return [...one.slice(0, start).map(same), ...middle, ...one.slice(end).map(same)];
}

const same = (text) => [' ', text];

function compare(one, other) {
  const removed = one.map((text) => ['-', text]);
  const added = other.map((text) => ['+', text]);
  if (!one.length || !other.length || one.length * other.length > MOST_CELLS) return [...removed, ...added];
  const width = other.length + 1;
  const lengths = new Uint32Array((one.length + 1) * width);
  for (let row = one.length - 1; row >= 0; row -= 1) {
    for (let column = other.length - 1; column >= 0; column -= 1) {
      lengths[row * width + column] =
        one[row] === other[column]
          ? lengths[(row + 1) * width + column + 1] + 1
          : Math.max(lengths[(row + 1) * width + column], lengths[row * width + column + 1]);
    }
  }
  const rows = [];
  let [row, column] = [0, 0];
  while (row < one.length || column < other.length) {
    if (row < one.length && column < other.length && one[row] === other[column]) {
      rows.push(same(one[row]));
      [row, column] = [row + 1, column + 1];
    } else if (column >= other.length || (row < one.length && lengths[(row + 1) * width + column] >= lengths[row * width + column + 1])) {
      rows.push(removed[row]);
      row += 1;
    } else {
      rows.push(added[column]);
      column += 1;
    }
  }
  return rows;
}
