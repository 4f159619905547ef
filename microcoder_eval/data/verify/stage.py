"""The last stage: the judge itself runs right and wrong programs, and tests are chosen by what
they kill."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from microcoder_eval.api import Judge
from microcoder_eval.audit import Program
from microcoder_eval.data.inputs import file_sha256
from microcoder_eval.data.process.complete import filled
from microcoder_eval.data.process.stage import settings_of
from microcoder_eval.data.reading import read_row, with_findings
from microcoder_eval.data.reasons import Found, Policy
from microcoder_eval.data.recipe import Verify
from microcoder_eval.data.rows import Row, kind_of, problem_of, tests_of
from microcoder_eval.data.stage import Drop, Engine, Given, Page, Plain
from microcoder_eval.errors import DataError, JudgeError
from microcoder_eval.languages import find_language
from microcoder_eval.records import Kind, Problem, Solution
from microcoder_eval.suspicion import equal_inputs
from microcoder_sandbox import codec
from microcoder_sandbox.toolchain import find_toolchain, how_to_install

from .classes import alone, classes_of, input_text, output_text
from .doubts import careless, hard_coded
from .generate import answers
from .kills import Kills, killers, probe, spread, tried
from .mutants import mutants
from .programs import Shelf
from .reduction import budget_of, chosen
from .references import Checked, check, examples_hold
from .runner import Runner, UnjudgeableProblemError, with_room, with_time_to_count
from .steps import by_chance, counted

_QUICK_BYTES = 16 << 10  # of a test that mutants are run on: larger ones take them too long


@dataclass(slots=True)
class VerifyStage(Plain):
    """Judges. Work is done in threads that wait for a judge's workers."""

    recipe: Verify
    seed: int = 0
    solutions: str | None = None
    labels: str | None = None
    name: str = "verify"
    engine: Engine = Engine.THREADS
    _judge: Judge | None = field(init=False, default=None)
    _shelf: Shelf = field(init=False)

    def __post_init__(self) -> None:
        """Takes programs of the recipe's languages alone."""
        self._shelf = Shelf(self.recipe.languages)

    def settings(self) -> Mapping[str, Any]:
        """See Stage."""
        files = {
            name: None if path is None else file_sha256(Path(path))
            for name, path in (("solutions", self.solutions), ("labels", self.labels))
        }
        return {**settings_of(self.recipe), **files}

    def open(self, workers: int) -> None:
        """Start the judge and read the programs. Raises MicrocoderError, also where this machine
        has no toolchain for a language of the recipe."""
        for language in map(find_language, self.recipe.languages):
            if language and language.compiled and find_toolchain(language.toolchain) is None:
                told = f"[verify] languages names {language.name}, which cannot be compiled here"
                raise DataError(f"{told}; {how_to_install(language.toolchain)}")
        if self.solutions is not None:
            self._shelf.read(self.solutions, self.labels)
        self._judge = Judge(
            workers=workers,
            compare=self.recipe.compare,
            min_level=self.recipe.min_level,
            time_scale=self.recipe.time_scale,
        )

    def close(self, cancel: bool) -> None:
        """End the judge."""
        if self._judge is not None:
            self._judge.close(cancel)

    def facts(self) -> Mapping[str, Any]:
        """See Stage."""
        return {"programs_left_out": dict(sorted(self._shelf.left_out.items()))}

    def work(self, given: Given) -> Page:
        """Verify one problem."""
        row = read_row(given)
        policy = Policy(
            frozenset(self.recipe.keep) | ({"weak"} if self.recipe.keep_weak else set()),
            frozenset(self.recipe.drop)
            | ({"no_reference"} if self.recipe.require_reference else set()),
        )
        assert self._judge is not None
        visit = Visit(Runner(self._judge), self._shelf, self.recipe, self.seed, policy)
        try:
            return visit.of(row)
        except UnjudgeableProblemError as error:
            return Page(row, Drop("unjudgeable", str(error)[:300]))
        except JudgeError as error:
            return Page(row, Drop("judge_failed", str(error)[:300]))


@dataclass(slots=True)
class Visit:
    """The way of one problem through the stage."""

    runner: Runner
    shelf: Shelf
    recipe: Verify
    seed: int
    policy: Policy

    def of(self, row: Row) -> Page:
        """Outputs, references, examples, wrong programs, choice of tests. Raises DataError,
        UnjudgeableProblemError, JudgeError."""
        right, wrong, unusable = self.shelf.of(problem_of(filled(row)))
        right, wrong = right[: self.recipe.references], wrong[: self.recipe.wrong]
        before, (row, found) = row, self._with_outputs(row, right)
        if (drop := self.policy.gravest(found)) is not None:
            return Page(before, drop)
        problem = problem_of(row)
        checked = check(self.runner, problem, right, self.recipe) if right else Checked()
        found += checked.found
        if not right:
            found.append(Found("no_reference" if self.recipe.require_reference else "unverified",
                               "no program is known to be right"))  # fmt: skip
        elif (example := examples_hold(self.runner, row, problem, checked.passing)) is not None:
            found.append(example)
        found += [
            one for one in (hard_coded(problem, right), careless(self.runner, problem)) if one
        ]
        if right and all(by_chance(program.solution.code or "") for program in right):
            found.append(Found("random_reference", f"{right[0].name} and all other right ones"))
        if unusable:
            found.append(Found("unusable_programs", f"{unusable} of its own"))
        if (drop := self.policy.gravest(found)) is not None:
            return Page(before, drop, timing=checked.timing)
        row, more = self._with_fewer_tests(row, problem, checked, wrong)
        found += more
        if unusable and "verified" in row:
            row["verified"]["programs_not_usable"] = unusable
        if (drop := self.policy.gravest(found)) is not None:
            return Page(before, drop, timing=checked.timing)
        return Page(with_findings(row, found), timing=checked.timing)

    def _with_outputs(self, row: Row, right: list[Program]) -> tuple[Row, list[Found]]:
        """The row with every output, from right programs where it had none."""
        tests = tests_of(row)
        missing = [number for number, test in enumerate(tests) if "output" not in test]
        if kind_of(row) == "assert" or not missing:
            return row, []
        programs = [program.solution for program in right]
        limits = with_room(problem_of(filled(row)), self.recipe).limits
        made = list(tests)
        for number in missing:
            output, why = answers(
                self.runner, row, tests[number].get("input"), programs, limits, self.recipe.agreeing
            )
            if why is not None:
                told = f"test {number + 1}: {why}"
                return row, [Found("output_not_generated", told, {"test": number + 1})]
            made[number] = {**tests[number], "output": output}
        findings = [name for name in row.get("findings") or [] if name != "missing_output"]
        row = {**row, "tests": made, "findings": findings}
        return row, [Found("outputs_generated", f"{len(missing)} outputs")]

    def _with_fewer_tests(
        self, row: Row, problem: Problem, checked: Checked, wrong: list[Program]
    ) -> tuple[Row, list[Found]]:
        """The row with chosen tests, and wrong programs that pass."""
        programs = [program.solution for program in wrong]
        if problem.kind is Kind.ASSERT:
            judgements = self.runner.judged(with_room(problem, self.recipe), programs)
            states = [Kills(failed=not judgement.passed) for judgement in judgements]
            facts = {"references": len(checked.passing), "wrong": len(wrong)}
            return {**row, "verified": facts}, self._passing(wrong, states, checked)
        keep = distinct(problem)
        problem = replace(problem, tests=tuple(problem.tests[position] for position in keep))
        sizes = sizes_of(problem)
        reduce = budget_of(len(keep), self.recipe) < len(keep)
        order = spread(sizes)
        states = tried(self.runner, problem, programs, order, self.recipe)
        if any(one.near_limit for one in states):
            checked.timing["near_limit"] = True
        found = self._passing(wrong, states, checked)
        facts = {
            "references": len(checked.passing),
            "wrong": len(wrong),
            "tests": len(tests_of(row)),
        }
        stay = tuple(range(len(keep)))
        if (reduce or _too_large(sizes, self.recipe)) and not any(map(self._goes, found)):
            failing = [p for p, one in zip(programs, states, strict=True) if one.failed]
            quick = _quick(sizes, order)
            large = sorted(set(order) - set(quick), key=lambda number: (sizes[number], number))
            known = killers(self.runner, problem, failing, [*quick, *large], sizes, self.recipe)
            mutated = self._mutated(problem, checked, quick) if reduce else []
            kills = [some for some in (*known, *(one.tests for one in mutated)) if some]
            choice = chosen(sizes, kills, alone(classes_of(problem)), self.recipe)
            stay = choice.stay
            if choice.too_large:
                told = (
                    f"test {keep[choice.too_large[0]] + 1} has {sizes[choice.too_large[0]]} bytes"
                )
                found.append(Found("tests_too_large", told))
            facts |= {"mutants": len(mutated), "mutants_killed": sum(o.failed for o in mutated)}
        tests = [tests_of(row)[keep[position]] for position in stay]
        if len(tests) < len(tests_of(row)):
            found.append(Found("tests_reduced", f"{len(tests)} of {len(tests_of(row))}"))
        return {**row, "tests": tests, "verified": facts}, found

    def _goes(self, found: Found) -> bool:
        return self.policy.drops(found.name)

    def _passing(self, wrong: list[Program], states: list[Kills], checked: Checked) -> list[Found]:
        """Wrong programs that were not killed. Those known as slow are told in the timings: the
        next run may stop them in time."""
        passing = [p for p, kills in zip(wrong, states, strict=True) if not kills.failed]
        found = []
        for slow in (False, True):
            names = [program.name for program in passing if program.only_too_slow is slow]
            if slow and names and not self.policy.drops("slow_accepted"):
                checked.timing["slow_accepted"] = names[:20]
            elif names:
                name = "slow_accepted" if slow else "weak"
                if name == "weak" and self.recipe.keep_weak:
                    name = "weak_kept"
                told = f"{names[0]}{f' and {len(names) - 1} more' if len(names) > 1 else ''}"
                evidence = {"solutions": names[:20], "of": len(wrong)}
                found.append(Found(name, f"{told}: known as wrong, passes all tests", evidence))
        return found

    def _mutated(self, problem: Problem, checked: Checked, quick: list[int]) -> list[Kills]:
        """Kills of mutants of the right programs, taken in turns."""
        right = [p.solution for p in checked.passing if p.solution.language == "python"]
        codes = [solution.code for solution in right if solution.code is not None]
        if not codes or not self.recipe.mutants:
            return []
        share = -(-self.recipe.mutants // len(codes))
        made = [one.code for code in codes for one in mutants(code, share, self.seed)]
        programs = [
            counted(Solution(problem.problem_id, f"mutant{number}", code), self.recipe.mutant_steps)
            for number, code in enumerate(made[: self.recipe.mutants])
        ]
        timed = with_time_to_count(problem, self.recipe)
        return probe(self.runner, timed, programs, quick, self.recipe.cover)


def distinct(problem: Problem) -> list[int]:
    """Positions of tests without those that say what another one says."""
    twice: set[int] = set()
    for first, *others in equal_inputs(problem):
        kept = {json_of(problem.tests[first].output)}
        for other in others:
            text = json_of(problem.tests[other].output)
            if text in kept:
                twice.add(other)
            kept.add(text)
    return [number for number in range(len(problem.tests)) if number not in twice]


def json_of(value: Any) -> str:
    """A value so that equal ones are equal."""
    return repr(codec.to_json(value.strip() if isinstance(value, str) else value))


def sizes_of(problem: Problem) -> list[int]:
    """Bytes of each test."""
    return [
        len(input_text(problem, test)) + len(output_text(problem, test)) for test in problem.tests
    ]


def _quick(sizes: list[int], order: list[int]) -> list[int]:
    """Those of the tests that programs are quick on: by size, since times differ."""
    most = max(_QUICK_BYTES, sorted(sizes)[len(sizes) // 2])
    return [number for number in order if sizes[number] <= most]


def _too_large(sizes: list[int], recipe: Verify) -> bool:
    return max(sizes) > recipe.max_test_kb * 1024 or sum(sizes) > recipe.max_problem_kb * 1024
