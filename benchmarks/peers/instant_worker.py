"""A worker that judges nothing: it answers each request at once, so that only the caller works."""

from __future__ import annotations

import socket
import sys

from microcoder_eval.records import TestResult, Verdict
from microcoder_eval.worker import channel
from microcoder_eval.worker.messages import (
    SolutionReply,
    SolutionRequest,
    WorkerReady,
    decode,
    encode,
)

RESULTS = (TestResult(Verdict.AC, 0.001, 0.001, 0.5, "exact"),) * 10


def main() -> None:
    """Answer until the caller closes the socket, whose descriptor argv holds."""
    connection = socket.socket(fileno=int(sys.argv[1]))
    reader = channel.FrameReader(connection)
    reply = encode(SolutionReply(4, RESULTS, (), "0" * 64, False, 10, "Python 3.11"))
    try:
        reader.receive()
        channel.send(connection, encode(WorkerReady(4, {})))
        while True:
            if isinstance(decode(reader.receive()), SolutionRequest):
                channel.send(connection, reply)
    except channel.PeerGoneError:
        pass
