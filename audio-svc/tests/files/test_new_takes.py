"""Every file that a user uploads or records is announced once for its analyses; renders and segments are not."""

import pytest

from consort_audio.files.models import SegmentAudio, StoreAudio, StoredAudio
from consort_audio.files.store import AudioRow
from consort_kit.errors import AlreadyExists
from tests.support.audio_file_parts import FileParts, RunWithParts
from tests.support.audio_files import as_base64, sine, wav_bytes

TAKE = wav_bytes(sine(440, 0.5))


def test_uploads_are_announced_once_and_segments_and_renders_never(
    run_with_parts: RunWithParts,
) -> None:
    async def work(parts: FileParts) -> None:
        stored = await parts.files.store(StoreAudio(base64=as_base64(TAKE)))
        uploaded = await parts.upload(TAKE)
        assert isinstance(stored, StoredAudio)
        assert parts.announced == [stored.audio_file_id, uploaded.id]
        await parts.segments.cut(SegmentAudio(audio_file_id=uploaded.id, end_time=0.2))
        render = parts.library.temporary_path(".wav")
        render.write_bytes(TAKE)
        await parts.library.add(render, "render", "render", {"midi_file_id": "midi_1"})
        assert not render.exists() and len(parts.announced) == 2

    run_with_parts(work)


def test_a_recording_is_completed_and_announced(
    run_with_parts: RunWithParts,
) -> None:
    async def work(parts: FileParts) -> None:
        completed: list[tuple[str, str]] = []

        async def complete(recording_id: str, row: AudioRow) -> None:
            if completed:
                raise AlreadyExists("This recording has been made already.")
            completed.append((recording_id, row.id))

        parts.uploads.on_recording = complete
        row = await parts.upload(TAKE, "rec_1")
        assert (row.kind, row.origin) == ("recording", {"recording_id": "rec_1"})
        assert completed == [("rec_1", row.id)] and parts.announced == [row.id]
        with pytest.raises(AlreadyExists):
            await parts.upload(TAKE, "rec_1")
        assert parts.announced == [row.id]
        assert [path.parent.name for path in (parts.data / "audio").rglob("*.wav")] == [row.id]
        assert list((parts.data / "uploads").iterdir()) == []

    run_with_parts(work)
