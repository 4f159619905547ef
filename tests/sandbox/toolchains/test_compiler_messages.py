"""The line of a compiler's messages that is shown: what gcc 12, rustc 1.95, javac 17, node 20 and
go 1.26 printed for these programs, with other people's folders."""

from __future__ import annotations

import pytest

from microcoder_eval import Judge
from microcoder_sandbox.toolchains.compiler_messages import find_reason
from microcoder_sandbox.toolchains.toolchain import find_toolchain, how_to_install

MESSAGES = {
    "gcc -pipe: an assembler that finds no file": (
        """\
{standard input}: Assembler messages:
{standard input}:9: Error: file not found: /etc/hostname
""",
        "{standard input}:9: Error: file not found: hostname",
    ),
    "gcc: a call of what is nowhere": (
        """\
/usr/bin/ld: /tmp/cci0yAAL.o: in function `main':
solution.c:(.text.startup+0x1c): undefined reference to `foo'
collect2: error: ld returned 1 exit status
""",
        "solution.c:(.text.startup+0x1c): undefined reference to `foo'",
    ),
    "gcc: a warning of the linker first": (
        """\
/usr/bin/ld: /tmp/ccGlEa8d.o: in function `main':
solution.c:(.text.startup+0x9): warning: Using 'getpwnam' in statically linked applications \
requires at runtime the shared libraries from the glibc version used for linking
/usr/bin/ld: solution.c:(.text.startup+0x11): undefined reference to `foo'
collect2: error: ld returned 1 exit status
""",
        "ld: solution.c:(.text.startup+0x11): undefined reference to `foo'",
    ),
    "gcc: no main": (
        """\
/usr/bin/ld: /usr/lib/gcc/x86_64-linux-gnu/12/../../../x86_64-linux-gnu/crt1.o: in function `_start':
(.text+0x17): undefined reference to `main'
collect2: error: ld returned 1 exit status
""",  # noqa: E501
        "(.text+0x17): undefined reference to `main'",
    ),
    "gcc: arrays of gigabytes": (
        """\
/tmp/ccUFyfyC.o: in function `main':
solution.c:(.text.startup+0x3): relocation truncated to fit: R_X86_64_PC32 against symbol `a' \
defined in .bss section in /tmp/ccUFyfyC.o
collect2: error: ld returned 1 exit status
""",
        "solution.c:(.text.startup+0x3): relocation truncated to fit: R_X86_64_PC32 against symbol "
        "`a' defined in .bss section in ccUFyfyC.o",
    ),
    "g++: a heading first": (
        """\
solution.cpp: In function ‘int main()’:
solution.cpp:2:35: error: ‘class std::vector<int>’ has no member named ‘push’
    2 | int main(){ std::vector<int> v; v.push("a"); return 0 }
      |                                   ^~~~
""",
        "solution.cpp:2:35: error: ‘class std::vector<int>’ has no member named ‘push’",
    ),
    "g++: in the library's header": (
        """\
In file included from /usr/include/c++/12/algorithm:61,
                 from solution.cpp:1:
/usr/include/c++/12/bits/stl_algo.h: In instantiation of ‘void std::__sort(_Iter, _Iter)’:
/usr/include/c++/12/bits/stl_algo.h:4820:18:   required from ‘void std::sort(_RAIter, _RAIter)’
solution.cpp:3:40:   required from here
/usr/include/c++/12/bits/stl_algo.h:1938:50: error: no match for ‘operator-’ (operand types are
""",
        "stl_algo.h:1938:50: error: no match for ‘operator-’ (operand types are",
    ),
    "rustc: the place on a second line": (
        """\
error[E0425]: cannot find value `y` in this scope
 --> solution.rs:1:46
  |
1 | fn main() { let x: i32 = "a"; println!("{}", y); }
""",
        "error[E0425]: cannot find value `y` in this scope solution.rs:1:46",
    ),
    "rustc: the linker's messages in a note": (
        """\
error: linking with `gcc` failed: exit status: 1
  |
  = note:  "gcc" "-m64" "/tmp/rustcQVcWwP/symbols.o" "<2 object files omitted>" "-Wl,--as-needed"
  = note: some arguments are omitted. use `--verbose` to show all linker arguments
  = note: /usr/bin/ld: <sysroot>/lib/libstd-d1237ef7159db0a2.rlib(std.rcgu.o): in function `std::sys':
          /rustc/59807616e1fa/library/std/src/sys/pal/unix/os.rs:519: warning: Using 'getpwuid_r' in statically linked applications requires at runtime the shared libraries
          /usr/bin/ld: program.solution.7eec6f05bc2bc7d-cgu.0.rcgu.o: in function `solution::main':
          solution.7eec6f05bc2bc7d-cgu.0:(.text._ZN8solution4mainE+0xb): undefined reference to `foo'
          collect2: error: ld returned 1 exit status

  = note: some `extern` functions couldn't be found; some native libraries may need to be installed
  = note: use the `-l` flag to specify native libraries to link

error: aborting due to 1 previous error
""",  # noqa: E501
        "solution.7eec6f05bc2bc7d-cgu.0:(.text._ZN8solution4mainE+0xb): undefined reference to "
        "`foo'",
    ),
    "javac": (
        """\
Main.java:2: error: incompatible types: String cannot be converted to int
    int x = "a"; foo();
            ^
Note: Main.java uses unchecked or unsafe operations.
2 errors
""",
        "Main.java:2: error: incompatible types: String cannot be converted to int",
    ),
    "node: the program's own line first": (
        """\
/scratch/solution.js:3
const s = "error: no"; let = ;
                             ^

SyntaxError: Unexpected token ';'
    at wrapSafe (node:internal/modules/cjs/loader:1464:18)

Node.js v20.20.2
""",
        "SyntaxError: Unexpected token ';'",
    ),
    "go: a heading first": (
        """\
# command-line-arguments
./solution.go:3:15: declared and not used: x
./solution.go:3:35: undefined: y
""",
        "./solution.go:3:15: declared and not used: x",
    ),
    "go: no main": (
        """\
# command-line-arguments
runtime.main_main·f: function main is undeclared in the main package
""",
        "runtime.main_main·f: function main is undeclared in the main package",
    ),
    "go: a package that is nowhere": (
        """\
solution.go:2:8: cannot find package "foo/bar" in any of:
\t/usr/lib/go/src/foo/bar (from $GOROOT)
""",
        'solution.go:2:8: cannot find package "foo/bar" in any of:',
    ),
    "gcc: only that another program failed": (
        "gcc: fatal error: Killed signal terminated program cc1\ncompilation terminated.\n",
        "gcc: fatal error: Killed signal terminated program cc1",
    ),
    "only an exit status": (
        "collect2: error: ld returned 1 exit status\n",
        "collect2: error: ld returned 1 exit status",
    ),
    "nothing": ("\n", "no message"),
}


@pytest.mark.parametrize("name", MESSAGES)
def test_the_first_line_that_says_why_is_shown(name: str) -> None:
    output, reason = MESSAGES[name]
    assert find_reason(output) == reason


@pytest.mark.slow
@pytest.mark.parametrize(
    ("toolchain", "language", "code", "reason"),
    [
        ("gcc", "c", "int foo(int);\nint main(void) { return foo(1); }\n", "`foo'"),
        ("g++", "cpp", "int foo(int);\nint main() { return foo(1); }\n", "`foo(int)'"),
        (
            "rustc",
            "rust",
            'extern "C" { fn foo(); }\nfn main() { unsafe { foo() } }\n',
            "`foo'",
        ),
    ],
)
def test_what_does_not_link_says_what_is_missing(
    toolchain: str, language: str, code: str, reason: str
) -> None:
    if find_toolchain(toolchain) is None:
        pytest.skip(f"this machine has no toolchain for it: {how_to_install(toolchain)}")
    with Judge(workers=1, reuse=False) as judge:
        result = judge.judge({"code": code}, [{"input": "", "output": ""}], language=language)
    assert result.verdict == "CE", result.error
    assert result.tests[0] is not None
    assert f"undefined reference to {reason}" in (result.tests[0].detail or "")
