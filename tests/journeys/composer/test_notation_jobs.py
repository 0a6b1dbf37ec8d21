"""Long sheet music is a job of compose-svc, which get_job, a tool of audio-svc, reports through the gateway."""

from tests.support.servers.studio import Studio

PAGES = 100
NOTES = "C4:q D4:e E4:e F4:q G4:q " * 2 * PAGES


def test_a_hundred_pages_are_a_job_with_progress(studio: Studio) -> None:
    ticket = studio.call("midi_to_notation", music=NOTES, page_size="a5", zoom=2.5, wait_s=0, bars_as_text="none")
    assert ticket["job_id"].startswith("printjob_") and ticket["status"] in ("queued", "running")
    seen, report = [0.0], ticket
    while report["status"] in ("queued", "running"):
        report = studio.call("get_job", job_id=ticket["job_id"], wait_s=0.2)
        seen.append(report["progress"])
    assert report["status"] == "succeeded" and seen == sorted(seen) and seen[-1] == 1
    assert report["result"]["page_count"] >= PAGES and report["result"]["bar_count"] == 2 * PAGES
    assert len(report["result"]["page_urls"]) == 30


def test_an_unknown_job_of_compose_is_not_found(studio: Studio) -> None:
    error = studio.failed_call("get_job", job_id=f"printjob_{'0' * 26}")
    assert error["code"] == "NOT_FOUND" and "printjob_" in error["message"]
