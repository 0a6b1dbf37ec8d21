// Uploads one file to the address of this page: in one request, or in pieces that continue after an interruption.

const PIECE = 1024 * 1024;
const RETRY_AFTER_MS = [300, 1000, 3000];
const CHECK_AGAIN_MS = 1000;
const { inPieces } = JSON.parse(document.getElementById("page-data").textContent);
const input = document.getElementById("file");
const progress = document.getElementById("progress");
const state = document.getElementById("state");
const again = document.getElementById("again");

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

// The studio rejected the file: sending it again does not help.
class Rejected extends Error {}

// Send a request and return the JSON of the answer. A conflict that says how much has arrived is a normal answer.
async function put(body, headers) {
  const answer = await fetch(location.href, { method: "PUT", body, headers });
  const result = await answer.json();
  if (answer.ok) return result;
  if (answer.status >= 500) throw new Error(result.error.message);
  if (answer.status === 409 && result.error.details?.received !== undefined) return result.error.details;
  throw new Rejected(result.error.message);
}

// Call `attempt(isRetry)` again after a failed connection, a few times.
async function withRetries(attempt) {
  for (let tries = 0; ; tries++) {
    try {
      return await attempt(tries > 0);
    } catch (error) {
      if (error instanceof Rejected || tries >= RETRY_AFTER_MS.length) throw error;
      await pause(RETRY_AFTER_MS[tries]);
    }
  }
}

async function sendInPieces(file) {
  const headers = {
    "Content-Type": "application/octet-stream",
    "Content-Disposition": `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`,
    // the same file, chosen again, continues; another file begins at 0
    "Consort-Upload": encodeURIComponent(`${file.lastModified} ${file.name}`).slice(0, 200),
  };
  const ask = () => put(new Blob([]), { ...headers, "Content-Range": `bytes */${file.size}` });
  const send = (from, until) =>
    put(file.slice(from, until), { ...headers, "Content-Range": `bytes ${from}-${until - 1}/${file.size}` });
  if (file.size === 0) return put(file, headers);
  let answer = await withRetries(ask);
  while (!answer.complete) {
    const from = answer.received;
    show(from, file.size);
    if (from >= file.size) await pause(CHECK_AGAIN_MS);
    const until = Math.min(from + PIECE, file.size);
    answer = await withRetries((isRetry) => (isRetry || from >= file.size ? ask() : send(from, until)));
  }
  return answer;
}

function show(received, total) {
  progress.hidden = false;
  progress.value = received / total;
  const percent = Math.floor((100 * received) / total);
  state.textContent = received < total ? `Uploading … ${percent}%` : "Checking the sound …";
}

async function upload() {
  const file = input.files[0];
  if (!file) return;
  again.hidden = true;
  input.disabled = true;
  state.textContent = "Uploading …";
  try {
    const stored = await (inPieces ? sendInPieces(file) : put(file, { "Content-Type": file.type || "application/octet-stream" }));
    state.textContent = `Stored as ${stored.name}. You can close this page.`;
    progress.value = 1;
  } catch (error) {
    progress.hidden = true;
    input.disabled = false;
    again.hidden = error instanceof Rejected || !inPieces;
    state.textContent =
      error instanceof Rejected ? error.message : "The studio could not be reached. What has arrived is kept.";
  }
}

input.onchange = upload;
again.onclick = upload;
