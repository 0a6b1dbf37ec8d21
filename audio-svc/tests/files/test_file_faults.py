"""What the parts that store files do while others are busy, when they are interrupted, and when the disk is full."""

import asyncio
import time

from consort_audio.files.part_file import lock_part_file
from consort_audio.files.uploads import UploadRequest, UploadState
from tests.support.audio_file_parts import FileParts, RunWithParts, body_of
from tests.support.audio_files import sine, wav_bytes

TAKE = wav_bytes(sine(440, 0.5))


def test_a_question_while_another_process_checks_the_complete_file(
    run_with_parts: RunWithParts,
) -> None:
    async def work(parts: FileParts) -> None:
        file_id = (await parts.uploads.open("take")).audio_file_id
        head = UploadRequest(f"bytes 0-99/{len(TAKE)}", 100, None, None, body_of(TAKE[:100]))
        assert (await parts.uploads.receive(file_id, head)).received == 100
        other_process = await lock_part_file(parts.library.part_path(file_id), 0)
        assert other_process is not None
        await other_process.append(TAKE[100:])
        question = UploadRequest(f"bytes */{len(TAKE)}", 0, None, None, body_of(b""))
        assert await parts.uploads.receive(file_id, question) == UploadState(len(TAKE))
        other_process.close()  # as if it had died
        row = (await parts.uploads.receive(file_id, question)).row
        assert row is not None and row.bytes == len(TAKE)

    run_with_parts(work)


def test_nothing_but_a_conversion_waits_for_conversions(run_with_parts: RunWithParts) -> None:
    async def work(parts: FileParts) -> None:
        busy = asyncio.create_task(parts.converters.run(time.sleep, 600))
        await asyncio.sleep(0)
        row = await parts.upload(TAKE)
        conversion = asyncio.create_task(parts.derived.converted(row, "mp3"))
        assert await parts.blobs.size(await parts.derived.peaks(row))
        assert not conversion.done()
        busy.cancel()
        assert await parts.blobs.size(await conversion)

    run_with_parts(work)
