"""The messages of SandboxFusion's clients, with their names and values.

Source: github.com/bytedance/SandboxFusion, its client package 0.3.7, and verl 0.9.1's own client.
Fields that do not matter here are ignored; fields that would change the result are refused.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from microcoder_eval.languages import LANGUAGE_NAMES, find_language
from microcoder_eval.records import HIGHEST_LIMIT


def _resolve_language(name: str) -> str:
    """Return our name of a language. Raises ValueError that lists them."""
    language = find_language(name)
    if language is None:
        languages = ", ".join(LANGUAGE_NAMES)
        raise ValueError(f"language {name[:40]!a} is not run by this server; it runs: {languages}")
    return language.name


def _refuse_files(files: Any) -> Any:
    if files:
        raise ValueError("files cannot be given to programs or fetched from them on this server")
    return files


def _refuse_code(text: str | None) -> None:
    if text:
        raise ValueError("code of a request is not run to extract a program")


Seconds = Annotated[float, Field(gt=0, le=HIGHEST_LIMIT, allow_inf_nan=False)]
Language = Annotated[str, AfterValidator(_resolve_language)]


class Message(BaseModel):
    """A strict model ("6" is not a number) that ignores unknown keys."""

    model_config = ConfigDict(strict=True, extra="ignore", protected_namespaces=())


class RunCodeRequest(Message):
    """A program to run. run_timeout: its CPU seconds; memory_limit_MB: -1 for the default."""

    code: str = Field(examples=["print(input()[::-1])"])
    language: Language = Field(examples=["python"])
    stdin: str | None = Field(None, examples=["hello\n"])
    run_timeout: Seconds = 10.0
    compile_timeout: Annotated[float, Field(ge=0, le=HIGHEST_LIMIT, allow_inf_nan=False)] = 10.0
    memory_limit_mb: Annotated[float, Field(le=HIGHEST_LIMIT, allow_inf_nan=False)] = Field(
        -1, alias="memory_limit_MB"
    )
    files: Annotated[dict[str, Any], AfterValidator(_refuse_files)] = Field({}, examples=[{}])
    fetch_files: Annotated[list[Any], AfterValidator(_refuse_files)] = Field([], examples=[[]])


class CommandRunResult(Message):
    """What a process did. memory_mb, our addition: its peak above an idle interpreter."""

    status: Literal["Finished", "Error", "TimeLimitExceeded"]
    execution_time: float | None = None
    cpu_time: float | None = None
    memory_mb: float | None = None
    return_code: int | None = None
    stdout: str | None = None
    stderr: str | None = None


class RunCodeResponse(Message):
    """The result. Success: exit code 0; Failed: any other end; SandboxError: the judge failed."""

    status: Literal["Success", "Failed", "SandboxError"]
    message: str = ""
    compile_result: CommandRunResult | None = None
    run_result: CommandRunResult | None = None
    executor_pod_name: str | None = None
    files: dict[str, str] = {}


Id = int | str


class TestConfig(Message):
    """How to judge. run_timeout: CPU seconds of a test; overrides the problem's limit."""

    language: Language | None = None
    run_timeout: Seconds | None = None
    custom_extract_logic: Annotated[str | None, AfterValidator(_refuse_code)] = None
    provided_data: list[Any] | dict[str, Any] | None = None


class SubmitRequest(Message):
    """A model's answer to a problem of a dataset, or of config.provided_data."""

    dataset: str
    id: Id
    completion: str
    config: TestConfig


class GetPromptsRequest(Message):
    """Asks for ``limit`` problems of a dataset from ``offset`` on."""

    dataset: str
    config: TestConfig = TestConfig()
    offset: Annotated[int, Field(ge=0)] = 0
    limit: Annotated[int, Field(ge=0)] = 1_000_000


class GetPromptByIdRequest(Message):
    """Asks for one problem of a dataset."""

    dataset: str
    config: TestConfig = TestConfig()
    id: Id
