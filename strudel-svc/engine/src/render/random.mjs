// Random numbers with a seed (mulberry32), on the page and in the audio worklets, so that a render can be repeated.

function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export function seedPage(seed) {
  Math.random = generator(seed);
}

export async function addModule(context, source) {
  const address = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
  try {
    await context.audioWorklet.addModule(address);
  } finally {
    URL.revokeObjectURL(address);
  }
}

export async function seedWorklets(context, seed) {
  await addModule(context, `Math.random = (${generator})(${seed});`);
}
