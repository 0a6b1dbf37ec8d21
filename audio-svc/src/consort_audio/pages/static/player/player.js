/** The player page: plays one audio file, loops a part of it and changes its speed without changing its pitch. */
const data = JSON.parse(document.getElementById("page-data").textContent);
const element = (id) => document.getElementById(id);
const audio = element("audio");
const slider = element("position");
const waveform = new Waveform(element("waveform"), data.duration);

const SHORTEST_LOOP = 0.1;
const STEP = 2;
const SMALL_STEP = 0.1;
const [SLOWEST, FASTEST] = [50, 150];
const CANNOT_PLAY = "This browser cannot play the sound. Download the file instead.";
const loop = { on: false, start: 0, end: data.duration };

const say = (text) => (element("status").textContent = text);
const within = (value, low, high) => Math.min(Math.max(value, low), high);

function showProblem(text) {
  element("problem").textContent = text;
  element("problem").hidden = false;
  say("");
}

/* Position */

function showPosition() {
  const time = audio.currentTime;
  waveform.position = time;
  waveform.draw();
  element("now").textContent = timeText(time);
  const spoken = Math.round(time);
  if (audio.paused || spoken !== Number(slider.dataset.spoken)) {
    slider.dataset.spoken = spoken;
    slider.setAttribute("aria-valuenow", time.toFixed(1));
    slider.setAttribute("aria-valuetext", `${spokenTime(time)} of ${spokenTime(data.duration)}`);
  }
}

function showWhilePlaying() {
  showPosition();
  if (!audio.paused) requestAnimationFrame(showWhilePlaying);
}

function seek(time) {
  audio.currentTime = within(time, 0, data.duration);
  showPosition();
}

/** Move by the keyboard. While a loop is on, the position stays inside it. */
function move(time) {
  seek(loop.on ? within(time, loop.start, Math.max(loop.start, loop.end - 0.05)) : time);
  say(`At ${timeText(audio.currentTime)}.`);
}

/** Move by a click. A click outside the loop switches the loop off. */
function jump(time) {
  if (loop.on && (time < loop.start || time > loop.end)) switchLoop(false);
  seek(time);
}

/* Play and pause */

let playWhenReady = false;

function togglePlay() {
  if (element("play").disabled) {
    if (!element("problem").hidden) return;
    playWhenReady = !playWhenReady;
    say(playWhenReady ? "Loading … It will play." : "Loading …");
    return;
  }
  if (!audio.paused) return audio.pause();
  if (audio.ended || audio.currentTime >= data.duration) seek(loop.on ? loop.start : 0);
  audio.play().catch((error) => {
    if (error.name !== "AbortError") showProblem(CANNOT_PLAY);
  });
}

function showPlaying() {
  element("play").setAttribute("aria-label", audio.paused ? "Play" : "Pause");
  element("play-icon").toggleAttribute("hidden", !audio.paused);
  element("pause-icon").toggleAttribute("hidden", audio.paused);
  say(audio.paused ? (audio.ended ? "At the end." : "Paused.") : "Playing.");
}

/* Loop */

let loopTimer = 0;

/** Return to the start of the loop when its end is reached. A timer also works in a tab in the background. */
function keepLoop() {
  clearTimeout(loopTimer);
  if (!loop.on || audio.paused || audio.seeking) return;
  const left = (loop.end - audio.currentTime) / audio.playbackRate;
  if (left <= 0.004) audio.currentTime = loop.start;
  else loopTimer = setTimeout(keepLoop, Math.max(left * 1000 - 2, 4));
}

function showLoop() {
  element("loop").setAttribute("aria-pressed", String(loop.on));
  element("loop-start").value = loop.start.toFixed(2);
  element("loop-end").value = loop.end.toFixed(2);
  element("loop-problem").hidden = true;
  waveform.loop = loop.on ? { start: loop.start, end: loop.end } : null;
  waveform.draw();
}

function switchLoop(on) {
  loop.on = on;
  showLoop();
  say(on ? `Loop from ${timeText(loop.start, 2)} to ${timeText(loop.end, 2)}.` : "Loop off.");
  if (on && (audio.currentTime < loop.start || audio.currentTime >= loop.end)) seek(loop.start);
  keepLoop();
}

function setLoop(start, end) {
  loop.start = within(start, 0, data.duration);
  loop.end = within(end, 0, data.duration);
  switchLoop(true);
}

/** Start the loop here. An end that would come before it moves to the end of the file. */
function startLoopHere() {
  const start = within(audio.currentTime, 0, Math.max(0, data.duration - SHORTEST_LOOP));
  setLoop(start, loop.end - start >= SHORTEST_LOOP ? loop.end : data.duration);
}

/** End the loop here. A start that would come after it moves to the start of the file. */
function endLoopHere() {
  const end = within(audio.currentTime, Math.min(SHORTEST_LOOP, data.duration), data.duration);
  setLoop(end - loop.start >= SHORTEST_LOOP ? loop.start : 0, end);
}

function readLoopFields() {
  const [start, end] = [element("loop-start").valueAsNumber, element("loop-end").valueAsNumber];
  let problem = "";
  const inFile = (time) => time >= 0 && time <= data.duration + 0.005;
  if (!inFile(start) || !inFile(end)) problem = `Give seconds from 0 to ${data.duration.toFixed(2)}.`;
  else if (end - start < SHORTEST_LOOP - 0.001) problem = `The loop must end at least ${SHORTEST_LOOP} s after its start.`;
  element("loop-problem").textContent = problem;
  element("loop-problem").hidden = !problem;
  for (const id of ["loop-start", "loop-end"]) element(id).setAttribute("aria-invalid", String(Boolean(problem)));
  if (!problem) setLoop(start, end);
}

/* Speed and volume */

function setSpeed(percent) {
  const speed = within(Math.round(percent), SLOWEST, FASTEST);
  audio.playbackRate = speed / 100;
  audio.defaultPlaybackRate = speed / 100;
  element("speed").value = speed;
  element("speed").setAttribute("aria-valuetext", `${speed} percent`);
  element("speed-text").textContent = `${speed}%`;
  keepLoop();
}

function changeSpeed(by) {
  setSpeed(Number(element("speed").value) + by);
  say(`Speed ${element("speed").value}%.`);
}

/* Waveform: click to move, drag to choose a loop, drag an edge to change it */

let drag = null;

function edgeAt(x) {
  if (!loop.on) return null;
  const near = (time) => Math.abs(waveform.xOf(time) - x) <= 8;
  return near(loop.end) ? "end" : near(loop.start) ? "start" : null;
}

const xOf = (event) => event.clientX - slider.getBoundingClientRect().left;

slider.addEventListener("pointerdown", (event) => {
  if (event.button !== 0) return;
  const x = xOf(event);
  const edge = edgeAt(x);
  const fixed = edge === "start" ? loop.end : edge === "end" ? loop.start : waveform.timeAt(x);
  drag = { x, fixed, moved: false };
  slider.setPointerCapture(event.pointerId);
});
slider.addEventListener("pointermove", (event) => {
  slider.classList.toggle("on-edge", edgeAt(xOf(event)) !== null);
  if (!drag) return;
  if (Math.abs(xOf(event) - drag.x) > 6) drag.moved = true;
  if (!drag.moved) return;
  const time = waveform.timeAt(xOf(event));
  waveform.loop = { start: Math.min(drag.fixed, time), end: Math.max(drag.fixed, time) };
  waveform.draw();
});
slider.addEventListener("pointerup", (event) => {
  if (!drag) return;
  const { fixed, moved } = drag;
  drag = null;
  const time = waveform.timeAt(xOf(event));
  const [start, end] = [Math.min(fixed, time), Math.max(fixed, time)];
  if (moved && end - start >= SHORTEST_LOOP) setLoop(start, end);
  else if (!moved) jump(time);
  showLoop();
});
slider.addEventListener("pointercancel", () => {
  drag = null;
  showLoop();
});

/* Keys */

const KEYS = {
  " ": togglePlay,
  ArrowLeft: (shift) => move(audio.currentTime - (shift ? SMALL_STEP : STEP)),
  ArrowRight: (shift) => move(audio.currentTime + (shift ? SMALL_STEP : STEP)),
  Home: () => move(0),
  End: () => move(data.duration),
  l: () => switchLoop(!loop.on),
  "[": startLoopHere,
  "]": endLoopHere,
  "+": () => changeSpeed(5),
  "=": () => changeSpeed(5),
  "-": () => changeSpeed(-5),
  "0": () => changeSpeed(100 - Number(element("speed").value)),
};

/** Return whether the focused control has its own meaning for this key. */
function belongsToControl(target, key) {
  if (target.matches("input[type=number]")) return true;
  if (target.matches("input[type=range]")) return /^(Arrow|Home|End)/.test(key);
  return key === " " && target.matches("button, a, input");
}

document.addEventListener("keydown", (event) => {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const action = KEYS[key];
  if (!action || event.ctrlKey || event.altKey || event.metaKey) return;
  if (element("play").disabled && action !== togglePlay) return;
  if (belongsToControl(event.target, key)) return;
  if (!element("use-keys").checked && event.target !== slider) return;
  event.preventDefault();
  action(event.shiftKey);
});

/* Start */

function addDownloads() {
  for (const { label, note, url } of data.downloads) {
    const link = document.createElement("a");
    link.className = "button";
    link.href = url;
    link.download = "";
    const small = document.createElement("small");
    small.textContent = note;
    link.append(label, small);
    element("downloads").append(link);
  }
}

/** Fetch a link of this page, again and again while the service still prepares what it stands for. */
async function fetchWhenReady(url, options) {
  for (;;) {
    let answer;
    try {
      answer = await fetch(url, options);
    } catch {
      throw new Error("The studio does not answer. Is it running?");
    }
    if (answer.ok) return answer;
    const { error } = await answer.json();
    if (error.code !== "TIMEOUT") throw new Error(error.message);
    say("Preparing the sound …");
    await new Promise((resolve) => setTimeout(resolve, 2000));
  }
}

async function loadPeaks() {
  try {
    const answer = await fetchWhenReady(data.peaksUrl);
    waveform.show((await answer.json()).peaks);
  } catch (error) {
    showProblem(`The waveform could not be loaded. ${error.message}`);
  }
}

/** Load the first format that the service can deliver. If this browser cannot play it, load the next one. */
async function loadNextAudio() {
  const url = data.audioUrls.shift();
  if (!url) return showProblem(CANNOT_PLAY);
  try {
    await fetchWhenReady(url, { headers: { Range: "bytes=0-0" } });
    audio.src = url;
  } catch (error) {
    showProblem(error.message);
  }
}

audio.addEventListener("loadedmetadata", () => {
  for (const id of ["play", "loop", "set-start", "set-end", "loop-start", "loop-end"]) element(id).disabled = false;
  say("Ready.");
  if (playWhenReady) togglePlay();
  playWhenReady = false;
});
audio.addEventListener("play", () => {
  showPlaying();
  showWhilePlaying();
});
audio.addEventListener("pause", () => {
  showPlaying();
  showPosition();
});
audio.addEventListener("ended", () => {
  if (!loop.on) return;
  audio.currentTime = loop.start;
  audio.play();
});
for (const name of ["playing", "seeked", "ratechange", "timeupdate"]) audio.addEventListener(name, keepLoop);
audio.addEventListener("seeked", showPosition);
audio.addEventListener("error", loadNextAudio);

element("play").addEventListener("click", togglePlay);
element("loop").addEventListener("click", () => switchLoop(!loop.on));
element("set-start").addEventListener("click", startLoopHere);
element("set-end").addEventListener("click", endLoopHere);
element("loop-start").addEventListener("change", readLoopFields);
element("loop-end").addEventListener("change", readLoopFields);
element("speed").addEventListener("input", (event) => setSpeed(event.target.valueAsNumber));
element("slower").addEventListener("click", () => changeSpeed(-5));
element("faster").addEventListener("click", () => changeSpeed(5));
element("normal-speed").addEventListener("click", () => setSpeed(100));
element("volume").addEventListener("input", (event) => (audio.volume = event.target.valueAsNumber / 100));

element("total").textContent = timeText(data.duration);
slider.setAttribute("aria-valuemax", data.duration.toFixed(1));
for (const id of ["loop-start", "loop-end"]) element(id).max = data.duration.toFixed(2);
audio.volume = 0.5; // iOS keeps its own volume and ignores this
element("volume-control").hidden = audio.volume !== 0.5;
audio.volume = 1;
audio.preservesPitch = true;
if (navigator.mediaSession) navigator.mediaSession.metadata = new MediaMetadata({ title: data.name, artist: "Consort" });
addDownloads();
setSpeed(100);
showLoop();
showPosition();
loadPeaks();
loadNextAudio();
