// Collect the realms of past requests. V8 frees a realm only when it collects all of the heap; until then each of its
// quicker collections copies the realm's objects, which takes a fifth of the time of a request.
import v8 from 'node:v8';
import vm from 'node:vm';

const MOST_BYTES = 60 * 2 ** 20;

v8.setFlagsFromString('--expose-gc'); // only for this context: scripts have no `gc`
const collect = vm.runInNewContext('gc');
v8.setFlagsFromString('--no-expose-gc');

/** Collect all of the heap if the realms of some requests have filled it. */
export function collectRealms() {
  if (v8.getHeapStatistics().used_heap_size > MOST_BYTES) collect();
}
