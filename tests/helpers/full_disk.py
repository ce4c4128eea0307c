"""A disk that is full, for files that must be written whole or not at all."""

from __future__ import annotations

import os

import pytest

__all__ = ["fill_disk", "fill_disk_at_third_file"]


def fill_disk_at_third_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the third file that is brought to disk find it full."""
    synced: list[int] = []

    def full_disk(descriptor: int) -> None:
        synced.append(descriptor)
        if len(synced) == 3:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full_disk)


def fill_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every file that is brought to disk from now on find it full."""

    def full_disk(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full_disk)
