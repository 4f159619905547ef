# ruff: noqa: E501 (programs stand in one line)
"""Do added tests refuse programs that overflow 32 bits, or that are too slow for the bounds?

    python benchmarks/strengthen_limits.py [--out FILE]

Problems of our own, with a statement that gives the bounds and two small tests; for each a right
Python program and, in C++, one with 32-bit sums, or one with a slow algorithm. A program counts where
it passes the stored tests.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from checkout import read_commit
from measurement import describe_machine

from microcoder_data.recipe import Strengthen
from microcoder_data.strengthen.strengthener import ProblemStrengthener
from microcoder_data.verify.programs import ProgramStore
from microcoder_eval.api import Judge
from microcoder_eval.audit.labelled_programs import Program
from microcoder_eval.audit.trials import Runner
from microcoder_eval.formats import problem_from
from microcoder_eval.records import Solution

_TIME_LIMIT = 1.0  # seconds
_HEAD = "#include <bits/stdc++.h>\nusing namespace std;\nint main(){"
_READ_ALL = "import sys\nd = sys.stdin.read().split()\n"
_READ_NUMBERS = "import sys\nd = list(map(int, sys.stdin.read().split()))\n"


@dataclass(frozen=True, slots=True)
class Form:
    """A form of input: its statement, stored inputs, and how Python and C++ read it."""

    statement: str
    inputs: tuple[str, ...]
    python: str
    cpp: str


LIST = Form(
    "The first line has n (1 ≤ n ≤ 10^5). The second line has n integers a_1 … a_n (1 ≤ a_i ≤ 10^9).",
    ("3\n4 1 2\n", "5\n3 3 9 1 5\n", "1\n7\n"),
    "n = int(input())\na = list(map(int, input().split()))\n",
    'int n;scanf("%d",&n);vector<int>a(n);for(auto&x:a)scanf("%d",&x);',
)
ONE = Form(
    "The only line has n (1 ≤ n ≤ 10^6). The first line has n.",
    ("3\n", "10\n", "7\n"),
    "n = int(input())\n",
    'int n;scanf("%d",&n);',
)
QUERIES = Form(
    "The first line has n and q (1 ≤ n, q ≤ 10^5). The second line has a_1 … a_n (0 ≤ a_i ≤ 10^9). Each of the next q lines has l and r (1 ≤ l ≤ r ≤ n).",
    ("4 2\n4 0 7 2\n1 3\n2 2\n", "3 1\n5 5 5\n1 3\n", "5 3\n9 8 1 2 3\n1 5\n4 5\n3 3\n"),
    _READ_NUMBERS + "n, q = d[:2]\na = d[2:n + 2]\nb = list(zip(d[n + 2::2], d[n + 3::2]))\n",
    'int n,q;scanf("%d%d",&n,&q);vector<int>a(n);for(auto&x:a)scanf("%d",&x);vector<pair<int,int>>b(q);for(auto&p:b)scanf("%d%d",&p.first,&p.second);',
)
GRID = Form(
    "The first line has n and m (1 ≤ n, m ≤ 1000). Each of the next n lines has m integers c_1 … c_m (0 ≤ c_j ≤ 10^9).",
    ("2 3\n1 2 3\n3 1 1\n", "3 2\n5 5\n0 9\n7 1\n", "1 1\n4\n"),
    _READ_NUMBERS + "n, m = d[:2]\nc = [d[2 + i * m:2 + i * m + m] for i in range(n)]\n",
    'int n,m;scanf("%d%d",&n,&m);vector<vector<int>>c(n,vector<int>(m));for(auto&r:c)for(auto&x:r)scanf("%d",&x);',
)
WORD = Form(
    "The only line has a word s of lower-case letters (1 ≤ |s| ≤ 2·10^5).",
    ("abcab\n", "zzz\n", "hello\n", "q\n"),
    "s = input()\nn = len(s)\n",
    "string s;cin>>s;int n=s.size();",
)
INTERVALS = Form(
    "The first line has n (1 ≤ n ≤ 10^5). Each of the next n lines has l and r (1 ≤ l ≤ r ≤ 10^9), the ends of an interval.",
    ("2\n1 4\n3 8\n", "3\n5 5\n1 9\n2 3\n", "1\n7 9\n"),
    _READ_NUMBERS + "n = d[0]\nb = list(zip(d[1::2], d[2::2]))\n",
    'int n;scanf("%d",&n);vector<pair<int,int>>b(n);for(auto&p:b)scanf("%d%d",&p.first,&p.second);',
)
PARENTS = Form(
    "The first line has n (2 ≤ n ≤ 10^5), the number of nodes of a tree with root 1. The second line has p_2 … p_n (1 ≤ p_i < i), where p_i is the parent of node i.",
    ("4\n1 1 2\n", "5\n1 2 3 4\n", "3\n1 1\n"),
    "n = int(input())\np = [0, 0, *map(int, input().split())]\n",
    'int n;scanf("%d",&n);vector<int>p(n+1);for(int i=2;i<=n;i++)scanf("%d",&p[i]);',
)
TWO_LISTS = Form(
    "The first line has n and m (1 ≤ n, m ≤ 10^5). The second line has a_1 … a_n, the third b_1 … b_m (1 ≤ a_i, b_i ≤ 10^6).",
    ("2 3\n4 1\n3 3 1\n", "1 1\n5\n6\n", "4 2\n2 9 2 4\n3 1\n"),
    "n, m = map(int, input().split())\na = sorted(map(int, input().split()))\nb = sorted(map(int, input().split()))\n",
    'int n,m;scanf("%d%d",&n,&m);vector<int>a(n),b(m);for(auto&x:a)scanf("%d",&x);for(auto&x:b)scanf("%d",&x);',
)
WINDOW = Form(
    "The first line has n and k (1 ≤ k ≤ n ≤ 10^5). The second line has n integers a_1 … a_n (1 ≤ a_i ≤ 10^9).",
    ("4 2\n1 5 2 2\n", "3 3\n1 1 1\n", "6 1\n4 9 2 2 8 1\n"),
    "n, k = map(int, input().split())\na = list(map(int, input().split()))\n",
    'int n,k;scanf("%d%d",&n,&k);vector<int>a(n);for(auto&x:a)scanf("%d",&x);',
)
MANY = Form(
    "The first line has t, the number of test cases (1 ≤ t ≤ 100). The first line of each test case has n (1 ≤ n ≤ 1000). Its second line has n integers a_1 … a_n (1 ≤ a_i ≤ 10^6).",
    ("2\n3\n1 2 2\n1\n5\n", "3\n2\n7 7\n4\n1 1 1 1\n1\n9\n", "1\n5\n3 1 3 1 3\n"),
    _READ_NUMBERS
    + "at = 1\ntests = []\nfor _ in range(d[0]):\n    tests.append(d[at + 1:at + 1 + d[at]])\n    at += 1 + d[at]\n",
    'int t;scanf("%d",&t);vector<vector<int>>tests(t);for(auto&a:tests){int n;scanf("%d",&n);a.resize(n);for(auto&x:a)scanf("%d",&x);}',
)
POINTS = Form(
    "The first line has n (2 ≤ n ≤ 10^5). Each of the next n lines has x and y (-10^9 ≤ x, y ≤ 10^9), a point.",
    ("2\n1 1\n-3 4\n", "3\n0 0\n5 -5\n2 2\n", "4\n-1 -1\n1 1\n1 -1\n-1 1\n"),
    _READ_NUMBERS + "n = d[0]\nb = list(zip(d[1::2], d[2::2]))\n",
    'int n;scanf("%d",&n);vector<pair<int,int>>b(n);for(auto&p:b)scanf("%d%d",&p.first,&p.second);',
)
TWO = Form(
    "The only line has a and b (1 ≤ a, b ≤ 10^9).",
    ("4 6\n", "3 5\n", "7 7\n"),
    "a, b = map(int, input().split())\n",
    'int a,b;scanf("%d%d",&a,&b);',
)
POWER = Form(
    "The only line has a and b (1 ≤ a ≤ 10^9, 1 ≤ b ≤ 10^18).",
    ("2 10\n", "7 3\n", "1 5\n"),
    "a, b = map(int, input().split())\n",
    'long long a,b;scanf("%lld%lld",&a,&b);',
)
WORDS = Form(
    "The first line has n (1 ≤ n ≤ 10^5). Each of the next n lines has a word of 1 to 10 lower-case letters.",
    ("3\ncat\ndog\ncat\n", "2\na\nb\n", "4\nx\nx\nx\nyy\n"),
    _READ_ALL + "n = int(d[0])\nw = d[1:]\n",
    "int n;cin>>n;vector<string>w(n);for(auto&x:w)cin>>x;",
)
STEPS = Form(
    "The only line has n (1 ≤ n ≤ 80).",
    ("3\n", "5\n", "1\n"),
    "n = int(input())\n",
    'int n;scanf("%d",&n);',
)


@dataclass(frozen=True, slots=True)
class Case:
    """A problem, its right program, and C++ that overflows or is slow; "" where there is none."""

    name: str
    task: str
    right: str
    overflows: str = ""
    slow: str = ""
    form: Form = LIST


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
         "long long r=0;for(int i=1;i<=n;i++)for(int j=1;j<=i;j++){r++;asm(\"\");}printf(\"%lld\",r);", ONE),
    Case("cubes", "Print n squared, times n.", "print(n ** 3)", "printf(\"%d\",n*n*n);", "", ONE),
    Case("odd", "Print the sum of the odd numbers below n.", "print((n // 2) ** 2)",
         "int r=0;for(int i=1;i<n;i+=2)r+=i;printf(\"%d\",r);",
         "long long r=0;for(int i=1;i<n;i+=2)for(int j=0;j<i;j++){r++;asm(\"\");}printf(\"%lld\",r);", ONE),
    Case("divisors", "Print the sum of the divisors of n.",
         "r = 0\ni = 1\nwhile i * i <= n:\n    if n % i == 0:\n        r += i + (n // i if i * i < n else 0)\n    i += 1\nprint(r)",
         "", "long long r=0;for(int k=0;k<n;k++){r=0;for(int i=1;i<=n;i++)r+=n%i?0:i;}printf(\"%lld\",r);", ONE),
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
    # From here on: the forms of usual contest tasks, written before the stage was run on any of them.
    Case("range-sums", "Print for each query the sum of a_l … a_r.",
         "s = [0]\nfor x in a:\n    s.append(s[-1] + x)\nprint(*(s[r] - s[l - 1] for l, r in b))",
         'vector<int>s(n+1);for(int i=0;i<n;i++)s[i+1]=s[i]+a[i];for(auto&p:b)printf("%d ",s[p.second]-s[p.first-1]);',
         'for(auto&p:b){long long s=0;for(int i=p.first;i<=p.second;i++){s+=a[i-1];asm("");}printf("%lld ",s);}', QUERIES),
    Case("best-row", "Print the greatest sum of a row.", "print(max(map(sum, c)))",
         'int r=0;for(auto&x:c){int s=0;for(int y:x)s+=y;r=max(r,s);}printf("%d",r);', "", GRID),
    Case("equal-letters", "Print how many pairs of places have equal letters.",
         "print(sum(s.count(x) * (s.count(x) - 1) // 2 for x in set(s)))",
         'map<char,int>c;int r=0;for(char x:s)r+=c[x]++;printf("%d",r);',
         'long long r=0;for(int i=0;i<n;i++)for(int j=0;j<i;j++){r+=s[i]==s[j];asm("");}printf("%lld",r);', WORD),
    Case("lengths", "Print the sum of all lengths (r - l + 1).", "print(sum(r - l + 1 for l, r in b))",
         'int r=0;for(auto&p:b)r+=p.second-p.first+1;printf("%d",r);', "", INTERVALS),
    Case("most-at-once", "Print the greatest number of intervals that share a point.",
         "e = sorted([(l, 0) for l, r in b] + [(r, 1) for l, r in b])\nk = best = 0\nfor _, is_end in e:\n    k += -1 if is_end else 1\n    best = max(best, k)\nprint(best)",
         "", 'int r=0;for(auto&p:b){int k=0;for(auto&q:b){k+=q.first<=p.first&&p.first<=q.second;asm("");}r=max(r,k);}printf("%d",r);', INTERVALS),
    Case("depths", "Print the sum of the depths of all nodes; the root has depth 0.",
         "h = [0] * (n + 1)\nfor i in range(2, n + 1):\n    h[i] = h[p[i]] + 1\nprint(sum(h))",
         'vector<int>h(n+1);int r=0;for(int i=2;i<=n;i++)r+=h[i]=h[p[i]]+1;printf("%d",r);',
         'long long r=0;for(int i=2;i<=n;i++)for(int j=i;j!=1;j=p[j])r++;printf("%lld",r);', PARENTS),
    Case("greater-pairs", "Print how many pairs i, j have a_i > b_j.",
         "import bisect\nprint(sum(bisect.bisect_left(b, x) for x in a))",
         'sort(b.begin(),b.end());int r=0;for(int x:a)r+=lower_bound(b.begin(),b.end(),x)-b.begin();printf("%d",r);',
         'long long r=0;for(int x:a)for(int y:b){r+=x>y;asm("");}printf("%lld",r);', TWO_LISTS),
    Case("window", "Print the greatest sum of k values in a row.",
         "s = best = sum(a[:k])\nfor i in range(k, n):\n    s += a[i] - a[i - k]\n    best = max(best, s)\nprint(best)",
         'int s=0,r=0;for(int i=0;i<n;i++){s+=a[i];if(i>=k)s-=a[i-k];if(i>=k-1)r=max(r,s);}printf("%d",r);',
         'long long r=0;for(int i=0;i+k<=n;i++){long long s=0;for(int j=i;j<i+k;j++){s+=a[j];asm("");}r=max(r,s);}printf("%lld",r);', WINDOW),
    Case("squares", "Print for each test case the sum of the squares.", "for a in tests:\n    print(sum(x * x for x in a))",
         'for(auto&a:tests){int r=0;for(int x:a)r+=x*x;printf("%d\\n",r);}', "", MANY),
    Case("triples", "Print for each test case how many triples of places have equal values.",
         "from collections import Counter\nfor a in tests:\n    print(sum(c * (c - 1) * (c - 2) // 6 for c in Counter(a).values()))",
         "", 'for(auto&a:tests){long long r=0;int n=a.size();for(int i=0;i<n;i++)for(int j=0;j<i;j++)for(int k=0;k<j;k++){r+=a[i]==a[j]&&a[j]==a[k];asm("");}printf("%lld\\n",r);}', MANY),
    Case("manhattan", "Print the greatest |x_i - x_j| + |y_i - y_j| of two points.",
         "s = [x + y for x, y in b]\nt = [x - y for x, y in b]\nprint(max(max(s) - min(s), max(t) - min(t)))",
         'int s=INT_MIN,u=INT_MAX,t=INT_MIN,v=INT_MAX;for(auto&p:b){s=max(s,p.first+p.second);u=min(u,p.first+p.second);t=max(t,p.first-p.second);v=min(v,p.first-p.second);}printf("%d",max(s-u,t-v));',
         'long long r=0;for(auto&p:b)for(auto&q:b){r=max(r,llabs((long long)p.first-q.first)+llabs((long long)p.second-q.second));asm("");}printf("%lld",r);', POINTS),
    Case("multiple", "Print the least number above 0 that both a and b divide.", "import math\nprint(a * b // math.gcd(a, b))",
         'printf("%d",a*b/__gcd(a,b));', 'long long r=a;while(r%b){r+=a;asm("");}printf("%lld",r);', TWO),
    Case("power", "Print a to the power of b, modulo 10^9 + 7.", "print(pow(a, b, 10**9 + 7))",
         'int r=1,x=a%1000000007;while(b){if(b&1)r=(r*x)%1000000007;x=(x*x)%1000000007;b/=2;}printf("%d",r);',
         'long long r=1;while(b--){r=r*a%1000000007;}printf("%lld",r);', POWER),
    Case("different-words", "Print how many different words there are.", "print(len(set(w)))",
         "", 'int r=0;for(int i=0;i<n;i++){bool f=false;for(int j=0;j<i;j++){f|=w[i]==w[j];asm("");}r+=!f;}printf("%d",r);', WORDS),
    Case("stairs", "Print in how many ways n stairs can be climbed, one or two at a time.",
         "x = y = 1\nfor _ in range(n):\n    x, y = y, x + y\nprint(x)",
         'int x=1,y=1;while(n--){int z=x+y;x=y;y=z;}printf("%d",x);',
         'function<long long(int)>f=[&](int k){return k<2?1LL:f(k-1)+f(k-2);};printf("%lld",f(n));', STEPS),
)  # fmt: skip


def make_row(case: Case) -> dict[str, Any]:
    """The problem with small tests."""
    tests = []
    for text in case.form.inputs:
        command = [sys.executable, "-c", case.form.python + case.right]
        ended = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
        tests.append({"input": text, "output": ended.stdout})
    statement = f"{case.form.statement}\n\n{case.task}"
    limits = {"time_s": _TIME_LIMIT}
    row = {"problem_id": case.name, "kind": "stdin", "statement": statement}
    return {**row, "tests": tests, "limits": limits}


def measure(case: Case, judge: Judge) -> dict[str, Any]:
    """Whether added tests refuse the programs of a case."""
    row = make_row(case)
    code = case.form.python + case.right
    store = ProgramStore()
    store.programs.by_problem[case.name] = [Program(Solution(case.name, "right", code))]
    runner = Runner(judge)
    strong = ProblemStrengthener(runner, store, Strengthen(), 1).run(row).row
    assert strong is not None
    outcome: dict[str, Any] = {"problem": case.name, **strong["strengthened"]}
    for kind, body in (("overflows", case.overflows), ("slow", case.slow)):
        if body:
            text = f"{_HEAD}{case.form.cpp}{body}}}"
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
