// The song as Consort keeps it: its newest version is asked for again and again, and edits are saved as a version.

const POLL_MS = 1500;

export class Song {
  constructor({ songUrl, saveUrl, version, script }) {
    this.songUrl = songUrl;
    this.saveUrl = saveUrl;
    this.version = version;
    this.script = script;
  }

  /** Call `onChange(newest, previous)` whenever there is a newer version than the one known here. */
  follow(onChange, onProblem) {
    const look = async () => {
      if (!document.hidden && !this.isSaving) {
        try {
          const newest = await answerOf(await fetch(this.songUrl, { cache: 'no-store' }));
          if (newest.version > this.version && !this.isSaving) {
            const previous = { version: this.version, script: this.script };
            this.version = newest.version;
            this.script = newest.script;
            onChange(newest, previous);
          }
          onProblem('');
        } catch (error) {
          onProblem(error.message);
        }
      }
      setTimeout(look, POLL_MS);
    };
    setTimeout(look, POLL_MS);
  }

  /** Save a script as a version. Throw an error if there is a newer one, or the link no longer works. */
  async save(script, reason) {
    this.isSaving = true;
    try {
      const saved = await answerOf(
        await fetch(this.saveUrl, {
          method: 'PUT',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ script, expected_version: this.version, reason }),
        }),
      );
      this.version = saved.version;
      this.script = script;
      return saved;
    } finally {
      this.isSaving = false;
    }
  }
}

async function answerOf(response) {
  if (response.status === 404) throw new Error('This song was deleted.');
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(answer.error?.message ?? `The studio does not answer (${response.status}).`);
  return answer;
}
