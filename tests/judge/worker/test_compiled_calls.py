"""Call problems for programs in other languages: what a right program may look like, and what a
dishonest one gains."""

from __future__ import annotations

from typing import Any

import pytest

from microcoder_eval import Judge, Judgement
from microcoder_eval.languages import find_language
from microcoder_sandbox.toolchains.toolchain import find_toolchain

ADD = [{"input": [2, 3], "output": 5}, {"input": [-4, 1], "output": -3}]
# name: (language, program, entry point, tests, starter code)
RIGHT: dict[str, tuple[str, str, str, list[dict[str, Any]], str | None]] = {
    "C++ optional argument and result": ("cpp", """
optional<int> f(optional<int> a, const string& s) {
    if (a) return nullopt;
    return (int)s.size();
}""", "f", [{"input": [None, "ab"], "output": 2}, {"input": [1, ""], "output": None}], None),
    "C++ string_view": ("cpp", """
string_view f(string_view s, const vector<string_view>& w) { return s.substr(w.size()); }""", "f",
        [{"input": ["abc", ["x"]], "output": "bc"}], None),
    "JavaScript promise": ("javascript", """
async function add(a, b) { await null; return a + b; }""", "add", ADD, None),
    "Rust Result, lists of &str, arrays, a method of the same name": ("rust", """
struct Words { count: i32 }
impl Words { fn f(&self) -> i32 { self.count } }
fn f(words: Vec<&str>, pair: [i32; 2]) -> Result<i32, String> {
    if words.is_empty() { return Err(format!("none of {}", pair[0])); }
    Ok(Words { count: words.len() as i32 }.f() + pair[1])
}""", "f", [{"input": [["a", "b"], [3, 4]], "output": 6},
            {"input": [[], [3, 4]], "output": "none of 3"}], None),
    "Rust generic, told by the starter code": ("rust", """
fn most<T: Ord + Copy>(items: &[T]) -> Option<T> { items.iter().copied().max() }""", "most",
        [{"input": [[3, 9, 2]], "output": 9}, {"input": [[]], "output": None}],
        "fn most(items: &[i32]) -> Option<i32> {\n}"),
    "Go error, variadic": ("go", """
import "errors"
func f(v ...int) (int, error) {
    if len(v) == 0 { return 0, errors.New("no \\"v\\"") }
    return v[0], nil
}""", "f", [{"input": [[7]], "output": [7, None]}, {"input": [[]], "output": [0, 'no "v"']}],
        None),
    "Go byte and rune": ("go", """
func next(letters []byte, target byte, r rune) (byte, rune) { return letters[0] + 1, r + 1 }""",
        "next", [{"input": [["a"], "b", "é"], "output": ["b", "ê"]}], None),
    "Go numbers of the size of a character": ("go", """
func f(a uint8, b int32) (uint8, int32) { return a + 1, b + 1 }""", "f",
        [{"input": [96, 97], "output": [97, 98]}], None),
    "C++ helper of the same name": ("cpp", """
class Solution { public:
    int add(int a, int b) { return add(a, b, 0); }
    int add(int a, int b, int c) { return a + b + c; }
};""", "Solution.add", ADD, None),
    "C++ default argument": ("cpp", """
class Solution { public: int add(const int& a, int b, int c = 0) { return a + b + c; } };""",
        "Solution.add", ADD, "class Solution {\npublic:\n    int add(int a, int b) {\n    }\n};"),
    "C++ free function, own main, prints": ("cpp", """
#include <iostream>
long long add(long long a, long long b) { std::cout << "debug"; printf("more\\n"); return a + b; }
int main() { return 7; }""", "add", ADD, None),
    "C++ in place": ("cpp", """
class Solution { public:
    void turn(vector<int>& items) { reverse(items.begin(), items.end()); }
};""", "Solution.turn", [{"input": [[1, 2, 3]], "output": [3, 2, 1]}], None),
    "C++ own node": ("cpp", """
struct ListNode { int val; ListNode *next; ListNode(int v) : val(v), next(nullptr) {} };
class Solution { public: ListNode* tail(ListNode* head) { return head->next; } };""",
        "Solution.tail", [{"input": [[4, 5]], "output": [5]}, {"input": [[4]], "output": []}],
        None),
    "C++ pairs and maps": ("cpp", """
map<string, vector<pair<int, double>>> f(const map<string, int>& m) {
    map<string, vector<pair<int, double>>> r;
    for (auto& e : m) r[e.first].push_back({e.second, e.second / 2.0});
    return r;
}""", "f", [{"input": [{"a\n\"é": 3}], "output": {"a\n\"é": [[3, 1.5]]}}], None),
    "Java helper of the same name": ("java", """
class Solution {
    private int add(int a, int b, int c) { return a + b + c; }
    public int add(int a, int b) { System.out.print("x"); return add(a, b, 0); }
    public static void main(String[] a) { System.exit(1); }
}""", "Solution.add", ADD, None),
    "Java public class, imports, lists": ("java", """
import java.util.*;
public class Solution {
    public List<List<Integer>> f(List<List<Integer>> a, Map<String, Integer> m) {
        a.get(0).add(m.get("k")); return a;
    }
}""", "Solution.f", [{"input": [[[1]], {"k": 2}], "output": [[1, 2]]}], None),
    "Java in place": ("java", """
class Solution { public void turn(int[] a) { int t = a[0]; a[0] = a[1]; a[1] = t; } }""",
        "Solution.turn", [{"input": [[1, 2]], "output": [2, 1]}], None),
    "JavaScript class, print": ("javascript", """
class Solution { add(a, b) { console.log('debug'); return a + b; } }""",
        "Solution.add", ADD, None),
    "JavaScript in place, told by the starter code": ("javascript", """
const turn = (a) => { a.reverse(); };""", "turn", [{"input": [[1, 2]], "output": [2, 1]}],
        "/**\n * @param {number[]} a\n * @return {void}\n */\nvar turn = function(a) {};"),
    "JavaScript set, infinity, text": ("javascript", """
function f(t) { return [new Set([1, 2]), Infinity, -0.5, t + '\\u00e9"\\n']; }""", "f",
        [{"input": ["é"], "output": [{"$set": [1, 2]}, {"$float": "inf"}, -0.5, "éé\"\n"]}], None),
    "Rust private, own main, references": ("rust", """
use std::collections::HashMap;
impl Solution {
    fn f(words: &[String], k: &mut Vec<i32>, s: &str) -> HashMap<String, Option<char>> {
        k.push(1);
        words.iter().map(|w| (format!("{}{}", w, s), w.chars().next())).collect()
    }
}
fn main() { println!("tried"); }""", "Solution.f",
        [{"input": [["ab", ""], [], "!"], "output": {"ab!": "a", "!": None}}], None),
    "Rust in place, camel case asked": ("rust", """
struct Solution;
impl Solution { pub fn turn_round(nums: &mut Vec<i32>, by: i32) { nums.rotate_left(by as usize) } }
""", "Solution.turnRound", [{"input": [[1, 2, 3], 1], "output": [2, 3, 1]}], None),
    "Go without imports": ("go", """
func add(a int, b int) int { fmt.Println(strings.ToUpper("debug")); return a + b }""",
        "add", ADD, None),
    "Go nodes and bytes": ("go", """
/**
 * type ListNode struct { Val int; Next *ListNode }
 */
func f(head *ListNode, board [][]byte) [][]byte {
    for i := 0; head != nil; head = head.Next { board[0][i] = byte('a' + head.Val); i++ }
    return board
}""", "f", [{"input": [[1, 2], [["x", "y"]]], "output": [["b", "c"]]}], None),
}  # fmt: skip
WRONG: dict[str, tuple[str, str, str]] = {
    "C++ exits before": ("cpp", "int add(int a, int b) { exit(0); }", "RE"),
    "C++ ends with a value on standard output": (
        "cpp", "int add(int a, int b) { puts(\"V5\"); fflush(stdout); _exit(0); }", "RE"),
    "C++ other value": ("cpp", "int add(int a, int b) { return abs(a) + b; }", "WA"),
    "Java exits": ("java", "class Solution { int add(int a, int b) { System.exit(0); return 5; } }",
        "RE"),
    "JavaScript exits": ("javascript", "function add(a, b) { process.exit(0); }", "RE"),
    "JavaScript nothing": ("javascript", "function add(a, b) { a + b; }", "WA"),
    "JavaScript text": ("javascript", "function add(a, b) { return String(a + b); }", "WA"),
    "Rust exits": ("rust", "fn add(a: i32, b: i32) -> i32 { std::process::exit(0) }", "RE"),
    "Go panics": ("go", "func add(a int, b int) int { panic(a) }", "RE"),
    "C++ no such function": ("cpp", "int sum(int a, int b) { return a + b; }", "CE"),
    "Rust no such function": ("rust", "fn sum(a: i32, b: i32) -> i32 { a + b }", "CE"),
}  # fmt: skip


def judge_call(
    judge: Judge, language: str, code: str, entry: str, tests: Any, starter: str | None = None
) -> Judgement:
    record = find_language(language)
    assert record is not None
    if find_toolchain(record.toolchain) is None:
        pytest.skip(f"this machine has no {record.toolchain}")
    problem = {"problem_id": "p", "kind": "call", "entry_point": entry, "tests": tests,
               "starter_code": starter}  # fmt: skip
    return judge.judge({"code": code, "language": language}, problem)


@pytest.mark.slow
@pytest.mark.parametrize("name", RIGHT)
def test_right_programs_are_accepted(judge: Judge, name: str) -> None:
    judgement = judge_call(judge, *RIGHT[name])
    assert judgement.verdict == "AC", (judgement.error, judgement.tests)
    assert judgement.flags == ()


@pytest.mark.slow
@pytest.mark.parametrize("name", WRONG)
def test_wrong_programs_are_not(judge: Judge, name: str) -> None:
    language, code, verdict = WRONG[name]
    assert judge_call(judge, language, code, "add", ADD).verdict == verdict


def test_a_language_without_a_driver_is_no_fault_of_the_program(judge: Judge) -> None:
    judgement = judge_call(judge, "c", "int add(int a, int b) { return a + b; }", "add", ADD)
    assert (judgement.verdict, judgement.error) == ("JE", "call problems take no programs in c")


OWN_CLASSES = {
    "java": ("class Pair { int a = 5; } class Solution { Pair add(int a, int b) { "
             "return new Pair(); } }", "RE"),
    "go": ("type Pair struct { A int }\nfunc add(a int, b int) Pair { return Pair{5} }", "RE"),
    "cpp": ("struct Pair { int a; }; Pair add(int a, int b) { return {5}; }", "CE"),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("language", OWN_CLASSES)
def test_an_object_of_the_programs_own_class_is_no_value_and_the_verdict_says_so(
    judge: Judge, language: str
) -> None:
    record = find_language(language)
    assert record is not None
    if find_toolchain(record.toolchain) is None:
        pytest.skip(f"this machine has no {record.toolchain}")
    code, verdict = OWN_CLASSES[language]
    problem = {"problem_id": "p", "kind": "call", "entry_point": "add", "tests": ADD}
    judgement = judge.judge({"code": code, "language": language}, problem)
    assert judgement.verdict == verdict
    assert "has no plain form" in (judgement.tests[0].detail or "")
