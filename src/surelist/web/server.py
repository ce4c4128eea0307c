"""The server: listens on an address with a secret until Ctrl-C."""

from __future__ import annotations

import ipaddress
import os
import secrets
import socket
from collections.abc import Callable
from pathlib import Path

import uvicorn

from surelist.errors import InputError, Message
from surelist.web.app import guarded_app
from surelist.web.browser_link import BrowserLink
from surelist.web.folder import claimed
from surelist.web.limits import Limits

__all__ = ["Address", "BrowserLink", "default_folder", "open_socket", "serve"]


class Address:
    """Where the page is, and the secret that opens it."""

    def __init__(self, host: str, port: int) -> None:
        self.host = host
        self.port = port
        self.token = secrets.token_urlsafe(24)
        # Called when a browser has opened the address with the secret.
        self.entered: Callable[[], object] = lambda: None

    @property
    def url(self) -> str:
        """The address to open."""
        return f"http://{_in_url(self.host)}:{self.port}/?token={self.token}"

    @property
    def hosts(self) -> set[str]:
        """The values of the Host header that requests may have."""
        names = {self.host}
        if self.is_local:
            names |= {"127.0.0.1", "localhost", "::1"}
        hosts = {f"{_in_url(name)}:{self.port}" for name in names}
        # Browsers leave the usual port out.
        return hosts | {_in_url(name) for name in names} if self.port == 80 else hosts

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach the page."""
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def default_folder() -> Path:
    """Return the folder where runs are kept by default."""
    base = os.environ.get("XDG_DATA_HOME")
    return (Path(base) if base else Path.home() / ".local" / "share") / "surelist"


def open_socket(host: str, port: int) -> socket.socket:
    """Open the socket to listen on; port 0 is any that is free.

    Raises
    ------
    InputError
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except (OSError, OverflowError) as error:
        listening.close()
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(Message("port_unusable", host=host, port=port, reason=reason)) from None
    return listening


def serve(
    listening: socket.socket,
    address: Address,
    folder: Path,
    limits: Limits,
    ready: Callable[[], object] = lambda: None,
) -> None:
    """Serve the page until the process is told to end; calls ``ready`` once it answers."""
    before = os.umask(0o077)  # files of the page and its processes are readable by their owner only
    try:
        with claimed(folder):
            _serve(listening, address, folder, limits, ready)
    finally:
        os.umask(before)


def _serve(
    listening: socket.socket,
    address: Address,
    folder: Path,
    limits: Limits,
    ready: Callable[[], object],
) -> None:
    app = guarded_app(
        folder, limits, address.token, address.hosts, address.port, lambda: address.entered()
    )
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        date_header=False,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=3,
        ws="none",
        h11_max_incomplete_event_size=64 * 1024,
    )
    _Server(config, ready).run(sockets=[listening])


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, ready: Callable[[], object]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready()
