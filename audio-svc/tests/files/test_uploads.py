"""Uploads in one request and in pieces: continued, disturbed, too large, and by several clients at once."""

import http.client
import os
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import urlsplit

import psutil
import pytest

from evaluation.processes.servers import wait_until
from tests.support.audio_files import melody, sine, wav_bytes
from tests.support.errors_and_faults.error_shape import check_error_answer
from tests.support.servers.audio_service import AudioService

TAKE = wav_bytes(melody(2, 44_100))
PIECE = 100_000


def open_link(audio: AudioService, **more: Any) -> str:
    url: str = audio.call("store_audio", upload_link=True, **more)["upload_url"]
    return url


def file_id_of(url: str) -> str:
    return urlsplit(url).path.rpartition("/")[2]


def part_files(audio: AudioService) -> list[str]:
    return [path.name for path in (audio.data / "uploads").iterdir()]


def send_piece(audio: AudioService, url: str, content: bytes, start: int, end: int, sender: str = "") -> Any:
    end = min(end, len(content))
    headers = {"Content-Range": f"bytes {start}-{end - 1}/{len(content)}", "Consort-Upload": sender}
    return audio.put(url, content=content[start:end], headers=headers)


def ask(audio: AudioService, url: str, total: int, sender: str = "") -> Any:
    return audio.put(url, content=b"", headers={"Content-Range": f"bytes */{total}", "Consort-Upload": sender})


def test_a_whole_file_in_one_request(audio: AudioService) -> None:
    url = open_link(audio, name="My take")
    for _ in range(2):  # repeating it is no error
        answer = audio.put(url, content=TAKE)
        assert answer.status_code == 201
        assert {"name": "My take.wav", "duration": 2.0, "complete": True}.items() <= answer.json().items()
        assert answer.json()["audio_file_id"] == file_id_of(url)
    assert audio.get(answer.json()["download_url"]).content == TAKE
    assert part_files(audio) == []


def test_pieces_that_are_repeated_and_continued(audio: AudioService) -> None:
    url = open_link(audio)
    assert ask(audio, url, len(TAKE)).json() == {"received": 0, "complete": False}
    for start in range(0, len(TAKE), PIECE):
        wrong = send_piece(audio, url, TAKE, start + 1, start + PIECE)
        assert wrong.status_code == 409
        assert check_error_answer(wrong)["details"] == {"received": start}
        answer = send_piece(audio, url, TAKE, start, start + PIECE)
        if start + PIECE < len(TAKE):
            assert (answer.status_code, answer.json()) == (202, {"received": start + PIECE, "complete": False})
            assert ask(audio, url, len(TAKE)).json()["received"] == start + PIECE
    assert (answer.status_code, answer.json()["complete"]) == (201, True)
    assert ask(audio, url, len(TAKE)).json() == send_piece(audio, url, TAKE, start, start + PIECE).json()
    assert audio.get(f"/files/{file_id_of(url)}").content == TAKE
    assert part_files(audio) == []


def test_the_name_is_the_one_of_the_uploaded_file(audio: AudioService) -> None:
    for sent, stored in (("Caf%C3%A9%20%E2%99%AA.wav", "Café ♪.wav"), ("..%2Fetc%2Fpasswd", "untitled.wav")):
        headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{sent}"}
        assert audio.put(open_link(audio), content=TAKE, headers=headers).json()["name"] == stored


def test_a_request_that_breaks_off_is_continued(audio: AudioService) -> None:
    url = open_link(audio)
    host = urlsplit(audio.url)
    connection = http.client.HTTPConnection(host.hostname or "", host.port, timeout=20)
    connection.putrequest("PUT", f"/uploads/{file_id_of(url)}")
    for name, value in (("Authorization", f"Bearer {audio.token}"), ("Content-Length", str(len(TAKE)))):
        connection.putheader(name, value)
    connection.endheaders(TAKE[:200_000])
    part = audio.data / "uploads" / f"{file_id_of(url)}.part"
    wait_until(part.exists, "the service receives the upload")
    connection.close()
    received = ask(audio, url, len(TAKE)).json()["received"]
    assert 0 <= received < len(TAKE)
    assert audio.get(f"/files/{file_id_of(url)}").status_code == 404
    assert send_piece(audio, url, TAKE, received, len(TAKE)).status_code == 201
    assert audio.get(f"/files/{file_id_of(url)}").content == TAKE


def test_the_service_is_killed_during_an_upload(own_audio: AudioService) -> None:
    url = open_link(own_audio)
    assert send_piece(own_audio, url, TAKE, 0, PIECE).status_code == 202
    leftover = own_audio.data / "uploads" / "leftover.wav"
    leftover.write_bytes(b"of a crash long ago")
    os.utime(leftover, (1, 1))
    own_audio.kill()
    own_audio.start()
    assert part_files(own_audio) == [f"{file_id_of(url)}.part"]
    assert own_audio.get(f"/files/{file_id_of(url)}").status_code == 404
    assert own_audio.call("list_audio")["items"] == []
    assert ask(own_audio, url, len(TAKE)).json()["received"] == PIECE
    assert send_piece(own_audio, url, TAKE, PIECE, len(TAKE)).status_code == 201
    assert own_audio.get(f"/files/{file_id_of(url)}").content == TAKE
    assert part_files(own_audio) == []
    check_endless_stream(own_audio)


def check_endless_stream(own_audio: AudioService) -> None:
    """An upload that does not say its size is stopped at the limit, and never in memory."""
    url = open_link(own_audio)
    process = psutil.Process(own_audio.pid())
    before = process.memory_info().rss
    answer = own_audio.put(url, content=zeros(200))
    assert (answer.status_code, check_error_answer(answer)["code"]) == (413, "TOO_LARGE")
    assert process.memory_info().rss - before < 50 * 1024**2
    assert part_files(own_audio) == []


def kill_during_check(own_audio: AudioService, take: bytes) -> str | None:
    """Kill the service while it checks a complete upload, and start it again. Return the upload's link.

    Return None if the check was over before it was seen, as on a busy machine.
    """
    url, half = open_link(own_audio), len(take) // 2
    assert send_piece(own_audio, url, take, 0, half).status_code == 202
    service = psutil.Process(own_audio.pid())
    with ThreadPoolExecutor(1) as background:
        last = background.submit(send_piece, own_audio, url, take, half, len(take))
        wait_until(lambda: service.children() or last.done(), "a child checks the file", poll_s=0.002)
        own_audio.kill()
    own_audio.start()
    if last.exception() is not None:
        return url
    own_audio.call("delete_audio", audio_file_id=file_id_of(url))
    return None


def test_the_service_is_killed_while_it_checks_a_complete_file(own_audio: AudioService) -> None:
    take = wav_bytes(sine(440, 120, channels=2))
    url = next(filter(None, (kill_during_check(own_audio, take) for _ in range(5))))
    assert own_audio.call("list_audio")["items"] == []
    assert ask(own_audio, url, len(take)).json()["complete"] is True
    assert own_audio.get(f"/files/{file_id_of(url)}").content == take
    assert len([path for path in (own_audio.data / "audio").rglob("*") if path.is_file()]) == 1


def test_two_clients_that_send_whole_files_at_once(audio: AudioService) -> None:
    takes = [wav_bytes(sine(hz, 2)) for hz in (300, 400, 500, 600)]
    url = open_link(audio)
    with ThreadPoolExecutor(len(takes)) as clients:
        answers = list(clients.map(lambda take: audio.put(url, content=take), takes))
    statuses = sorted(answer.status_code for answer in answers)
    assert statuses == [201, 409, 409, 409]
    stored = audio.get(f"/files/{file_id_of(url)}").content
    assert stored == takes[[answer.status_code for answer in answers].index(201)]
    assert part_files(audio) == []


def test_two_clients_that_send_pieces_at_once_are_never_mixed(audio: AudioService) -> None:
    takes = {name: wav_bytes(sine(hz, 2)) for name, hz in (("a", 300), ("b", 700))}
    url = open_link(audio)
    stored = threading.Event()

    def client(name: str) -> None:
        received = 0
        for _ in range(400):
            if stored.is_set():
                return
            answer = send_piece(audio, url, takes[name], received, received + 30_000, name)
            if answer.status_code == 201:
                stored.set()
            elif answer.status_code == 202:
                received = answer.json()["received"]
            else:
                received = (check_error_answer(answer)["details"] or {}).get("received", received)

    with ThreadPoolExecutor(2) as clients:
        list(clients.map(client, takes))
    assert stored.is_set() and audio.get(f"/files/{file_id_of(url)}").content in takes.values()


def test_another_file_replaces_an_upload_that_was_begun(audio: AudioService) -> None:
    url, other = open_link(audio), wav_bytes(sine(200, 1))
    assert send_piece(audio, url, TAKE, 0, PIECE, "first").status_code == 202
    assert ask(audio, url, len(other), "second").json()["received"] == 0
    assert send_piece(audio, url, other, 0, 50_000, "second").status_code == 202
    late = send_piece(audio, url, TAKE, PIECE, 2 * PIECE, "first")
    error = check_error_answer(late)
    assert late.status_code == 409 and "Another file" in error["message"]
    assert error["details"] is None, "a page that knows where to continue would replace the other file again"
    assert send_piece(audio, url, other, 50_000, len(other), "second").status_code == 201
    assert audio.get(f"/files/{file_id_of(url)}").content == other


def test_a_link_stores_one_file_only(audio: AudioService) -> None:
    url = open_link(audio)
    assert audio.put(url, content=TAKE).status_code == 201
    for other in (TAKE[:-4] + b"\1\2\3\4", TAKE + b"\0\0"):
        answer = audio.put(url, content=other)
        assert (answer.status_code, check_error_answer(answer)["code"]) == (409, "ALREADY_EXISTS")
    assert audio.get(f"/files/{file_id_of(url)}").content == TAKE


def test_pieces_of_another_file_of_the_same_size_do_not_count_as_stored(audio: AudioService) -> None:
    url, other = open_link(audio), TAKE[:-4] + b"\1\2\3\4"
    assert send_piece(audio, url, TAKE, 0, len(TAKE), "first").status_code == 201
    assert ask(audio, url, len(TAKE), "first").status_code == 201
    assert send_piece(audio, url, TAKE, 0, PIECE, "first").status_code == 201
    for answer in (ask(audio, url, len(other), "second"), send_piece(audio, url, other, PIECE, len(other), "first")):
        assert (answer.status_code, check_error_answer(answer)["code"]) == (409, "ALREADY_EXISTS")


def test_the_outcome_of_a_bad_file_is_kept_until_another_file_of_the_same_size_begins(audio: AudioService) -> None:
    url, bad = open_link(audio), bytes(len(TAKE))
    assert send_piece(audio, url, bad, 0, PIECE).status_code == 202
    for answer in (send_piece(audio, url, bad, PIECE, len(bad)), ask(audio, url, len(bad)), ask(audio, url, len(bad))):
        assert (answer.status_code, check_error_answer(answer)["code"]) == (422, "INVALID_AUDIO")
    assert part_files(audio) == []
    assert send_piece(audio, url, TAKE, 0, PIECE).status_code == 202
    assert send_piece(audio, url, TAKE, PIECE, len(TAKE)).status_code == 201
    assert audio.get(f"/files/{file_id_of(url)}").content == TAKE


def test_a_connection_that_is_lost_without_a_word(audio: AudioService) -> None:
    """A question is answered at once, and a piece gets the place to continue, so that a page tries again."""
    url = open_link(audio)
    assert send_piece(audio, url, TAKE, 0, PIECE).status_code == 202
    host = urlsplit(audio.url)
    lost = http.client.HTTPConnection(host.hostname or "", host.port, timeout=20)
    lost.putrequest("PUT", f"/uploads/{file_id_of(url)}")
    for name, value in (
        ("Authorization", f"Bearer {audio.token}"),
        ("Content-Length", str(PIECE)),
        ("Content-Range", f"bytes {PIECE}-{2 * PIECE - 1}/{len(TAKE)}"),
    ):
        lost.putheader(name, value)
    lost.endheaders(TAKE[PIECE : PIECE + 10])

    def is_blocked() -> bool:
        assert ask(audio, url, len(TAKE)).json()["received"] == PIECE
        answer = send_piece(audio, url, TAKE, PIECE + 1, PIECE + 2)
        assert check_error_answer(answer)["details"] == {"received": PIECE}
        return "earlier request" in answer.text

    wait_until(is_blocked, "the lost request blocks the upload")
    lost.close()
    wait_until(lambda: send_piece(audio, url, TAKE, PIECE, len(TAKE)).status_code == 201, "the upload continues")
    assert audio.get(f"/files/{file_id_of(url)}").content == TAKE


def test_a_bad_file_leaves_nothing_and_the_link_takes_another(audio: AudioService) -> None:
    url = open_link(audio)
    for bad, code in ((b"", "TOO_SHORT"), (b"text", "INVALID_AUDIO"), (TAKE[:5000], "INVALID_AUDIO")):
        answer = audio.put(url, content=bad)
        assert (answer.status_code, check_error_answer(answer)["code"]) == (422, code)
        assert part_files(audio) == []
    long_piece = audio.put(url, content=TAKE[:500], headers={"Content-Range": "bytes 0-9/500"})
    assert check_error_answer(long_piece)["code"] == "INVALID_CONTENT_RANGE"
    assert part_files(audio) == []
    assert audio.get(f"/files/{file_id_of(url)}").status_code == 404
    assert audio.put(url, content=TAKE).status_code == 201


@pytest.mark.parametrize("header", ["bytes 0-9", "bytes 9-0/20", "bytes 0-20/20", "items 0-9/20", "bytes */x", ""])
def test_a_wrong_content_range(audio: AudioService, header: str) -> None:
    answer = audio.put(open_link(audio), content=b"0123456789", headers={"Content-Range": header})
    assert (answer.status_code, check_error_answer(answer)["code"]) == (422, "INVALID_CONTENT_RANGE")


def test_an_unknown_upload(audio: AudioService) -> None:
    answer = audio.put(f"/uploads/audio_{'0' * 26}", content=TAKE)
    assert (answer.status_code, check_error_answer(answer)["code"]) == (404, "NOT_FOUND")
    assert part_files(audio) == []


def zeros(megabytes: int) -> Iterator[bytes]:
    for _ in range(megabytes):
        yield bytes(1024 * 1024)


def test_two_gigabytes_that_are_announced_are_not_received(audio: AudioService) -> None:
    url = open_link(audio)
    size = 2 * 1024**3
    for headers in ({"Content-Length": str(size)}, {"Content-Range": f"bytes 0-1048575/{size}"}):
        answer = audio.put(url, content=zeros(2048 if "Content-Length" in headers else 1), headers=headers)
        assert (answer.status_code, check_error_answer(answer)["code"]) == (413, "TOO_LARGE")
    assert part_files(audio) == []
