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

/**
 * Give each processor its own random numbers: the order in which Chromium runs the processors is not fixed.
 * Runs in the worklets as text, so nothing in it may have a name that esbuild would keep by a function of the page.
 */
function seedProcessors(seed) {
  const register = globalThis.registerProcessor;
  let processors = 0;
  globalThis.registerProcessor = (name, Processor) => {
    register(name, class extends Processor {
      constructor(options) {
        const random = generator(seed ^ Math.imul((processors += 1), 0x9e3779b1));
        Math.random = random;
        super(options);
        this.consortRandom = random;
        const answer = this.port.onmessage;
        if (!answer) return;
        this.port.onmessage = (event) => {
          Math.random = random;
          return answer.call(this.port, event);
        };
      }
      process(inputs, outputs, parameters) {
        Math.random = this.consortRandom;
        return super.process(inputs, outputs, parameters);
      }
    });
  };
}

export async function seedWorklets(context, seed) {
  await addModule(context, `${generator}\n(${seedProcessors})(${seed});`);
}
