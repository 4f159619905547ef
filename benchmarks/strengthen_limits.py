# ruff: noqa: E501 (programs stand in one line)
"""Do added tests refuse programs that overflow 32 bits, or that are too slow for the bounds?

    python benchmarks/strengthen_limits.py [--out FILE]

Problems of our own, with a statement that gives the bounds and two small tests; for each a right
Python program and, in C++, one with 32-bit sums, or one with a slow algorithm. They were written
after the proposer.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from common import describe_machine, read_commit

from microcoder_data.recipe import Strengthen
from microcoder_data.strengthen.strengthener import ProblemStrengthener
from microcoder_data.verify.programs import ProgramStore
from microcoder_eval.api import Judge
from microcoder_eval.audit.programs import Program
from microcoder_eval.audit.runner import Runner
from microcoder_eval.formats import problem_from
from microcoder_eval.records import Solution

_HEAD = '#include <bits/stdc++.h>\nusing namespace std;\nint main(){int n;scanf("%d",&n);'
_READ = 'vector<int>a(n);for(auto&x:a)scanf("%d",&x);'
_LIST = "n = int(input())\na = list(map(int, input().split()))\n"
_STATEMENT = (
    "The first line has n (1 ≤ n ≤ 10^5). The second line has n integers a_1 … a_n "
    "(1 ≤ a_i ≤ 10^9).\n\n"
)
_ONE = "The only line has n (1 ≤ n ≤ 10^6). The first line has n.\n\n"
_LISTS = ["3\n4 1 2\n", "5\n3 3 9 1 5\n", "1\n7\n"]
_ONES = ["3\n", "10\n", "7\n"]


@dataclass(frozen=True, slots=True)
class Case:
    """A problem, its right program, and C++ that overflows or is slow; "" where there is none."""

    name: str
    task: str
    right: str
    overflows: str = ""
    slow: str = ""
    is_list: bool = True


CASES = (
    Case("sum", "Print the sum.", "print(sum(a))", "int s=0;for(int x:a)s+=x;printf(\"%d\",s);"),
    Case("distinct", "Print how many values differ.", "print(len(set(a)))",
         slow="int c=0;for(int i=0;i<n;i++){bool f=0;for(int j=0;j<i;j++)f|=a[j]==a[i];c+=!f;}printf(\"%d\",c);"),
    Case("prefix", "Print the greatest sum of a prefix less its length.",
         "s = b = 0\nfor i, x in enumerate(a):\n    s += x\n    b = max(b, s - i - 1)\nprint(b)",
         "int s=0,b=0;for(int i=0;i<n;i++){s+=a[i];b=max(b,s-i-1);}printf(\"%d\",b);",
         "long long b=0;for(int i=0;i<n;i++){long long s=0;for(int j=0;j<=i;j++){s+=a[j];asm(\"\");}b=max(b,s-i-1);}printf(\"%lld\",b);"),
    Case("pairs", "Print the number of pairs of equal values.",
         "from collections import Counter\nprint(sum(c * (c - 1) // 2 for c in Counter(a).values()))",
         "map<int,int>c;int r=0;for(int x:a)r+=c[x]++;printf(\"%d\",r);",
         "long long r=0;for(int i=0;i<n;i++)for(int j=0;j<i;j++)r+=a[i]==a[j];printf(\"%lld\",r);"),
    Case("inversions", "Print how many pairs i < j have a_i > a_j.",
         "import bisect\ns = []\nr = 0\nfor x in a:\n    p = bisect.bisect_right(s, x)\n    r += len(s) - p\n    s.insert(p, x)\nprint(r)",
         "vector<pair<int,int>>v;for(int i=0;i<n;i++)v.push_back({a[i],i});sort(v.begin(),v.end());vector<int>t(n+2);int r=0,k=0;for(auto&p:v){int s=0;for(int i=p.second+1;i;i-=i&-i)s+=t[i];r+=k-s;for(int i=p.second+1;i<=n;i+=i&-i)t[i]++;k++;}printf(\"%d\",r);",
         "long long r=0;for(int i=0;i<n;i++)for(int j=i+1;j<n;j++){r+=a[i]>a[j];asm(\"\");}printf(\"%lld\",r);"),
    Case("gaps", "Print the sum of |a_i - a_(i+1)|.",
         "print(sum(abs(x - y) for x, y in zip(a, a[1:])))",
         "int r=0;for(int i=1;i<n;i++)r+=abs(a[i]-a[i-1]);printf(\"%d\",r);"),
    Case("square", "Print the square of the greatest value.", "print(max(a) ** 2)",
         "int m=0;for(int x:a)m=max(m,x);printf(\"%d\",m*m);"),
    Case("two", "Print the greatest sum of two values, or the value where n is 1.",
         "a.sort()\nprint(sum(a[-2:]))",
         "",
         "long long b=a[0];for(int i=0;i<n;i++)for(int j=0;j<i;j++){b=max(b,(long long)a[i]+a[j]);asm(\"\");}printf(\"%lld\",n>1?b:a[0]);"),
    Case("weights", "Print the sum of i times a_i.",
         "print(sum((i + 1) * x for i, x in enumerate(a)))",
         "int r=0;for(int i=0;i<n;i++)r+=(i+1)*a[i];printf(\"%d\",r);"),
    Case("smaller", "Print how many values are less than the last.",
         "print(sum(x < a[-1] for x in a))",
         slow="int r=0;sort(a.begin(),a.end()-1);for(int i=0;i<n;i++)for(int j=0;j<n;j++){if(i==j)r+=a[i]<a[n-1];asm(\"\");}printf(\"%d\",r);"),
    Case("triangle", "Print 1 + 2 + … + n.", "print(n * (n + 1) // 2)",
         "int r=0;for(int i=1;i<=n;i++)r+=i;printf(\"%d\",r);",
         "long long r=0;for(int i=1;i<=n;i++)for(int j=1;j<=i;j++){r++;asm(\"\");}printf(\"%lld\",r);", False),
    Case("cubes", "Print n squared, times n.", "print(n ** 3)", "printf(\"%d\",n*n*n);", "", False),
    Case("odd", "Print the sum of the odd numbers below n.", "print((n // 2) ** 2)",
         "int r=0;for(int i=1;i<n;i+=2)r+=i;printf(\"%d\",r);",
         "long long r=0;for(int i=1;i<n;i+=2)for(int j=0;j<i;j++){r++;asm(\"\");}printf(\"%lld\",r);", False),
    Case("divisors", "Print the sum of the divisors of n.",
         "r = 0\ni = 1\nwhile i * i <= n:\n    if n % i == 0:\n        r += i + (n // i if i * i < n else 0)\n    i += 1\nprint(r)",
         "", "long long r=0;for(int k=0;k<n;k++){r=0;for(int i=1;i<=n;i++)r+=n%i?0:i;}printf(\"%lld\",r);", False),
    Case("shift", "Print how many rotations of the list begin with its least value.",
         "print(a.count(min(a)))",
         slow="int r=0;int m=*min_element(a.begin(),a.end());for(int i=0;i<n;i++){r+=a[0]==m;rotate(a.begin(),a.begin()+1,a.end());}printf(\"%d\",r);"),
    Case("erase", "Remove the first value again and again; print the sum of those at odd turns.",
         "print(sum(a[::2]))",
         "int r=0;for(int i=0;i<n;i+=2)r+=a[i];printf(\"%d\",r);",
         "long long r=0;int t=0;while(!a.empty()){if(t++%2==0)r+=a[0];for(size_t i=1;i<a.size();i++){a[i-1]=a[i];asm(\"\");}a.pop_back();}printf(\"%lld\",r);"),
    Case("above", "Print how many values are above the mean.",
         "s = sum(a)\nprint(sum(x * n > s for x in a))",
         "int s=0;for(int x:a)s+=x;int r=0;for(int x:a)r+=x>s/n;printf(\"%d\",r);",
         "int r=0;for(int x:a){long long s=0;for(int y:a){s+=y;asm(\"\");}r+=(long long)x*n>s;}printf(\"%d\",r);"),
    Case("runs", "Print the length of the longest run of equal values.",
         "b = c = 1\nfor x, y in zip(a, a[1:]):\n    c = c + 1 if x == y else 1\n    b = max(b, c)\nprint(b)",
         slow="int b=1;for(int i=0;i<n;i++){int j=i;while(j<n&&a[j]==a[i]){j++;asm(\"\");}b=max(b,j-i);}printf(\"%d\",b);"),
)  # fmt: skip


def make_row(case: Case) -> dict[str, Any]:
    """The problem with small tests."""
    head = _LIST if case.is_list else "n = int(input())\n"
    names: dict[str, Any] = {}
    tests = []
    for text in _LISTS if case.is_list else _ONES:
        lines = iter(text.splitlines())
        printed: list[str] = []
        names = {
            "input": lambda lines=lines: next(lines),
            "print": lambda x, p=printed: p.append(x),
        }
        exec(head + case.right, names)
        tests.append({"input": text, "output": f"{printed[0]}\n"})
    statement = (_STATEMENT if case.is_list else _ONE) + case.task
    limits = {"time_s": 1.0}
    row = {"problem_id": case.name, "kind": "stdin", "statement": statement}
    return {**row, "tests": tests, "limits": limits}


def measure(case: Case, judge: Judge) -> dict[str, Any]:
    """Whether added tests refuse the programs of a case."""
    row = make_row(case)
    code = (_LIST if case.is_list else "n = int(input())\n") + case.right
    store = ProgramStore()
    store.programs.by_problem[case.name] = [Program(Solution(case.name, "right", code))]
    runner = Runner(judge)
    strong = ProblemStrengthener(runner, store, Strengthen(), 1).run(row).row
    assert strong is not None
    outcome: dict[str, Any] = {"problem": case.name, **strong["strengthened"]}
    for kind, body in (("overflows", case.overflows), ("slow", case.slow)):
        if body:
            text = f"{_HEAD}{_READ if case.is_list else ''}{body}}}"
            solution = Solution(case.name, kind, text, language="cpp")
            old, new = (
                runner.judge_programs(problem_from({**one, "solutions": []}), [solution])[0]
                for one in (row, strong)
            )
            outcome[kind] = {"passes_stored": old.passed, "refused": not new.passed}
    return outcome


def main() -> None:
    """Measure, print and write the report."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    with Judge(workers=1, stop="never") as judge:
        outcomes = [measure(case, judge) for case in CASES]
    report: dict[str, Any] = {"machine": describe_machine(), "commit": read_commit()}
    for kind in ("overflows", "slow"):
        group = [one[kind] for one in outcomes if kind in one and one[kind]["passes_stored"]]
        report[kind] = {"programs": len(group), "refused": sum(one["refused"] for one in group)}
    text = json.dumps({**report, "problems": outcomes}, indent=1)
    print(text)
    if args.out:
        args.out.write_text(text + "\n")


if __name__ == "__main__":
    main()
