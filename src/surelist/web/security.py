"""Access to the page: one user, in one browser, on this machine.

A page on 127.0.0.1 can be reached by every program on the machine and, through the browser, by
every site that its user visits. So each request has to name a host that is ours (a site that has
its own name resolve to 127.0.0.1 is refused), carry the secret that only the opened address had,
and, where it changes anything, come from our own pages.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Awaitable, Callable, MutableMapping
from http.cookies import CookieError, SimpleCookie
from typing import Any

__all__ = ["HEADERS", "Guard"]

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]
Answer = tuple[int, str, list[tuple[bytes, bytes]]]

_MOST_JSON = 4_000_000

# An empty style element, to which the chart library adds its rules by script; nothing else inline.
_EMPTY = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"

_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        f"style-src 'self' {_EMPTY}",
        "img-src 'self' data: blob:",
        "font-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)

HEADERS = {
    "content-security-policy": _POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cache-control": "no-store",
}

_ENTER = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Surelist</title>
<meta http-equiv="refresh" content="0; url=/"><p><a href="/">Go on to Surelist</a></p></html>"""
_CLOSED = """<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="/static/style.css"><title>Surelist: not open here</title>
<main class="closed"><h1>This page is not open in this browser</h1>
<p>Open the address that <code>surelist serve</code> printed in the terminal: it carries a
secret that lets your browser in.</p></main></html>"""


class Guard:
    """Middleware that passes requests of the user to the application, and refuses all others.

    Parameters
    ----------
    app
        The application behind it.
    token : str
        The secret in the opened address; also accepted as a bearer token, for programs.
    hosts : set of str
        ``host:port`` under which the page may be addressed.
    port : int
        Part of the cookie's name, since cookies do not keep ports apart.
    entered : callable
        Called when a browser has opened the address with the secret.
    """

    def __init__(
        self,
        app: App,
        token: str,
        hosts: set[str],
        port: int,
        entered: Callable[[], object] = lambda: None,
    ) -> None:
        self._app = app
        self._token = token
        self._session = secrets.token_urlsafe(32)
        self._hosts = hosts
        self._entered = entered
        self._origins = {f"http://{host}" for host in hosts}
        self.cookie = f"surelist_{port}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return  # there are no web sockets here

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = {name.lower() for name, _ in message["headers"]}
                message["headers"] = [
                    *message["headers"],
                    *(
                        (n.encode(), v.encode())
                        for n, v in HEADERS.items()
                        if n.encode() not in given
                    ),
                ]
            await send(message)

        refused = self._refusal(scope)
        if refused is not None:
            await _answer(with_headers, *refused)
            return
        await self._app(scope, receive, with_headers)

    def _refusal(self, scope: Scope) -> Answer | None:
        """Return the answer to a request that goes no further; None where it does."""
        headers = {
            name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]
        }
        if headers.get("host", "") not in self._hosts:
            return 421, _error("this address is not ours"), _JSON
        origin = headers.get("origin")
        if origin is not None and origin not in self._origins:
            return 403, _error("this request comes from another site"), _JSON
        site = headers.get("sec-fetch-site", "none")
        changes = scope["method"] not in ("GET", "HEAD", "OPTIONS")
        if changes and site not in ("same-origin", "none"):
            return 403, _error("this request comes from another site"), _JSON
        path = scope["path"]
        if path == "/" and (entered := self._enter(scope)) is not None:
            return entered
        if path.startswith("/static/") and not changes:
            return None
        bearer = headers.get("authorization", "").removeprefix("Bearer ")
        if hmac.compare_digest(bearer.encode(), self._token.encode()):
            return _too_long(headers) if changes and path != "/api/uploads" else None
        if not hmac.compare_digest(self._cookie_of(headers).encode(), self._session.encode()):
            if path.startswith("/api/"):
                return 401, _error("open the address that surelist serve printed"), _JSON
            return 401, _CLOSED, _HTML
        if changes and path != "/api/uploads" and (why := _too_long(headers)) is not None:
            return why
        if changes and origin is None:
            # Browsers always send it; only a program with the bearer token need not.
            return 403, _error("this request does not say where it comes from"), _JSON
        return None

    def _enter(self, scope: Scope) -> Answer | None:
        """Exchange the secret in an address for a cookie that scripts cannot read."""
        query = scope["query_string"].decode("latin-1")
        given = next((part[6:] for part in query.split("&") if part.startswith("token=")), None)
        if given is None:
            return None
        if not hmac.compare_digest(given.encode(), self._token.encode()):
            return 401, _CLOSED, _HTML
        self._entered()
        # A page that goes on by itself, not a redirect: a redirect from another site's link would
        # not carry a strict cookie.
        cookie = f"{self.cookie}={self._session}; Path=/; HttpOnly; SameSite=Strict"
        return 200, _ENTER, [*_HTML, (b"set-cookie", cookie.encode())]

    def _cookie_of(self, headers: dict[str, str]) -> str:
        try:
            found = SimpleCookie(headers.get("cookie", "")).get(self.cookie)
        except CookieError:
            return ""
        return "" if found is None else found.value


_JSON = [(b"content-type", b"application/json")]
_HTML = [(b"content-type", b"text/html; charset=utf-8")]


def _too_long(headers: dict[str, str]) -> Answer | None:
    """Refuse a body that is too large or does not say how large; uploads are counted elsewhere."""
    length = headers.get("content-length", "0")
    if "transfer-encoding" in headers or not length.isdecimal():
        return 411, _error("the request does not say how long it is"), _JSON
    if int(length) > _MOST_JSON:
        return 413, _error("the request is too large"), _JSON
    return None


def _error(text: str) -> str:
    return f'{{"error": "{text}"}}'


async def _answer(send: Send, status: int, body: str, headers: list[tuple[bytes, bytes]]) -> None:
    data = body.encode()
    length = (b"content-length", str(len(data)).encode())
    await send({"type": "http.response.start", "status": status, "headers": [*headers, length]})
    await send({"type": "http.response.body", "body": data})
