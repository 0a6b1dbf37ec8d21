// Runs in the audio thread: collects the microphone's samples and posts them in blocks.

class SampleCollector extends AudioWorkletProcessor {
  constructor() {
    super();
    this.begin();
  }

  begin() {
    this.block = new Float32Array(2048);
    this.filled = 0;
  }

  process([input]) {
    if (this.filled === 0) this.first = currentFrame;
    const channel = input[0];
    const count = channel ? channel.length : 128;
    if (channel) this.block.set(channel, this.filled);
    this.filled += count;
    if (this.filled + count > this.block.length) {
      const samples = this.block.subarray(0, this.filled);
      this.port.postMessage({ first: this.first, samples }, [this.block.buffer]);
      this.begin();
    }
    return true;
  }
}

registerProcessor("sample-collector", SampleCollector);
