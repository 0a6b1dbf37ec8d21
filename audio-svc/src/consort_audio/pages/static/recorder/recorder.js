// The recording page: its states, and what its controls do.

const page = JSON.parse(document.getElementById("page-data").textContent);
const $ = (id) => document.getElementById(id);
const STOP_GRACE_MS = 1000;

let state = "closed";
let recording = null; // what is being recorded
let take = null; // what was recorded
let measurement = null;

function enter(next) {
  state = next;
  document.documentElement.dataset.state = next;
  for (const part of document.querySelectorAll("[data-show]")) part.hidden = !part.dataset.show.split(" ").includes(next);
  $("listen").hidden = page.referenceUrl === null || next === "done";
  for (const part of document.querySelectorAll("[data-locked]")) part.disabled = part.dataset.locked.split(" ").includes(next);
}

function tell(id, text) {
  $(id).textContent = text;
  $(id).hidden = !text;
}

// Microphone

const meter = new LevelMeter($("level-bar"), $("level-peak"), $("level-hint"));
const tuner = new Tuner($("tuner-note"), $("tuner-needle"), $("tuner-words"));
const microphone = new Microphone(page.worklet, onBlock, onMicrophoneLost);

function onBlock(samples, first) {
  const rate = microphone.context.sampleRate;
  meter.add(samples, first / rate);
  if (state === "ready") tuner.add(samples, first / rate, rate);
  if (measurement?.add(samples, first)) endMeasurement();
  if (recording) addToRecording(samples, first);
}

async function openMicrophone(deviceId) {
  tell("microphone-problem", "");
  $("turn-on").disabled = true;
  try {
    await microphone.open(deviceId);
    meter.clear();
    await listDevices();
    showDelay();
    showLimit();
    enter("ready");
  } catch (error) {
    tell("microphone-problem", microphoneProblem(error));
    if (!microphone.isOpen) enter("closed");
  } finally {
    $("turn-on").disabled = false;
  }
}

async function listDevices() {
  const options = (await microphone.devices()).map((device, index) => {
    const option = new Option(device.label || `Microphone ${index + 1}`, device.deviceId);
    option.selected = device.deviceId === microphone.deviceId;
    return option;
  });
  $("device").replaceChildren(...options);
}

function onMicrophoneLost() {
  microphone.close();
  stopMeasuring();
  if (recording) stopRecording();
  if (state !== "review") enter("closed");
  tell("microphone-problem", "The microphone was disconnected. Connect it again, and turn it on.");
}

$("turn-on").onclick = () => openMicrophone();
$("device").onchange = () => openMicrophone($("device").value);
navigator.mediaDevices?.addEventListener("devicechange", () => microphone.isOpen && listDevices());
$("tuner").ontoggle = () => (tuner.isOn = $("tuner").open);

// Delay

const delayKey = () => `consort-delay:${microphone.name}`;
const measuredDelays = new Map(); // of this visit, because storage may be switched off

// Return the measured delay of this microphone in seconds, or null.
function storedDelay() {
  if (measuredDelays.has(delayKey())) return measuredDelays.get(delayKey());
  try {
    const stored = parseFloat(localStorage.getItem(delayKey()));
    return Number.isFinite(stored) ? stored : null;
  } catch {
    return null;
  }
}

function showDelay() {
  const delay = storedDelay();
  $("delay-result").textContent = delay === null ? "" : `The delay of this input is ${Math.round(delay * 1000)} ms.`;
}

$("measure").onclick = () => {
  $("measure").disabled = $("record").disabled = true;
  $("delay-result").textContent = "Measuring …";
  measurement = new DelayMeasurement(microphone.context);
};

function stopMeasuring() {
  measurement = null;
  $("measure").disabled = $("record").disabled = false;
  $("delay-result").textContent = "";
}

function endMeasurement() {
  const delay = measurement.result();
  stopMeasuring();
  if (delay === null || delay < 0 || delay > 0.55) {
    $("delay-result").textContent =
      "The delay could not be measured: the chirps were not heard clearly. Turn the volume up, hold the microphone " +
      "close to the speaker, and try again. Until then, the browser's estimate is used.";
    return;
  }
  measuredDelays.set(delayKey(), delay);
  try {
    localStorage.setItem(delayKey(), String(delay));
  } catch {
    // it is known until the page is closed
  }
  $("delay-result").textContent =
    `The delay is ${Math.round(delay * 1000)} ms. It is subtracted from takes with a count-in or metronome.`;
}

// Recording

$("count-in").value = String(page.countIn);
$("tempo").value = String(page.tempo);
$("metronome").checked = page.metronome;

function chosenTempo() {
  const tempo = parseFloat($("tempo").value);
  return Number.isFinite(tempo) ? Math.min(400, Math.max(20, tempo)) : page.tempo;
}

function describeClicks() {
  const bars = Number($("count-in").value);
  const metronome = $("metronome").checked;
  const countIn = bars ? `${bars} ${bars === 1 ? "bar" : "bars"} of count-in` : "";
  const clicks = [countIn, metronome ? "clicks during the recording" : ""].filter(Boolean).join(", then ");
  const headphones = metronome ? " Use headphones, so that the microphone does not record the clicks." : "";
  $("clicks-words").textContent = clicks ? `${clicks}, at ${chosenTempo()} in ${page.timeSignature}.${headphones}` : "";
}

for (const id of ["count-in", "tempo", "metronome"]) $(id).addEventListener("change", describeClicks);
describeClicks();

function showLimit() {
  $("time").textContent = `0:00 of ${timeText(page.maxDuration, 0)}`;
}

function startRecording() {
  $("reference").pause();
  const context = microphone.context;
  const rate = context.sampleRate;
  const countIn = Number($("count-in").value);
  const usesClicks = countIn > 0 || $("metronome").checked;
  const tempo = chosenTempo();
  const writer = new WavWriter(rate);
  recording = { writer, rate, peaks: [], clipped: 0, warned: false, details: { device: microphone.name.slice(0, 300) } };
  if (usesClicks) {
    const metronome = new Metronome(context, page.bar, tempo);
    const begin = context.currentTime + 0.2;
    const firstBeat = begin + countIn * metronome.barLength;
    const measured = storedDelay();
    const delay = measured ?? context.outputLatency ?? 0;
    recording.from = Math.max(0, Math.round((firstBeat + delay - LEAD_IN_S) * rate));
    recording.metronome = metronome;
    Object.assign(recording.details, {
      tempo,
      time_signature: page.timeSignature,
      count_in: countIn,
      metronome: $("metronome").checked,
      first_beat: LEAD_IN_S,
      latency_ms: Math.round(delay * 10000) / 10,
      latency_is_measured: measured !== null,
    });
    metronome.start(begin, $("metronome").checked ? Infinity : countIn, (beat) => {
      if (state === "counting") $("time").textContent = `Count-in: ${beat}`;
    });
    $("time").textContent = "Count-in";
    enter("counting");
  } else {
    recording.from = Math.round(context.currentTime * rate);
    enter("recording");
  }
  recording.until = recording.from + Math.round(page.maxDuration * rate);
  $("elapsed").value = 0;
  $("record-label").textContent = "Stop";
  $("announcement").textContent = usesClicks ? "Count-in." : "Recording.";
  keepAwake();
}

function addToRecording(samples, first) {
  const { from, until, writer, rate } = recording;
  const part = samples.subarray(Math.max(0, from - first), Math.max(0, Math.min(samples.length, until - first)));
  if (part.length) {
    if (state === "counting") {
      enter("recording");
      $("announcement").textContent = "Recording.";
    }
    writer.add(part);
    recording.peaks.push(rangeOf(part));
    recording.clipped += part.reduce((count, sample) => count + (Math.abs(sample) >= CLIPPED), 0);
    const used = writer.frames / rate;
    const left = page.maxDuration - used;
    $("time").textContent = `${timeText(Math.floor(used), 0)} · ${timeText(Math.ceil(left), 0)} left`;
    $("elapsed").value = used / page.maxDuration;
    if (left < 10 && page.maxDuration > 20 && !recording.warned) {
      recording.warned = true;
      $("announcement").textContent = "10 seconds left.";
    }
  }
  if (first + samples.length >= until) stopRecording();
}

// The player pressed Stop: keep what was played until now, which reaches this page a moment later.
function requestStop() {
  if (state === "counting") return cancelRecording();
  recording.until = Math.min(recording.until, Math.round(microphone.context.currentTime * recording.rate));
  const stopped = recording;
  setTimeout(() => recording === stopped && stopRecording(), STOP_GRACE_MS); // if no more samples arrive
}

function cancelRecording() {
  recording.metronome?.stop();
  recording = null;
  readyAgain();
}

function stopRecording() {
  const { writer, metronome, peaks, clipped, rate, details, until } = recording;
  const stoppedItself = until === recording.from + Math.round(page.maxDuration * rate) && writer.frames / rate >= page.maxDuration;
  metronome?.stop();
  recording = null;
  wakeLock?.release();
  if (!writer.frames) return readyAgain();
  take = {
    recordingId: page.recordingId,
    blob: writer.blob(),
    details,
    duration: writer.frames / rate,
    peaks,
    clipped,
    stoppedItself,
    uploadUrl: null,
    savedAt: Date.now(),
  };
  keepTake();
  showTake("");
}

function readyAgain() {
  $("record-label").textContent = "Record";
  $("announcement").textContent = "";
  showLimit();
  enter(microphone.isOpen ? "ready" : "closed");
}

$("record").onclick = () => (recording ? requestStop() : startRecording());

let wakeLock = null;
async function keepAwake() {
  try {
    wakeLock = await navigator.wakeLock?.request("screen");
  } catch {
    wakeLock = null; // the screen may turn off
  }
}

// The take

let takes = new KeptTakes(null);
let picture = null;

function keepTake() {
  return takes.save(take);
}

function showTake(introduction) {
  $("take").src = URL.createObjectURL(take.blob);
  const end = take.stoppedItself ? ` The limit of ${spokenTime(page.maxDuration)} was reached, so it stopped by itself.` : "";
  $("take-words").textContent = `${introduction}${spokenTime(take.duration)}.${end} Listen to it, then send it or record again.`;
  tell("take-warning", takeWarning());
  tell("send-problem", "");
  $("send-state").textContent = "";
  enter("review");
  picture ??= new Waveform($("picture"), take.duration);
  picture.duration = take.duration;
  picture.position = 0;
  picture.show(take.peaks);
  $("take-heading").focus();
}

function takeWarning() {
  const level = decibels(take.peaks.reduce((most, [low, high]) => Math.max(most, -low, high), 0));
  if (take.clipped > 3) return "This take was too loud in places and is distorted. Turn the microphone down and record again.";
  if (level < -90) return "This take is silent. Check that the microphone is not muted, and record again.";
  if (level < TOO_QUIET_DB) return "This take is very quiet. Move closer to the microphone and record again.";
  return "";
}

$("take").ontimeupdate = () => {
  picture.position = $("take").currentTime;
  picture.draw();
};

function recordAgain() {
  URL.revokeObjectURL($("take").src);
  $("take").removeAttribute("src");
  take = null;
  takes.remove(page.recordingId);
  readyAgain();
  $(microphone.isOpen ? "record" : "turn-on").focus();
}

$("again").onclick = $("again-after-loss").onclick = recordAgain;

// Sending

const uploader = new TakeUploader(page.takeUrl, (part) => {
  $("sent").value = part;
  $("sent-label").textContent = `Sending: ${Math.round(part * 100)} %`;
});

async function send() {
  tell("send-problem", "");
  $("send-state").textContent = "";
  enter("sending");
  $("take").pause();
  try {
    const answer = await uploader.send(take, keepTake);
    await takes.remove(page.recordingId);
    microphone.close();
    microphone.context?.close();
    $("done-duration").textContent = spokenTime(answer.duration);
    enter("done");
    $("done-heading").focus();
  } catch (error) {
    if (error instanceof ConnectionLost) return waitForConnection();
    take.uploadUrl = null; // another attempt begins from the start
    enter("review");
    tell("send-problem", error instanceof UploadRejected ? error.message : `Sending failed (${error.name}). Try again.`);
  }
}

function waitForConnection() {
  enter("interrupted");
  tell(
    "send-problem",
    "The connection to the studio was lost. Your take is safe on this page. When the studio runs again, press " +
      "Resume: only the rest is sent.",
  );
  $("resume").focus();
}

$("send").onclick = $("resume").onclick = send;
addEventListener("online", () => state === "interrupted" && send());

// Reference

async function hearReference() {
  $("hear").disabled = true;
  tell("reference-state", "The sound is being made …");
  try {
    for (;;) {
      const answer = await readAnswer(await fetch(page.referenceUrl));
      if (answer.status === "ready") {
        $("reference").src = sameOrigin(answer.url);
        $("reference").hidden = false;
        $("hear").hidden = true;
        tell("reference-state", "");
        $("reference").play().catch(() => {}); // a browser may want another click, on the player's own button
        return;
      }
      tell("reference-state", `The sound is being made: ${Math.round(answer.progress * 100)} %`);
      await pause(700);
    }
  } catch (error) {
    const why = error instanceof UploadRejected ? error.message : "The studio could not be reached.";
    tell("reference-state", `The reference cannot be played. ${why}`);
  } finally {
    $("hear").disabled = false;
  }
}

$("hear").onclick = hearReference;

// Start

enter("closed");
if (!window.isSecureContext) tell("microphone-problem", microphoneProblem(new Error("insecure")));
takes = await KeptTakes.open();
await takes.removeOlderThan(7);
take = (await takes.load(page.recordingId)) ?? null;
if (take) showTake("Your last take is still here: ");
