// Uploads one file to the address of this page: in one request, or in pieces that continue after an interruption.

const { inPieces } = JSON.parse(document.getElementById("page-data").textContent);
const input = document.getElementById("file");
const progress = document.getElementById("progress");
const state = document.getElementById("state");
const again = document.getElementById("again");

async function sendWhole(file) {
  const headers = { "Content-Type": file.type || "application/octet-stream" };
  return readAnswer(await fetch(location.href, { method: "PUT", body: file, headers }));
}

function sendInPieces(file) {
  const headers = {
    "Content-Disposition": `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`,
    // the same file, chosen again, continues; another file begins at 0
    "Consort-Upload": encodeURIComponent(`${file.lastModified} ${file.name}`).slice(0, 200),
  };
  return uploadInPieces(location.href, file, { headers, onProgress: show });
}

function show(part) {
  progress.hidden = false;
  progress.value = part;
  state.textContent = part < 1 ? `Uploading … ${Math.floor(100 * part)}%` : "Checking the sound …";
}

async function upload() {
  const file = input.files[0];
  if (!file) return;
  again.hidden = true;
  input.disabled = true;
  state.textContent = "Uploading …";
  try {
    const stored = await (inPieces && file.size > 0 ? sendInPieces(file) : sendWhole(file));
    state.textContent = `Stored as ${stored.name}. You can close this page.`;
    progress.value = 1;
  } catch (error) {
    progress.hidden = true;
    input.disabled = false;
    again.hidden = error instanceof UploadRejected || !inPieces;
    state.textContent =
      error instanceof UploadRejected ? error.message : "The studio could not be reached. What has arrived is kept.";
  }
}

// Say so if this link was used before, or has expired. A question about an empty file changes nothing.
async function checkLink() {
  try {
    await putPiece(location.href, new Blob([]), { "Content-Range": "bytes */0", "Consort-Upload": "check" });
  } catch (error) {
    if (!(error instanceof UploadRejected) || input.disabled) return;
    document.getElementById("choose").hidden = true;
    state.textContent = error.message;
  }
}

if (inPieces) checkLink();
input.onchange = upload;
again.onclick = upload;
