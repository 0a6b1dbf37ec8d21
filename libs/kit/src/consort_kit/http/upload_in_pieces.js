// Uploads a file in pieces to a link of the studio, and tries again when the connection fails.

const LARGEST_PIECE = 1024 * 1024;
const RETRY_AFTER_MS = [300, 1000, 3000];
const CHECK_AGAIN_MS = 1000;

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

// The studio rejected a request for a reason that trying again does not change.
class UploadRejected extends Error {}

class ConnectionLost extends Error {}

// Upload a file, or the rest of one that was begun, and return the studio's answer. Raise ConnectionLost if the
// connection failed several times in a row; the upload can be continued after that.
async function uploadInPieces(url, file, { headers = {}, pieceSize = LARGEST_PIECE, onProgress = () => {} } = {}) {
  const put = (range, body) => putPiece(url, body, { ...headers, "Content-Range": `bytes ${range}/${file.size}` });
  const ask = () => put("*", new Blob([]));
  let answer = await withRetries(ask);
  while (!answer.complete) {
    const from = answer.received;
    onProgress(from / file.size);
    if (from >= file.size) await pause(CHECK_AGAIN_MS); // all is there, and the studio still checks it
    const until = Math.min(from + pieceSize, file.size);
    answer = await withRetries((isRetry) =>
      isRetry || from >= file.size ? ask() : put(`${from}-${until - 1}`, file.slice(from, until)),
    );
  }
  return answer;
}

// Send a piece and return the JSON of the answer. A conflict that says how much has arrived is a normal answer.
async function putPiece(url, body, headers) {
  const answer = await fetch(url, {
    method: "PUT",
    body,
    headers: { "Content-Type": "application/octet-stream", ...headers },
  });
  if (answer.status === 409) {
    const error = (await answer.json()).error;
    const received = error.details?.received;
    if (received !== undefined) return { received, complete: false };
    throw new UploadRejected(error.message);
  }
  return readAnswer(answer);
}

// Call `attempt(isRetry)` again after a failed connection, a few times.
async function withRetries(attempt) {
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
