"""Odd headers under checksums that are right end in documented errors: a small run of the tool."""

from __future__ import annotations

import odd_headers


def test_certificates() -> None:
    found = odd_headers.try_certificates(400)
    assert found["refused, not verified"] > 200
    assert found["read, verified"] > 10


def test_checkpoints() -> None:
    found = odd_headers.try_checkpoints(300)
    assert found["refused"] > 200
    assert found["resumed"] > 10
