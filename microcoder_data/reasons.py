"""The table of all reasons: why a problem is dropped, and which flags it can have.

Stages use no other names. Names are for programs, meanings for people. The findings of verify and
check, which run programs, are those of ``microcoder_eval.audit.findings``.
"""

from __future__ import annotations

from dataclasses import dataclass

from microcoder_eval.audit.findings import FINDINGS


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a name means.

    drops: the finding is proof, and drops the problem unless the recipe keeps it.
    """

    text: str
    drops: bool = True


def _make_flag(text: str) -> Meaning:
    return Meaning(text, drops=False)


def _take(*names: str, drops: bool = True) -> dict[str, Meaning]:
    """Return the meanings of findings that audit defines."""
    return {name: Meaning(FINDINGS[name].text, drops) for name in names}


# Ordered by gravity: of several findings that drop a problem, the first one here is the reason.
REASONS: dict[str, Meaning] = {
    # reading, any stage
    "unreadable": Meaning("it cannot be read as a problem"),
    "step_failed": Meaning("set aside: a step of the stage raised an exception on it"),
    "endpoint_failed": Meaning(
        "pending: the endpoint gave no usable answer yet; --resume asks again"
    ),
    "duplicate_id": Meaning("another problem before it has the same problem_id"),
    "broken_package": Meaning("the package lacks something that every package has"),
    "interactive": Meaning("the judge would have to interact with the program"),
    "tests_not_generated": Meaning(
        "its tests are made by a program that was not run: a flag if samples are left"
    ),
    "multi_pass": Meaning("the judge would have to run the program several times for one test"),
    "unsupported_checker": Meaning("its checker or grader cannot be run by this judge"),
    # process
    "not_trainable": Meaning("it has neither a statement nor starter code"),
    "no_tests": Meaning("there is no test"),
    "test_without_input": Meaning("a test has no input"),
    "no_entry_point": Meaning("the function to call is not named"),
    "invalid_problem": Meaning("the judge's reader refuses it"),
    **_take("contradictory_tests", "trivial_tests"),
    "damaged_test": Meaning("a test was cut short, crashed when it was made, or holds no data"),
    "vacuous_tests": Meaning("the assertions hold for nearly every program"),
    "answer_in_input": Meaning("every input ends with its expected output"),
    "tests_break_limits": Meaning("a test's first line breaks the limits of the statement"),
    "implausible_limits": Meaning(
        "a limit seems to be in another unit: time in milliseconds, memory in bytes or GiB"
    ),
    "broken_starter": Meaning("the starter code is not Python"),
    "arity_mismatch": _make_flag("tests call the function with different numbers of arguments"),
    "wrong_arity": Meaning("the starter code takes other arguments than the tests give"),
    "entry_point_not_in_starter": Meaning("the starter code does not define the entry point"),
    "example_contradicts_tests": Meaning("an example of the statement and a test disagree"),
    "examples_of_another_problem": Meaning("example inputs have another form than test inputs"),
    "not_english": Meaning("the statement is in another language and nothing translates it"),
    "translation_failed": Meaning("the endpoint gave no translation"),
    "broken_markup": _make_flag("markup is not opened or closed, or cannot be read"),
    "truncated_statement": _make_flag("the statement seems to stop in the middle"),
    "file_io": _make_flag("it reads or writes files by name"),
    "several_problems": _make_flag("the statement holds more than one problem"),
    "interaction_told": _make_flag("it mentions an interactive judge"),
    "solution_in_statement": Meaning("the statement gives the solution away"),
    "lost_superscript": _make_flag("powers lost their signs: 105 for 10^5, restored where certain"),
    "mojibake_repaired": _make_flag("letters that were decoded wrongly are restored"),
    "control_characters_removed": _make_flag("invisible characters were removed"),
    "title_mismatch": _make_flag("the statement has another title than the row"),
    "tests_are_samples": _make_flag("every test is a sample of the statement"),
    "missing_output": _make_flag("a test has no expected output yet"),
    "has_image": _make_flag("the statement contains a picture"),
    **_take("multiple_answers_suspected", drops=False),
    "example_not_in_tests": _make_flag("an example of the statement is not among the tests"),
    **_take("duplicate_tests", drops=False),
    "few_tests": _make_flag("there is one test, or fewer than the recipe asks for"),
    "empty_output": _make_flag("a test expects no output, others expect some"),
    "translated": _make_flag("the statement was translated"),
    # review
    "review_failed": Meaning("the endpoint gave no usable review"),
    "review_irrelevant": _make_flag("a model says that it asks for no program"),
    "review_incomplete": _make_flag("a model says that the statement lacks something"),
    "review_wrong_test": _make_flag("a model says that statement and tests disagree"),
    # filter
    "statement_too_short": Meaning("too short to say what is asked"),
    "statement_too_long": Meaning("longer than a prompt may be"),
    "mojibake": Meaning("letters were decoded wrongly or lost"),
    "own_filter": Meaning("a function that the recipe names in own refuses it"),
    "exact_duplicate": Meaning("another problem has the same statement or the same tests"),
    "near_duplicate": Meaning("another problem has nearly the same statement or tests"),
    "too_old": Meaning("older than the recipe's window"),
    "too_new": Meaning("newer than the recipe's window"),
    "undated": Meaning("nothing says when it was published"),
    "invalid_date": Meaning("its date does not exist or cannot be read"),
    "no_licence": _make_flag("nothing says under which licence it may be used"),
    "invalid_pass_rate": _make_flag("its pass rate is not a number from 0 to 1 and was not used"),
    "always_solved": Meaning("measured: always solved"),
    "never_solved": Meaning("measured: never solved"),
    "quota": Meaning("more problems of its difficulty than the recipe wants"),
    # verify
    **_take(
        "judge_failed",
        "unjudgeable",
        "missing_module",
        "reference_fails",
        "flaky",
        "references_disagree",
        "reference_too_slow",
        "hard_coded_reference",
        "careless_checker",
    ),
    **_take("no_reference", drops=False),
    **_take("example_fails", "wrong_accepted", "tests_too_large", "output_not_generated"),
    **_take(
        "random_reference",
        "unusable_programs",
        "slow_accepted",
        "tests_reduced",
        "outputs_generated",
        drops=False,
    ),
    # strengthen
    "needs_checker": _make_flag("right programs disagree on inputs like its own"),
    "single_reference": _make_flag("added tests have the outputs of one right program only"),
    "checker_proposed": _make_flag("a looser comparer or a checker fits all known programs"),
    # decontaminate
    "contaminated_statement": Meaning("it shares wording with an evaluation problem"),
    "contaminated_paraphrase": Meaning("an evaluation problem with other numbers or names"),
    "contaminated_tests": Meaning("it shares tests with an evaluation problem"),
    "contaminated_solution": Meaning("it shares a solution with an evaluation problem"),
}
# A problem dropped for one of these is pending: nothing is known of it, and the next run with
# --resume tries again.
PENDING_REASONS = frozenset({"endpoint_failed", "judge_failed", "missing_module"})
GRAVITY = {name: number for number, name in enumerate(REASONS)}
