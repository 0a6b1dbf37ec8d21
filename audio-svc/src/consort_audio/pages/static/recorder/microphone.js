// The microphone: opens it without any processing, and passes on its samples.

const NO_PROCESSING = { echoCancellation: false, noiseSuppression: false, autoGainControl: false, channelCount: 1 };

class Microphone {
  // `onBlock(samples, first)` is called with each block of samples and the frame of its first sample in the time of
  // `context`. `onLost` is called if the microphone is unplugged.
  constructor(workletSource, onBlock, onLost) {
    this.workletSource = workletSource;
    this.onBlock = onBlock;
    this.onLost = onLost;
    this.context = null;
  }

  async open(deviceId) {
    if (!window.isSecureContext || !navigator.mediaDevices?.getUserMedia) throw new Error("insecure");
    const device = deviceId ? { deviceId: { exact: deviceId } } : {};
    const stream = await navigator.mediaDevices.getUserMedia({ audio: { ...NO_PROCESSING, ...device } });
    this.close();
    try {
      await this.startContext();
    } catch (error) {
      for (const track of stream.getTracks()) track.stop(); // otherwise the light of the microphone stays on
      throw error;
    }
    this.stream = stream;
    this.track = stream.getAudioTracks()[0];
    this.track.onended = () => this.onLost();
    this.source = this.context.createMediaStreamSource(stream);
    this.source.connect(this.collector);
  }

  async startContext() {
    if (this.context === null) {
      // Nobody listens to their own sound through this page, so long buffers only prevent gaps.
      const context = new AudioContext({ latencyHint: "playback" });
      const url = URL.createObjectURL(new Blob([this.workletSource], { type: "text/javascript" }));
      try {
        await context.audioWorklet.addModule(url);
      } catch (error) {
        await context.close();
        throw error;
      } finally {
        URL.revokeObjectURL(url);
      }
      this.collector = new AudioWorkletNode(context, "sample-collector", {
        channelCount: 1,
        channelCountMode: "explicit",
        outputChannelCount: [1],
      });
      this.collector.port.onmessage = ({ data }) => this.onBlock(data.samples, data.first);
      this.collector.connect(context.destination); // it is silent; unconnected nodes do not run in every browser
      this.context = context;
    }
    await this.context.resume();
  }

  close() {
    if (!this.stream) return;
    this.track.onended = null;
    this.track.stop();
    this.source.disconnect();
    this.stream = null;
  }

  get isOpen() {
    return Boolean(this.stream);
  }

  get deviceId() {
    return this.track.getSettings().deviceId ?? "";
  }

  get name() {
    return this.track.label || "microphone";
  }

  async devices() {
    const all = await navigator.mediaDevices.enumerateDevices();
    return all.filter((each) => each.kind === "audioinput" && each.deviceId !== "communications");
  }
}

// Say in words why the microphone cannot be used, and what to do.
function microphoneProblem(error) {
  if (error.message === "insecure") {
    return (
      "This page cannot use the microphone, because it was opened from another machine without HTTPS. Open the link " +
      "on the computer where Consort runs, with 127.0.0.1 as its address, or reach Consort by an https:// address."
    );
  }
  switch (error.name) {
    case "NotAllowedError":
    case "SecurityError":
      return (
        "The microphone is blocked. Allow it for this page: select the icon to the left of the address, set the " +
        "microphone to “Allow”, and try again. The system's privacy settings must allow it for the browser, too."
      );
    case "NotFoundError":
    case "OverconstrainedError":
      return "No microphone was found. Connect one, or switch it on, and try again.";
    case "NotReadableError":
    case "AbortError":
      return "The microphone is there, but does not start. Close other programs that use it, and try again.";
    default:
      return `The microphone could not be started (${error.name}). Try another browser, such as Chrome or Firefox.`;
  }
}
