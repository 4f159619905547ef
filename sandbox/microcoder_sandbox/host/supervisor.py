"""The one loop that waits for children: for their output, their servers' messages, their limits."""

from __future__ import annotations

import select
import time
from collections.abc import Sequence
from typing import Protocol

from microcoder_sandbox.errors import Interrupted

from .child import Child, Handler

# A wake-up this late means that the host or the server was descheduled: do not charge the
# program. Shorter delays are normal on a busy machine.
MIN_DESCHEDULED_SECONDS = 0.5


class Monitor(Protocol):
    """The rules for a run of several children, besides each child's own limits."""

    def handle_end(self, child: Child) -> None:
        """Handle the end of a child."""

    def handle_event(self, supervisor: Supervisor) -> None:
        """Handle an event: something was read or written."""

    def check(self, now: float) -> float:
        """Check the limits of the run as a whole, after those of its children. Returns the
        seconds until the next check is due."""


class Supervisor:
    """Supervises children until all are done or paused. It can run again for paused ones.

    cancel_fds: (descriptor, poll events) that mean "stop": a pidfd that becomes readable, a socket
    that hangs up.
    """

    def __init__(
        self,
        children: Sequence[Child],
        cancel_fds: Sequence[tuple[int, int]] = (),
        monitor: Monitor | None = None,
    ) -> None:
        self._children = children
        self._monitor = monitor
        self._poller = select.poll()
        self._handlers: dict[int, Handler] = {}
        for child in children:
            child.partners = [partner for partner in children if partner is not child]
            child.attach(self)
        self._cancel_fds = {descriptor for descriptor, _events in cancel_fds}
        for descriptor, events in cancel_fds:
            self._poller.register(descriptor, events)

    def watch(self, descriptor: int, handler: Handler, events: int = select.POLLIN) -> None:
        """Call ``handler`` whenever the descriptor is ready, or its other end is closed."""
        self._handlers[descriptor] = handler
        self._poller.register(descriptor, events)

    def unwatch(self, descriptor: int) -> None:
        """Stop waiting for the descriptor, if it is watched."""
        if self._handlers.pop(descriptor, None) is not None:
            self._poller.unregister(descriptor)

    def run(self) -> None:
        """Raise ServerLostError, Interrupted."""
        deadline = min(child.clock.start for child in self._children)
        while pending := [c for c in self._children if not (c.done or c.paused)]:
            now = time.monotonic()
            self.exclude_delay(now - deadline)
            timeout = min([child.check_limits(now) for child in pending])
            if self._monitor is not None:
                timeout = min(timeout, self._monitor.check(now))
            deadline = now + timeout
            for descriptor, _event in self._poller.poll(max(1, int(timeout * 1000 + 0.999))):
                self._handle_event(descriptor)

    def _handle_event(self, descriptor: int) -> None:
        handler = self._handlers.get(descriptor)
        if handler is not None:
            handler(descriptor, self)
            if self._monitor is not None:
                self._monitor.handle_event(self)
        elif descriptor in self._cancel_fds:
            raise Interrupted("stopped")

    def handle_end(self, child: Child) -> None:
        """Handle the end of a child."""
        if self._monitor is not None:
            self._monitor.handle_end(child)

    def exclude_delay(self, seconds: float) -> None:
        """Do not charge any running child for our own or a server's delay, if it was long."""
        if seconds > MIN_DESCHEDULED_SECONDS:
            # All of them: in an interaction one has waited for the other.
            for child in self._children:
                if not (child.done or child.paused):
                    child.clock.exclude_from_elapsed(seconds)


def supervise(
    children: Sequence[Child],
    cancel_fds: Sequence[tuple[int, int]],
    monitor: Monitor | None = None,
) -> None:
    """Supervise children until all are done. Raises ServerLostError, Interrupted."""
    Supervisor(children, cancel_fds, monitor).run()
