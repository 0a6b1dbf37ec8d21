"""Blobs in a bucket work as in a folder, and an unreachable bucket is reported within seconds."""

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine, Iterator
from typing import Any

import pytest
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from consort_kit.errors import NotFound, ServiceDown
from consort_kit.settings import Settings
from consort_kit.storage.blobs import ANSWER_S, Blobs
from evaluation.processes.servers import free_port
from tests.support.servers.storage_servers import ExternalS3


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, 60))


@pytest.fixture(scope="module")
def s3() -> Iterator[ExternalS3]:
    with ExternalS3() as running:
        yield running


@pytest.fixture
def bucket(s3: ExternalS3, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Return settings for the bucket, and set the environment for it."""
    for name, value in s3.environment.items():
        monkeypatch.setenv(name, value)
    return settings.model_copy(update={"blob_url": s3.url})


async def assert_unavailable(blobs: Blobs, reason: str) -> None:
    """Check that every operation reports the reason within seconds, without an address or a key."""
    for use in (blobs.put("midi/a", b"x"), blobs.get("midi/a"), blobs.delete("midi/a"), blobs.check()):
        began = time.monotonic()
        with pytest.raises(ServiceDown, match=reason) as caught:
            await use
        assert time.monotonic() - began < ANSWER_S + 1
        assert "127.0.0.1" not in caught.value.body.message and "midi/a" not in caught.value.body.message


def test_put_get_delete(bucket: Settings, s3: ExternalS3) -> None:
    async def work() -> None:
        blobs = Blobs(bucket)
        await blobs.check()
        for content in (b"", b"MThd\x00\xff", bytes(12_000_000)):
            await blobs.put("midi/a/b.mid", content)
            assert await blobs.get("midi/a/b.mid") == content == s3.read("midi/a/b.mid")
        await blobs.delete("midi/a/b.mid")
        await blobs.delete("midi/a/b.mid")
        with pytest.raises(NotFound, match=r"midi/a/b\.mid"):
            await blobs.get("midi/a/b.mid")

    run(work())
    assert s3.all_keys() == set()


def test_many_at_once(bucket: Settings, s3: ExternalS3) -> None:
    contents = {f"midi/{number}": bytes([number]) * 100_000 for number in range(50)}

    async def work() -> None:
        blobs = Blobs(bucket)
        await asyncio.gather(*(blobs.put(key, content) for key, content in contents.items()))
        for key, content in contents.items():
            assert await blobs.get(key) == content
        assert s3.all_keys() == set(contents)
        await asyncio.gather(*(blobs.delete(key) for key in contents))

    run(work())


def test_a_bucket_that_does_not_answer(bucket: Settings, s3: ExternalS3, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("consort_kit.storage.blobs.ANSWER_S", 0.5)
    with s3.silent():
        run(assert_unavailable(Blobs(bucket), "the bucket does not answer"))


def test_nothing_listens_at_the_endpoint(
    bucket: Settings, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{free_port()}")
    with caplog.at_level(logging.WARNING):
        run(assert_unavailable(Blobs(bucket), "the bucket does not answer"))
    assert "midi/a could not be stored: GenericError" in caplog.text
    assert "canary" not in caplog.text


def test_a_missing_bucket(bucket: Settings) -> None:
    async def work() -> None:
        blobs = Blobs(bucket.model_copy(update={"blob_url": "s3://other-bucket/x"}))
        for use in (blobs.put("midi/a", b"x"), blobs.get("midi/a"), blobs.check()):
            with pytest.raises(ServiceDown, match="the bucket is missing"):
                await use

    run(work())


def test_access_keys_that_are_rejected(
    bucket: Settings, serve: Callable[[ASGIApp], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def deny(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await Response("<Error><Code>InvalidAccessKeyId</Code></Error>", status_code=403)(scope, receive, send)

    monkeypatch.setenv("AWS_ENDPOINT_URL", serve(deny))
    run(assert_unavailable(Blobs(bucket), "access is denied"))


@pytest.mark.parametrize("url", ["gs://bucket/x", "https://bucket.s3.amazonaws.com/x", "memory://"])
def test_other_kinds_of_urls_are_rejected(settings: Settings, url: str) -> None:
    with pytest.raises(RuntimeError, match="CONSORT_BLOB_URL must be a folder or s3://bucket/prefix"):
        Blobs(settings.model_copy(update={"blob_url": url}))
