"""The judge over HTTP (extra ``serve``): SandboxFusion's endpoints and ``/judge``.

    border (token, size, turn) -> FastAPI (what was asked) -> Service -> Judge -> answer

Built on the public ``Judge``; nothing of it is imported before ``microcoder-eval serve`` asks.
"""
