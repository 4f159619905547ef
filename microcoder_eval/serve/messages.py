"""What SandboxFusion's clients send and get: names and words are theirs, so that they need not
change (github.com/bytedance/SandboxFusion, its client package 0.3.7, and verl 0.9.1's own client).

Fields they send and we have no use for are ignored; what would change the result is refused.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

LANGUAGES = ("python",)


def _language(name: str) -> str:
    if name not in LANGUAGES:
        known = ", ".join(LANGUAGES)
        raise ValueError(f"language {name[:40]!a} is not run by this server; it runs: {known}")
    return name


def _no_files(files: Any) -> Any:
    if files:
        raise ValueError("files cannot be given to programs, nor fetched from them, on this server")
    return files


def _no_code(text: str | None) -> None:
    if text:
        raise ValueError("code of a request is not run to find the program in an answer")


Seconds = Annotated[float, Field(gt=0, allow_inf_nan=False)]
Language = Annotated[str, AfterValidator(_language)]


class Message(BaseModel):
    """Strict: "6" is no number. Keys not named here are ignored."""

    model_config = ConfigDict(strict=True, extra="ignore", protected_namespaces=())


class RunCodeRequest(Message):
    """A program to run. run_timeout: its CPU seconds; memory_limit_MB: -1 for the default."""

    code: str = Field(examples=["print(input()[::-1])"])
    language: Language = Field(examples=["python"])
    stdin: str | None = Field(None, examples=["hello\n"])
    run_timeout: Seconds = 10.0
    compile_timeout: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 10.0
    memory_limit_mb: Annotated[float, Field(allow_inf_nan=False)] = Field(
        -1, alias="memory_limit_MB"
    )
    files: Annotated[dict[str, Any], AfterValidator(_no_files)] = Field({}, examples=[{}])
    fetch_files: Annotated[list[Any], AfterValidator(_no_files)] = Field([], examples=[[]])


class CommandRunResult(Message):
    """What a process did. memory_mb is ours: its peak above an idle interpreter."""

    status: Literal["Finished", "Error", "TimeLimitExceeded"]
    execution_time: float | None = None
    cpu_time: float | None = None
    memory_mb: float | None = None
    return_code: int | None = None
    stdout: str | None = None
    stderr: str | None = None


class RunCodeResponse(Message):
    """Success: exit code 0. Failed: anything else the program did. SandboxError: our failure."""

    status: Literal["Success", "Failed", "SandboxError"]
    message: str = ""
    compile_result: CommandRunResult | None = None
    run_result: CommandRunResult | None = None
    executor_pod_name: str | None = None
    files: dict[str, str] = {}


Id = int | str


class TestConfig(Message):
    """How to judge. run_timeout: CPU seconds of a test, instead of the problem's own."""

    __test__ = False  # not a pytest class

    language: Language | None = None
    run_timeout: Seconds | None = None
    custom_extract_logic: Annotated[str | None, AfterValidator(_no_code)] = None
    provided_data: list[Any] | dict[str, Any] | None = None


class SubmitRequest(Message):
    """A model's answer to a problem of a dataset, or of config.provided_data."""

    dataset: str
    id: Id
    completion: str
    config: TestConfig


class EvalTestCase(Message):
    """One test. test_info: our own result of it."""

    passed: bool
    exec_info: RunCodeResponse
    test_info: dict[str, Any] | None = None


class EvalResult(Message):
    """The judgement. extra: {"judgement": the line that results.jsonl would have}."""

    id: Id
    accepted: bool
    extracted_code: str
    full_code: str | None = None
    test_code: str | None = None
    tests: list[EvalTestCase]
    extracted_type: Literal["fenced", "incomplete_fenced", "heuristic", "empty"] | None = None
    extra: dict[str, Any] | None = None


class GetPromptsRequest(Message):
    """Which problems of a dataset, in its order."""

    dataset: str
    config: TestConfig = TestConfig()
    offset: Annotated[int, Field(ge=0)] = 0
    limit: Annotated[int, Field(ge=0)] = 1_000_000


class GetPromptByIdRequest(Message):
    """Which problem of a dataset."""

    dataset: str
    config: TestConfig = TestConfig()
    id: Id


class Prompt(Message):
    """A problem's statement. labels: its platform, difficulty and date."""

    id: Id
    prompt: str
    labels: dict[str, Any] = {}
