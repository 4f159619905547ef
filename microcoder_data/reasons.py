"""Every reason for which a problem is dropped, and every finding it is flagged with.

One table: stages name nothing that is not here. Names are for programs, meanings for people.
``drops``: whether the finding takes the problem out unless the recipe says ``keep``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from .stage import Drop


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a name says, and whether it drops."""

    text: str
    drops: bool = True


@dataclass(frozen=True, slots=True)
class Found:
    """One thing found in one problem."""

    name: str
    detail: str
    evidence: Mapping[str, Any] = field(default_factory=dict)

    def drop(self) -> Drop:
        """As the reason for which the problem goes."""
        return Drop(self.name, self.detail, self.evidence)


def _flag(text: str) -> Meaning:
    return Meaning(text, drops=False)


# In the order of gravity: the first that drops is the reason.
REASONS: dict[str, Meaning] = {
    # reading, any stage
    "unreadable": Meaning("the line is no problem of any known format"),
    "duplicate_id": Meaning("another problem before it has the same problem_id"),
    "broken_package": Meaning("the package lacks something that every package has"),
    "interactive": Meaning("it talks with the program, which no test of input and output can do"),
    "unsupported_checker": Meaning("its checker or grader cannot be run by this judge"),
    # process
    "not_trainable": Meaning("neither a statement nor starter code says what is asked"),
    "no_tests": Meaning("there is no test"),
    "test_without_input": Meaning("a test has no input"),
    "no_entry_point": Meaning("the function to call is not named"),
    "invalid_problem": Meaning("the judge's reader refuses it"),
    "contradictory_tests": Meaning("two tests ask the same and expect different answers"),
    "constant_answer": Meaning("every test expects the same answer"),
    "damaged_test": Meaning("a test was cut short, crashed when it was made, or holds no data"),
    "answer_in_input": Meaning("every input ends with its expected output"),
    "tests_break_limits": Meaning("a test's first line breaks the limits of the statement"),
    "implausible_limits": Meaning("limits as if in milliseconds or bytes"),
    "broken_starter": Meaning("the starter code is no Python"),
    "arity_mismatch": Meaning("tests call the function with different numbers of arguments"),
    "wrong_arity": Meaning("the starter code takes other arguments than the tests give"),
    "entry_point_not_in_starter": Meaning("the starter code does not define the entry point"),
    "example_contradicts_tests": Meaning("an example of the statement and a test disagree"),
    "examples_of_another_problem": Meaning("the examples' inputs are not shaped as the tests'"),
    "names_another_function": Meaning("it asks for another function than the tests call"),
    "form_contradicts_tests": Meaning("it asks for a program, the tests for a function, or so"),
    "placeholder": Meaning("the statement is a placeholder, an error page or a login page"),
    "not_english": Meaning("the statement is in another language and nothing translates it"),
    "translation_failed": Meaning("the endpoint gave no translation"),
    "broken_markup": Meaning("markup that nothing closes or opens"),
    "needs_image": Meaning("it cannot be understood without a picture"),
    "needs_attachment": Meaning("it cannot be understood without another page or file"),
    "truncated_statement": Meaning("the statement stops in the middle"),
    "file_io": Meaning("it reads or writes files by name"),
    "several_problems": Meaning("the statement holds more than one problem"),
    "solution_in_statement": Meaning("the statement gives the solution away"),
    "lost_superscript": Meaning("powers of ten lost their signs: 105 for 10^5"),
    "missing_output": _flag("a test has no expected output yet"),
    "has_image": _flag("there is a picture, which the text seems to do without"),
    "multiple_answers_suspected": _flag("several answers seem right and nothing accepts them"),
    "example_not_in_tests": _flag("an example of the statement is no test"),
    "no_input_section": _flag("nothing says what the input is"),
    "no_output_section": _flag("nothing says what the output is"),
    "no_limits_told": _flag("nothing says how large the input gets"),
    "duplicate_tests": _flag("two tests are the same"),
    "few_tests": _flag("there are fewer tests than the recipe asks for"),
    "mixed_line_ends": _flag("some tests have line ends of DOS, others have not"),
    "empty_output": _flag("a test expects nothing, others expect something"),
    "mixed_outputs": _flag("some tests expect text, others numbers"),
    "not_a_number": _flag("a test expects NaN, which equals nothing"),
    "translated": _flag("the statement was translated"),
    # filter
    "statement_too_short": Meaning("too short to say what is asked"),
    "statement_too_long": Meaning("longer than a prompt may be"),
    "mojibake": Meaning("letters were lost or mangled on the way"),
    "not_text": Meaning("control characters, or hardly any letters"),
    "repetitive": Meaning("the same words over and over"),
    "page_furniture": Meaning("menus, advertisements or comments of a web page"),
    "chat_residue": Meaning("words of a chat with a language model"),
    "not_programming": Meaning("it does not ask for a program"),
    "other_language": Meaning("it asks for SQL, a shell, or a language that is not judged"),
    "personal_data": Meaning("mail addresses or telephone numbers in the statement"),
    "exact_duplicate": Meaning("another problem has the same statement or the same tests"),
    "near_duplicate": Meaning("another problem says nearly the same"),
    "too_old": Meaning("older than the recipe's window"),
    "too_new": Meaning("newer than the recipe's window"),
    "undated": Meaning("nothing says when it was published"),
    "invalid_date": Meaning("its date cannot be one"),
    "no_licence": _flag("nothing says under which licence it may be used"),
    "invalid_pass_rate": _flag("its pass rate is no number from 0 to 1, and was not used"),
    "scoring_failed": Meaning("the endpoint gave no difficulty"),
    "always_solved": Meaning("measured: always solved"),
    "never_solved": Meaning("measured: never solved"),
    "quota": Meaning("more problems of its difficulty than the recipe wants"),
    # verify
    "judge_failed": Meaning("the judge itself failed on it; run again with --resume"),
    "unjudgeable": Meaning("this judge cannot judge it"),
    "reference_fails": Meaning("a program known to be right does not pass"),
    "references_disagree": Meaning("programs known to be right give different answers"),
    "reference_too_slow": Meaning("a program known to be right needs more than the time limit"),
    "hard_coded_reference": Meaning("a program known to be right holds the tests' data"),
    "careless_checker": Meaning("its checker accepts an empty answer, or a meaningless one"),
    "no_reference": Meaning("no program is known to be right"),
    "example_fails": Meaning("right programs do not give what an example of the statement says"),
    "weak": Meaning("its tests let a wrong program pass"),
    "tests_too_large": Meaning("the tests that must stay are larger than allowed"),
    "output_not_generated": Meaning("missing outputs could not be had from right programs"),
    "unverified": _flag("no program was known to be right: its tests were not checked"),
    "random_reference": _flag("all right programs draw random numbers or read clocks"),
    "unusable_programs": _flag(
        "some programs are of other languages, or their verdict says nothing"
    ),
    "weak_kept": _flag("a wrong program passes its tests"),
    "slow_accepted": _flag(
        "a program known as too slow passes: told in the timings, for machines "
        "differ; a reason where the recipe drops by it"
    ),
    "tests_reduced": _flag("tests were left out that add nothing"),
    "outputs_generated": _flag("outputs were made by right programs that agree"),
    # decontaminate
    "contaminated_statement": Meaning("it shares wording with a problem of the evaluation"),
    "contaminated_paraphrase": Meaning("a problem of the evaluation with other numbers or names"),
    "contaminated_tests": Meaning("it shares tests with a problem of the evaluation"),
    "contaminated_solution": Meaning("its solutions are those of a problem of the evaluation"),
}
_ORDER = {name: number for number, name in enumerate(REASONS)}


@dataclass(frozen=True, slots=True)
class Policy:
    """Which findings drop: the table's word, but for what a recipe says otherwise."""

    keep: frozenset[str] = frozenset()
    drop: frozenset[str] = frozenset()

    def drops(self, name: str) -> bool:
        """Whether a problem with this finding goes."""
        return name in self.drop or (REASONS[name].drops and name not in self.keep)

    def gravest(self, found: Iterable[Found]) -> Drop | None:
        """The reason for dropping, with all other findings named; None: the problem stays."""
        some = sorted(found, key=lambda one: _ORDER[one.name])
        first = next((one for one in some if self.drops(one.name)), None)
        if first is None:
            return None
        also = sorted({one.name for one in some} - {first.name})
        evidence = {**first.evidence, **({"also": also} if also else {})}
        return Drop(first.name, first.detail, evidence)


def names(found: Iterable[Found]) -> list[str]:
    """The names of findings, in the table's order."""
    return sorted({one.name for one in found}, key=_ORDER.__getitem__)
