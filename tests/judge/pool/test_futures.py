"""Every future resolves, whatever its caller does, and nobody waits for ever."""

from __future__ import annotations

import asyncio
import gc
import random
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future, wait
from contextlib import suppress
from types import FrameType

import psutil
import pytest

from microcoder_eval import Judge, JudgeError, Judgement
from tests.files import read_table
from tests.judge.conftest import Script
from tests.processes import wait_until

SCRIPTS = read_table(__file__)
TESTS = [{"input": "3\n", "output": "9\n"}]
RIGHT = "print(int(input()) ** 2)"
SLOW = f"import time; time.sleep(0.5); {RIGHT}"
ENDLESS = "while True: pass"
PRELUDE = f"TESTS, SLOW = {TESTS!r}, {SLOW!r}\n"
BOUND = 30.0  # seconds, for what takes one on an idle machine

pytestmark = pytest.mark.slow


def resolve(future: Future[Judgement]) -> object:
    """What it resolves to; fails after BOUND."""
    try:
        return future.result(timeout=BOUND)
    except TimeoutError:
        pytest.fail("a future does not resolve")
    except (JudgeError, CancelledError) as error:
        return error


def passes(future: Future[Judgement]) -> bool:
    judgement = resolve(future)
    return isinstance(judgement, Judgement) and judgement.passed


def start_threads(count: int, work: Callable[[], object]) -> list[threading.Thread]:
    threads = [threading.Thread(target=work, daemon=True) for _ in range(count)]
    for thread in threads:
        thread.start()
    return threads


def all_end(threads: list[threading.Thread]) -> bool:
    """Whether all end; to be asked once."""
    deadline = time.monotonic() + BOUND
    for thread in threads:
        thread.join(max(0.0, deadline - time.monotonic()))
    return not any(thread.is_alive() for thread in threads)


@pytest.mark.parametrize("reuse", [False, True])
def test_what_was_submitted_before_another_thread_closes_is_judged(reuse: bool) -> None:
    judge = Judge(workers=2, max_pending=4, reuse=reuse)
    futures: list[Future[Judgement]] = []

    def submit() -> None:
        with suppress(JudgeError):
            while True:
                futures.append(judge.submit(SLOW, TESTS))

    threads = start_threads(6, submit)
    assert wait_until(lambda: len(futures) > 4)
    judge.close()
    assert all_end(threads)
    results = [resolve(future) for future in futures]
    assert all(isinstance(one, Judgement) and one.passed for one in results)


def test_what_close_cancels_is_over_for_those_who_wait_for_it() -> None:
    judge = Judge(workers=1, reuse=False)
    futures = [judge.submit(ENDLESS, TESTS) for _ in range(5)]
    done: set[Future[Judgement]] = set()
    threads = start_threads(1, lambda: done.update(wait(futures, timeout=BOUND).done))
    assert wait_until(lambda: judge.stats().busy_workers == 1)
    judge.close(cancel=True)
    assert all_end(threads)
    assert len(done) == 5


@pytest.mark.parametrize("way", ["map", "stream", "judge"])
def test_closing_under_a_caller_that_waits_is_an_error_there(way: str) -> None:
    judge = Judge(workers=1, reuse=False)
    errors: list[BaseException] = []

    def use() -> None:
        try:
            if way == "judge":
                error = judge.judge(ENDLESS, TESTS).error
                assert error is not None
                raise JudgeError(error)
            for _ in getattr(judge, way)((ENDLESS, TESTS) for _ in range(100)):
                pass
        except BaseException as error:
            errors.append(error)

    threads = start_threads(1, use)
    assert wait_until(lambda: judge.stats().busy_workers == 1)
    judge.close(cancel=True)
    assert all_end(threads)
    assert [type(error) for error in errors] == [JudgeError]


def test_closing_under_ajudge_is_an_error_and_no_cancellation() -> None:
    async def use(judge: Judge) -> list[object]:
        judgements = [judge.ajudge(f"{ENDLESS} #{n % 3}", TESTS) for n in range(9)]
        threading.Timer(0.5, judge.close, [True]).start()
        return await asyncio.gather(*judgements, return_exceptions=True)

    judge = Judge(workers=1, max_pending=2)
    results = asyncio.run(asyncio.wait_for(use(judge), BOUND))
    assert len(results) == 9
    for one in results:
        assert isinstance(one, JudgeError) or (isinstance(one, Judgement) and one.verdict == "JE")


def test_a_cancelled_ajudge_leaves_those_that_follow_it() -> None:
    async def use(judge: Judge) -> bool:
        busy = asyncio.create_task(judge.ajudge(SLOW, TESTS))
        await asyncio.sleep(0.05)
        first, second = (asyncio.create_task(judge.ajudge(RIGHT, TESTS)) for _ in range(2))
        await asyncio.sleep(0.05)
        first.cancel()
        with pytest.raises(asyncio.CancelledError):
            await first
        return (await second).passed and (await busy).passed

    with Judge(workers=1, max_pending=1) as judge:
        assert asyncio.run(asyncio.wait_for(use(judge), BOUND))


class InterruptError(Exception):
    """What the alarm of this process raises."""


@pytest.fixture
def alarm() -> Iterator[Callable[[float], None]]:
    """alarm(seconds): raise InterruptError in the main thread after that time."""

    def ring(_number: int, _frame: FrameType | None) -> None:
        raise InterruptError

    before = signal.signal(signal.SIGALRM, ring)
    yield lambda seconds: signal.setitimer(signal.ITIMER_REAL, seconds) and None
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


def test_an_exception_in_a_blocked_submit_orphans_no_equal_program(
    alarm: Callable[[float], None],
) -> None:
    with Judge(workers=1, max_pending=1) as judge:
        busy = judge.submit(SLOW, TESTS)
        followers: list[Future[Judgement]] = []
        threading.Timer(0.1, lambda: followers.append(judge.submit(RIGHT, TESTS))).start()
        alarm(0.25)
        with pytest.raises(InterruptError):
            judge.submit(RIGHT, TESTS)
        assert [passes(future) for future in (busy, *followers)] == [True, True]
        assert judge.judge(RIGHT, TESTS).passed


# Not in CI: the standard library's Future has conditions of its own, whose ``with`` an interrupt
# can leave locked, once in many thousands.
@pytest.mark.long
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # in a finalizer
def test_exceptions_at_any_moment_of_submit_lose_no_slot_and_no_equal_program(
    alarm: Callable[[float], None],
) -> None:
    gc.collect()  # or the alarm interrupts the end of another test's judge
    dice = random.Random(7)
    with Judge(workers=2, max_pending=3) as judge:
        futures: list[Future[Judgement]] = []
        deadline = time.monotonic() + 8
        number = interrupted = 0
        while time.monotonic() < deadline:
            number += 1
            try:
                alarm(dice.expovariate(1 / 0.002) + 1e-6)
                for _ in range(4):
                    futures.append(judge.submit(f"{RIGHT} #{number}", TESTS))
                alarm(0)
            except (InterruptError, RuntimeError):  # the latter in Condition.wait
                interrupted += 1
                # Follows the one that was interrupted, if that is still known.
                futures.append(judge.submit(f"{RIGHT} #{number}", TESTS))
        assert interrupted > 10
        for future in futures:
            resolve(future)
        fillers = [judge.submit(f"{RIGHT} #x{n}", TESTS) for n in range(6)]
        assert all(passes(future) for future in fillers)
        assert not judge._pool._admission._tasks


def test_exceptions_of_callbacks_harm_no_other_future() -> None:
    def fail_with(error: type[BaseException]) -> Callable[[object], None]:
        def fail(_: object) -> None:
            raise error

        return fail

    with Judge(workers=1) as judge:
        judge.submit(SLOW, TESTS)
        futures = [judge.submit(RIGHT, TESTS) for _ in range(6)]
        errors = (SystemExit, KeyboardInterrupt, GeneratorExit, ValueError)
        for future, error in zip(futures, errors, strict=False):
            future.add_done_callback(fail_with(error))
        futures[1].add_done_callback(lambda _: None)
        assert all(passes(future) for future in futures)
        assert judge.judge(f"{RIGHT} #", TESTS).passed


def test_exceptions_of_callbacks_harm_no_other_future_that_close_cancels() -> None:
    def fail(_: object) -> None:
        raise SystemExit

    judge = Judge(workers=1)
    futures = [judge.submit(f"{ENDLESS} #{n % 4}", TESTS) for n in range(12)]
    for future in futures[::2]:
        future.add_done_callback(fail)
    judge.close(cancel=True)
    for future in futures:
        resolve(future)


@pytest.mark.parametrize("cancel", [False, True])
def test_callbacks_may_close_the_judge(cancel: bool) -> None:
    judge = Judge(workers=2)
    futures = [judge.submit(f"{SLOW} #{n}", TESTS) for n in range(8)]
    for future in futures:
        future.add_done_callback(lambda _: judge.close(cancel))
    for future in futures:
        resolve(future)
    judge.close()
    assert all_end(judge._pool._threads)  # type: ignore[attr-defined]


def test_callbacks_may_submit_though_there_is_no_room() -> None:
    with Judge(workers=2, max_pending=2, reuse=False) as judge:
        more: list[Future[Judgement]] = []
        futures: list[Future[Judgement]] = []

        def submit() -> None:
            for _ in range(5):
                futures.append(judge.submit(RIGHT, TESTS))
                futures[-1].add_done_callback(
                    lambda _: more.extend(judge.submit(RIGHT, TESTS) for _ in range(3))
                )

        assert all_end(start_threads(4, submit))
        assert all(passes(future) for future in futures)
        assert wait_until(lambda: len(more) == 60)
        assert all(passes(future) for future in more)


def test_a_callback_that_would_wait_for_itself_is_told_so() -> None:
    errors: list[JudgeError] = []
    judge = Judge(workers=1, reuse=False)
    ways_to_wait = (
        lambda: judge.judge(RIGHT, TESTS),
        lambda: list(judge.map([(RIGHT, TESTS)])),
        lambda: judge.run("print(1)"),
        lambda: asyncio.run(judge.ajudge(RIGHT, TESTS)),
    )

    def wait_for_itself(_: object) -> None:
        for wait_for_a_judgement in ways_to_wait:
            with pytest.raises(JudgeError, match="would wait for itself here; use submit") as info:
                wait_for_a_judgement()
            errors.append(info.value)

    with judge:
        future = judge.submit(SLOW, TESTS)
        future.add_done_callback(wait_for_itself)
        assert passes(future)
        assert judge.judge(RIGHT, TESTS).passed
        assert len(errors) == len(ways_to_wait)


def test_a_judge_that_nobody_holds_ends_its_workers() -> None:
    judge = Judge(workers=2, reuse=False)
    future = judge.submit(SLOW, TESTS)
    processes = psutil.Process().children()
    pool = judge._pool
    del judge
    assert passes(future)
    del future
    gc.collect()
    assert all_end(pool._threads)  # type: ignore[attr-defined]
    assert not pool._links  # type: ignore[attr-defined]
    assert sum(process.is_running() for process in processes) < len(processes)


def test_in_a_fork_the_parents_futures_fail_at_once(script: Script) -> None:
    output = script(PRELUDE + SCRIPTS["a fork of the caller"])
    assert output == [0, [True] * 4]


@pytest.mark.parametrize(
    "end", ["pass", "raise SystemExit", "import threading; threading.Thread(target=look).start()"]
)
def test_an_interpreter_with_pending_futures_ends(script: Script, end: str) -> None:
    output = script(f"{PRELUDE}END = {end!r}\n{SCRIPTS['an end with pending futures']}")
    assert output in ("ended", [True])


@pytest.mark.parametrize("seed", range(2))
def test_callers_who_do_everything_at_once(seed: int) -> None:
    """Equal and other programs, cancelled, followed, by loops and threads; then closed."""
    judge = Judge(workers=2, max_pending=5)
    futures: list[Future[Judgement]] = []
    programs = [RIGHT, f"{RIGHT} #", ENDLESS[:5] + " x", "1 / 0", SLOW]

    def work(dice: random.Random) -> None:
        while True:
            try:
                future = judge.submit(dice.choice(programs) + f" #{dice.randrange(9)}", TESTS)
            except JudgeError:
                return
            futures.append(future)
            if dice.random() < 0.3:
                future.cancel()
            if dice.random() < 0.2:
                future.add_done_callback(lambda _: 1 / 0)

    threads = [
        thread
        for number in range(6)
        for thread in start_threads(1, lambda n=number: work(random.Random(f"{seed} {n}")))  # type: ignore[misc]
    ]
    time.sleep(2.5)
    closers = start_threads(2, lambda: judge.close(cancel=seed > 0))
    assert all_end([*threads, *closers])
    assert len(wait(futures, timeout=BOUND).not_done) == 0
