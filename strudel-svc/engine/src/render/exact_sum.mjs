// Chromium adds the sounds that reach one node in any order, and the last bit of a sum of floats depends on the order.
// Sounds that are rounded to one grid add up exactly, so that a render can be repeated bit by bit.
const LARGE = 48; // floats of this size have steps of 2^-18, an eighth of a 16-bit step

export class ExactSum {
  #context;
  #up;
  #down;
  #mixes = new WeakMap(); // for each node that adds exactly, the node that does it: itself, or one before it

  constructor(context) {
    this.#context = context;
    [this.#up, this.#down] = [LARGE, -LARGE].map((offset) => new ConstantSourceNode(context, { offset }));
    this.#up.start();
    this.#down.start();
    const { connect } = AudioNode.prototype;
    const exactSum = this;
    AudioNode.prototype.connect = function (target, ...ports) {
      const mix = exactSum.#mixes.get(target);
      if (mix === undefined) return connect.call(this, target, ...ports);
      exactSum.#join(this, (rounded) => connect.call(rounded, mix));
      return target;
    };
  }

  /** Connect a node, rounded: a large number is added and taken away again. */
  #join(node, connect) {
    const raised = new GainNode(this.#context);
    const rounded = new GainNode(this.#context);
    this.#up.connect(raised);
    this.#down.connect(rounded);
    connect(node.connect(raised).connect(rounded));
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

  /** Add exactly what will be connected to a node. */
  ofNode(node) {
    this.#mixes.set(node, node);
  }

  /** The same for an effect that has an input of its own already, as the feedback of a delay. */
  ofEffect(effect) {
    const mix = new GainNode(this.#context);
    mix.connect(effect);
    this.#mixes.set(effect, mix);
  }

  /** Add exactly all that an output adds up, and all buses. */
  ofController(controller) {
    const { output } = controller;
    const connect = output.connectToDestination;
    output.connectToDestination = (input, channels) => {
      const mix = new GainNode(this.#context);
      this.ofNode(mix);
      input.connect(mix);
      connect(mix, channels);
    };
    const getBus = controller.getBus.bind(controller);
    controller.getBus = (number) => {
      const isNew = controller.buses[number] == null;
      const bus = getBus(number);
      if (isNew) this.ofNode(bus);
      return bus;
    };
  }

  /** Add exactly all that an orbit adds up: its sounds, what they send to its effects, and those. */
  ofOrbit(orbit) {
    this.ofNode(orbit.summingNode);
    for (const [create, field] of [['getDelay', 'delayNode'], ['getReverb', 'reverbNode']]) {
      const make = orbit[create].bind(orbit);
      orbit[create] = (...values) => {
        const isNew = orbit[field] == null;
        const effect = make(...values);
        if (isNew) this.ofEffect(effect);
        return effect;
      };
    }
  }
}

/** Add the five filters of a vowel in pairs: a sum of two does not depend on the order. */
export function addVowelsInPairs() {
  const create = BaseAudioContext.prototype.createVowelFilter;
  BaseAudioContext.prototype.createVowelFilter = function (letter) {
    const vowel = create.call(this, letter);
    const { gains, makeupGain } = vowel;
    for (const gain of gains) gain.disconnect();
    gains.reduce((sum, gain) => {
      const pair = new GainNode(this);
      sum.connect(pair);
      gain.connect(pair);
      return pair;
    }).connect(makeupGain);
    return vowel;
  };
}
