"""The judge over HTTP (extra ``serve``): SandboxFusion's endpoints and ``/judge``.

    admission (token, size, slot) -> FastAPI (parsed request) -> Service -> Judge -> response

It uses the public ``Judge`` only. ``microcoder-eval serve`` imports it, nothing else does.
"""
