// Chromium adds the sounds that reach one node in any order, and the last bit of a sum of floats depends on the order.
// Sounds that are rounded to one grid add up exactly, so that a render can be repeated bit by bit.
const LARGE = 48; // floats of this size have steps of 2^-18, an eighth of a 16-bit step

export class ExactSum {
  #context;
  #up;
  #down;

  constructor(context) {
    this.#context = context;
    [this.#up, this.#down] = [LARGE, -LARGE].map((offset) => new ConstantSourceNode(context, { offset }));
    this.#up.start();
    this.#down.start();
  }

  /**
   * Connect a node to another one, rounded: a large number is added and taken away again.
   * Sounds end while the page renders, between any two lines of this code, so the path to the target is made last and
   * cut first. Otherwise the target may get one of the two numbers without the other, a bang of 34 dB.
   */
  join(node, target) {
    const raised = new GainNode(this.#context);
    const rounded = new GainNode(this.#context);
    this.#up.connect(raised);
    this.#down.connect(rounded);
    node.connect(raised).connect(rounded).connect(target);
    const disconnect = node.disconnect;
    node.disconnect = (...values) => {
      rounded.disconnect();
      node.disconnect = disconnect;
      this.#up.disconnect(raised);
      this.#down.disconnect(rounded);
      raised.disconnect();
      return node.disconnect(...values);
    };
  }

  /** Let everything that an output adds up be added exactly. */
  ofOutput(output) {
    const connect = output.connectToDestination;
    output.connectToDestination = (input, channels) => {
      const mix = new GainNode(this.#context);
      this.join(input, mix);
      connect(mix, channels);
    };
  }

  /** Let everything that an orbit adds up be added exactly: its sounds, what they send to its effects, and those. */
  ofOrbit(orbit) {
    orbit.connectToOutput = (node) => this.join(node, orbit.summingNode);
    for (const [create, field, send] of [['getDelay', 'delayNode', 'sendDelay'], ['getReverb', 'reverbNode', 'sendReverb']]) {
      const make = orbit[create].bind(orbit);
      const mix = new GainNode(this.#context);
      orbit[create] = (...values) => {
        const isNew = orbit[field] == null;
        const effect = make(...values);
        if (isNew) {
          const output = effect.delayGain ?? effect; // a delay sends its sound by this node
          output.disconnect(orbit.summingNode);
          this.join(output, orbit.summingNode);
          mix.connect(effect);
        }
        return effect;
      };
      orbit[send] = (node, amount) => {
        const gain = new GainNode(this.#context, { gain: amount });
        node.connect(gain);
        this.join(gain, mix);
        return gain;
      };
    }
  }
}
