// Sends a take in pieces, tries again when the connection fails, and keeps the take until it has been sent.

const LARGEST_PIECE = 1024 * 1024;
const RETRY_AFTER_MS = [300, 1000, 3000];
const CHECK_AGAIN_MS = 1000;

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

// The studio rejected the upload for a reason that trying again does not change.
class UploadRejected extends Error {}

class ConnectionLost extends Error {}

class TakeUploader {
  constructor(askUrl, onProgress) {
    this.askUrl = askUrl;
    this.onProgress = onProgress;
  }

  // Send a take, or the rest of one that was begun, and return the studio's answer. `keep` is called when the take has
  // got its upload link. Raise ConnectionLost if the connection failed several times in a row; `send` can be called
  // again after that.
  async send(take, keep) {
    if (!take.uploadUrl) {
      take.uploadUrl = await this.withRetries(() => this.askForUrl(take.details));
      await keep();
    }
    const total = take.blob.size;
    const size = Math.min(LARGEST_PIECE, Math.ceil(total / 8));
    let answer = await this.withRetries(() => this.put(take, `bytes */${total}`, null));
    while (!answer.complete) {
      const from = answer.received;
      this.onProgress(from / total);
      const until = Math.min(from + size, total);
      if (from >= total) await pause(CHECK_AGAIN_MS); // all is there, and the studio still checks it
      answer = await this.withRetries((isRetry) =>
        isRetry || from >= total
          ? this.put(take, `bytes */${total}`, null)
          : this.put(take, `bytes ${from}-${until - 1}/${total}`, take.blob.slice(from, until)),
      );
    }
    this.onProgress(1);
    return answer;
  }

  async withRetries(attempt) {
    for (let tries = 0; ; tries++) {
      try {
        return await attempt(tries > 0);
      } catch (error) {
        if (error instanceof UploadRejected) throw error;
        if (tries >= RETRY_AFTER_MS.length) throw new ConnectionLost("The connection to the studio was lost.");
        await pause(RETRY_AFTER_MS[tries]);
      }
    }
  }

  async askForUrl(details) {
    const answer = await fetch(this.askUrl, {
      method: "PUT",
      body: JSON.stringify(details),
      headers: { "Content-Type": "application/json" },
    });
    return sameOrigin((await readAnswer(answer)).upload_url);
  }

  async put(take, range, body) {
    const headers = { "Content-Range": range, "Content-Type": "application/octet-stream" };
    const answer = await fetch(take.uploadUrl, { method: "PUT", body: body ?? new Blob([]), headers });
    if (answer.status === 409) {
      const error = (await answer.json()).error;
      const received = error.details?.received;
      if (received !== undefined) return { received, complete: false };
      throw new UploadRejected(error.message);
    }
    return readAnswer(answer);
  }
}

// Return a link of the studio for the address at which this page was opened, which may be another one.
function sameOrigin(url) {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

// Return the JSON of an answer. Raise UploadRejected with the studio's message for an error that is final.
async function readAnswer(answer) {
  if (answer.ok) return answer.json();
  if (answer.status >= 500) throw new Error(`status ${answer.status}`);
  const error = await answer.json().then(
    (body) => body.error,
    () => null,
  );
  throw new UploadRejected(error?.message ?? `The studio answered with status ${answer.status}.`);
}

// Keeps the take in the browser's database, so that closing the page does not lose it. Where that is not possible, as
// in some private windows, nothing is kept.
class KeptTakes {
  static async open() {
    try {
      const database = await promised(indexedDB.open("consort-recorder", 1), (request) => {
        request.onupgradeneeded = () => request.result.createObjectStore("takes", { keyPath: "recordingId" });
      });
      return new KeptTakes(database);
    } catch {
      return new KeptTakes(null);
    }
  }

  constructor(database) {
    this.database = database;
  }

  store(mode) {
    return this.database.transaction("takes", mode).objectStore("takes");
  }

  // Return the value of a request, or null if it fails.
  async run(mode, makeRequest) {
    if (this.database === null) return null;
    try {
      return await promised(makeRequest(this.store(mode)));
    } catch {
      return null;
    }
  }

  async load(recordingId) {
    return this.run("readonly", (store) => store.get(recordingId));
  }

  async save(take) {
    return this.run("readwrite", (store) => store.put(take));
  }

  async remove(recordingId) {
    return this.run("readwrite", (store) => store.delete(recordingId));
  }

  async removeOlderThan(days) {
    const oldest = Date.now() - days * 86400000;
    const all = (await this.run("readonly", (store) => store.getAll())) ?? [];
    for (const take of all.filter((each) => each.savedAt < oldest)) await this.remove(take.recordingId);
  }
}

function promised(request, prepare = () => {}) {
  return new Promise((resolve, reject) => {
    prepare(request);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error("blocked"));
  });
}
