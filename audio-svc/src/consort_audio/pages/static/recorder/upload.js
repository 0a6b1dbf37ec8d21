// Sends a take in pieces, and keeps the take until it has been sent.

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
      take.uploadUrl = await withRetries(() => this.askForUrl(take.details));
      await keep();
    }
    const answer = await uploadInPieces(take.uploadUrl, take.blob, {
      pieceSize: Math.min(LARGEST_PIECE, Math.ceil(take.blob.size / 8)),
      onProgress: this.onProgress,
    });
    this.onProgress(1);
    return answer;
  }

  async askForUrl(details) {
    const answer = await fetch(this.askUrl, {
      method: "PUT",
      body: JSON.stringify(details),
      headers: { "Content-Type": "application/json" },
    });
    return sameOrigin((await readAnswer(answer)).upload_url);
  }
}

// Return a link of the studio for the address at which this page was opened, which may be another one.
function sameOrigin(url) {
  const { pathname, search } = new URL(url);
  return pathname + search;
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
