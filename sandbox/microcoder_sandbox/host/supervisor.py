"""The one loop that waits for children: for their output, their servers' messages, their limits."""

from __future__ import annotations

import select
import time
from collections.abc import Sequence

from microcoder_sandbox.errors import Interrupted

from .child import Child, Handler


class Supervisor:
    """Supervises children until all are done or paused. It can run again for paused ones.

    cancel_fds: (descriptor, poll events) that mean "stop": a pidfd that becomes readable, a socket
    that hangs up.

    A subclass may override ``handle_event`` and ``check_limits``.
    """

    def __init__(self, children: Sequence[Child], cancel_fds: Sequence[tuple[int, int]]) -> None:
        self._children = children
        self._poller = select.poll()
        self._handlers: dict[int, Handler] = {}
        for child in children:
            child.set_partners([partner for partner in children if partner is not child])
            for descriptor, handler in child.handlers.items():
                self.watch(descriptor, handler)
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
        """Wait until every child is done or paused. Raises ServerLostError, Interrupted."""
        deadline = min(child.clock.start for child in self._children)
        while pending := [c for c in self._children if not (c.done or c.paused)]:
            now = time.monotonic()
            for child in pending:
                child.exclude_delay(now - deadline)
            timeout = self.check_limits(now, pending)
            deadline = now + timeout
            for descriptor, _event in self._poller.poll(max(1, int(timeout * 1000 + 0.999))):
                self.handle_event(descriptor)

    def check_limits(self, now: float, pending: Sequence[Child]) -> float:
        """Check the limits of the children that are not done. Returns the seconds until the next
        check is due."""
        return min([child.check_limits(now) for child in pending])

    def handle_event(self, descriptor: int) -> None:
        """Handle a descriptor that is ready."""
        handler = self._handlers.get(descriptor)  # None, too, if unwatched since the poll
        if handler is not None:
            if not handler(descriptor):
                self.unwatch(descriptor)
        elif descriptor in self._cancel_fds:
            raise Interrupted("stopped")
