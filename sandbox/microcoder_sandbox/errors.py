"""What the host side of the sandbox raises."""

from __future__ import annotations


class SandboxError(Exception):
    """The sandbox itself failed. No judged program is known to cause it."""


class SandboxUnavailableError(SandboxError):
    """The sandbox does not work here at the requested level; the message says what is missing."""


class ServerStartError(SandboxUnavailableError):
    """Several attempts to start a fork server failed. Another process may still succeed."""


class ServerLostError(SandboxError):
    """A fork server died or stopped answering. The run can be repeated on a new one."""


class Interrupted(SandboxError):  # noqa: N818 - an order, not an error
    """The caller has gone away; no result is needed."""
