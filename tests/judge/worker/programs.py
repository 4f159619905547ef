"""The same behaviours in every language that is compiled: behaviour -> language -> program.

A program that tries to get out says "out" of what worked, and "held" where nothing did.
"""

from __future__ import annotations

CPP_HEAD = (
    "#include <cstdio>\n#include <cstdlib>\n#include <cstring>\n#include <vector>\n"
    "#include <signal.h>\n#include <unistd.h>\n#include <fcntl.h>\n#include <sys/socket.h>\n"
)
C_HEAD = (
    "#define _GNU_SOURCE\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
    "#include <unistd.h>\n#include <fcntl.h>\n#include <signal.h>\n#include <sys/socket.h>\n"
)
_ATTEMPTS = (
    'if (fork() >= 0) puts("out: fork"); if (socket(2, 1, 0) >= 0) puts("out: socket");'
    'if (open("/etc/passwd", 0) >= 0) puts("out: read");'
    'if (open("/proc/self/environ", 0) >= 0) puts("out: proc");'
    'if (open("/tmp/microcoder-attack", 65, 511) >= 0) puts("out: write");'
    'if (execl("/bin/true", "true", (char *)0) >= 0) puts("out: exec");'
    'if (kill(getppid(), 0) >= 0) puts("out: kill"); puts("held");'
)
_JAVA = "import java.io.*; import java.util.*; import java.nio.file.*;\npublic class Main {{ {} }}"
_JAVA_MAIN = "public static void main(String[] args) throws Exception {{ {} }}"


def java(body: str, members: str = "") -> str:
    """A whole program of the statements of its main method, and other members of its class."""
    return _JAVA.format(members + _JAVA_MAIN.format(body))


SUM = {
    "cpp": "#include <bits/stdc++.h>\nint main() { long a, b;"
    ' std::cin >> a >> b; std::cout << a + b << "\\n"; }',
    "c": f"{C_HEAD}int main(void) {{ long a, b;"
    ' scanf("%ld%ld", &a, &b); printf("%ld\\n", a + b); }',
    "java": java(
        "Scanner s = new Scanner(System.in); System.out.println(s.nextInt() + s.nextInt());"
    ),
    "javascript": 'const [a, b] = require("fs").readFileSync(0, "utf8").split(/\\s+/)'
    ".map(Number);\nconsole.log(a + b);",
    "rust": "use std::io::*;\nfn main() { let mut s = String::new(); stdin().read_to_string(&mut s)"
    ".unwrap(); let v: Vec<i64> = s.split_whitespace().map(|x| x.parse().unwrap()).collect();"
    ' println!("{}", v[0] + v[1]); }',
    "go": 'package main\nimport "fmt"\nfunc main() { var a, b int; fmt.Scan(&a, &b);'
    " fmt.Println(a + b) }",
    "pypy": "a, b = map(int, input().split())\nprint(a + b)\n",
}
DEEP = {  # two hundred thousand calls deep
    "cpp": f'{CPP_HEAD}volatile int z; int f(int n) {{ return n ? f(n - 1) + 1 + z : 0; }}\n'
    'int main() { printf("%d\\n", f(200000)); }',
    "c": f'{C_HEAD}volatile int z; int f(int n) {{ return n ? f(n - 1) + 1 + z : 0; }}\n'
    'int main(void) { printf("%d\\n", f(200000)); }',
    "java": java("System.out.println(f(200000));",
                 "static int f(int n) { return n == 0 ? 0 : f(n - 1) + 1; }"),
    "javascript": "const f = n => n ? f(n - 1) + 1 : 0; console.log(f(200000));",
    "rust": "fn f(n: u64) -> u64 { if n == 0 { 0 } else { std::hint::black_box(f(n - 1)) + 1 } }\n"
    'fn main() { println!("{}", f(200000)); }',
    "go": 'package main\nimport "fmt"\nfunc f(n int) int { if n == 0 { return 0 };'
    " return f(n-1) + 1 }\nfunc main() { fmt.Println(f(200000)) }",
}  # fmt: skip
SPIN = {
    "cpp": "int main() { for (volatile int i = 0;; i++) {} }",
    "c": "int main(void) { for (volatile int i = 0;; i++) {} }",
    "java": java("for (long i = 0;; i++) if (i < 0) System.out.println(i);"),
    "javascript": "for (;;) {}",
    "rust": "fn main() { let mut i = 0u64; loop { i = std::hint::black_box(i + 1); } }",
    "go": "package main\nfunc main() { for { } }",
    "pypy": "while True: pass\n",
}
GROW = {
    "cpp": f"{CPP_HEAD}int main() {{ for (;;) {{ char *p = (char *)malloc(1 << 20);"
    ' memset(p, 1, 1 << 20); asm volatile("" :: "r"(p) : "memory"); } }',
    "c": f"{C_HEAD}int main(void) {{ for (;;) {{ char *p = malloc(1 << 20);"
    ' memset(p, 1, 1 << 20); asm volatile("" :: "r"(p) : "memory"); } }',
    "java": java("List<byte[]> l = new ArrayList<>(); for (;;) l.add(new byte[1 << 20]);"),
    "javascript": "const l = []; for (;;) l.push(new Array(1 << 17).fill(l.length));",
    "rust": "fn main() { let mut l = Vec::new(); loop {"
    " l.push(std::hint::black_box(vec![1u8; 1 << 20])); } }",
    "go": "package main\nfunc main() { var l [][]byte; for { b := make([]byte, 1<<20);"
    " for i := range b { b[i] = 1 }; l = append(l, b) } }",
    "pypy": "items = []\nwhile True: items.append(bytearray(1 << 20))\n",
}
CHATTER = {
    "cpp": f'{CPP_HEAD}int main() {{ for (;;) puts("chatter chatter chatter"); }}',
    "c": f'{C_HEAD}int main(void) {{ for (;;) puts("chatter chatter chatter"); }}',
    "java": java('String s = "chatter ".repeat(1000); for (;;) System.out.println(s);'),
    "javascript": 'const fs = require("fs"); const s = "chatter ".repeat(1000);'
    " for (;;) { try { fs.writeSync(1, s) } catch (e) {} }",
    "rust": 'fn main() { loop { println!("chatter chatter chatter"); } }',
    "go": 'package main\nimport "fmt"\nfunc main() { for { fmt.Println("chatter chatter") } }',
    "pypy": "while True: print('chatter ' * 1000)\n",
}
CRASH = {
    "cpp": f"{CPP_HEAD}int main() {{ std::vector<int>().at(3); }}",
    "c": f"{C_HEAD}int main(void) {{ abort(); }}",
    "java": java("System.out.println(args[7]);"),
    "javascript": "null.x;",
    "rust": "fn main() { let v: Vec<i32> = Vec::new();"
    ' println!("{}", v[std::hint::black_box(3)]); }',
    "go": 'package main\nfunc main() { panic("crash") }',
    "pypy": "[][3]\n",
}
NO_ENTRY = {"java": "class Main { }\n", "go": "package sol\nfunc main() {}\n"}
ESCAPE = {
    "cpp": f"{CPP_HEAD}int main() {{ {_ATTEMPTS} }}",
    "c": f"{C_HEAD}int main(void) {{ {_ATTEMPTS} }}",
    "java": java(
        'attempt("exec", () -> new ProcessBuilder("/bin/true").start());'
        'attempt("socket", () -> new java.net.ServerSocket(0));'
        'attempt("read", () -> Files.readAllBytes(Paths.get("/etc/passwd")));'
        'attempt("proc", () -> Files.readAllBytes(Paths.get("/proc/self/environ")));'
        'attempt("write", () -> Files.write(Paths.get("/tmp/microcoder-attack"), new byte[1]));'
        'System.out.println("held");',
        "interface Act { Object run() throws Throwable; } static void attempt(String name, Act a) {"
        ' try { a.run(); System.out.println("out: " + name); } catch (Throwable e) { } }',
    ),
    "javascript": """
const fs = require("fs"), cp = require("child_process");
function attempt(name, act) { try { act(); console.log("out: " + name); } catch (e) { } }
attempt("exec", () => { const r = cp.spawnSync("/bin/true"); if (r.error) throw r.error; });
attempt("read", () => fs.readFileSync("/etc/passwd"));
attempt("proc", () => fs.readFileSync("/proc/self/environ"));
attempt("write", () => fs.writeFileSync("/tmp/microcoder-attack", "x"));
attempt("kill", () => process.kill(process.ppid, 0));
const server = require("net").createServer();
server.on("error", () => console.log("held"));
server.listen(0, "127.0.0.1", () => { console.log("out: socket"); server.close(); });
""",
    "rust": """
use std::{fs, net, process};
fn main() {
    if process::Command::new("/bin/true").status().is_ok() { println!("out: exec"); }
    if net::TcpListener::bind("127.0.0.1:0").is_ok() { println!("out: socket"); }
    if fs::read("/etc/passwd").is_ok() { println!("out: read"); }
    if fs::read("/proc/self/environ").is_ok() { println!("out: proc"); }
    if fs::write("/tmp/microcoder-attack", "x").is_ok() { println!("out: write"); }
    println!("held");
}
""",
    "go": """
package main
import ("fmt"; "net"; "os"; "syscall")
func main() {
    if _, e := syscall.ForkExec("/bin/true", nil, nil); e == nil { fmt.Println("out: exec") }
    if _, e := net.Listen("tcp", "127.0.0.1:0"); e == nil { fmt.Println("out: socket") }
    if _, e := os.ReadFile("/etc/passwd"); e == nil { fmt.Println("out: read") }
    if _, e := os.ReadFile("/proc/self/environ"); e == nil { fmt.Println("out: proc") }
    if os.WriteFile("/tmp/microcoder-attack", nil, 0644) == nil { fmt.Println("out: write") }
    fmt.Println("held")
}
""",
    "pypy": """
import os
import socket
def attempt(name, *call):
    try: call[0](*call[1:])
    except BaseException: return
    print("out:", name)
attempt("fork", os.fork)
attempt("socket", socket.socket)
attempt("read", open, "/etc/passwd")
attempt("proc", open, "/proc/self/environ")
attempt("write", open, "/tmp/microcoder-attack", "w")
attempt("exec", os.execv, "/bin/true", ["true"])
attempt("kill", os.kill, os.getppid(), 0)
print("held")
""",
}
EIGHT_THREADS = {
    "cpp": "#include <atomic>\n#include <iostream>\n#include <thread>\n#include <vector>\n"
    "int main() { std::atomic<int> count(0); std::vector<std::thread> threads;\n"
    "for (int i = 0; i < 8; i++) threads.emplace_back([&] { count++; while (count < 8); });\n"
    "for (auto &thread : threads) thread.join(); std::cout << count << std::endl; }",
    "java": java(
        "var count = new java.util.concurrent.CountDownLatch(8);"
        " for (int i = 0; i < 8; i++) new Thread(count::countDown).start();"
        " count.await(); System.out.println(8);"
    ),
    "rust": "use std::thread; fn main() { let threads: Vec<_> = (0..8).map(|_| thread::spawn(|| 1))"
    '.collect(); println!("{}", threads.into_iter().map(|t| t.join().unwrap()).sum::<i32>()); }',
}
THREADS = {
    "cpp": "#include <thread>\n#include <unistd.h>\n"
    "int main() { for (;;) std::thread([] { pause(); }).detach(); }",
    "java": java(
        "for (;;) { Thread t = new Thread(() -> { try { Thread.sleep(100000); }"
        " catch (Exception e) { } }); t.start(); }"
    ),
    "rust": "fn main() { loop { std::thread::Builder::new().stack_size(65536).spawn(||"
    " std::thread::sleep(std::time::Duration::from_secs(99))).unwrap(); } }",
}
# What a compiler is fed: (language, program, a part of what is said). None of it compiles.
BOMBS = {
    "templates without end": (
        "cpp",
        "template <int n> struct A { static const int v = A<n + 1>::v + A<n + 2>::v; };\n"
        "int main() { return A<0>::v; }",
        "solution.cpp",
    ),
    "a header of the machine's": ("cpp", '#include "/etc/passwd"\nint main() {}', "passwd"),
    "an endless header": ("c", '#include "/dev/zero"\nint main(void) { return 0; }', "zero"),
    "bytes of the machine's": (
        "c",
        '__asm__(".incbin \\"/etc/hostname\\""); int main(void) { return 0; }',
        "hostname",
    ),
    "a program of gigabytes": (
        "c",
        "char a[1u << 30] = {1}; int main(void) { return a[5]; }",
        "",
    ),
    "includes itself": ("c", '#include "solution.c"\n', "nested"),
    "a file as text": (
        "rust",
        'fn main() { println!("{}", include_str!("/etc/passwd")); }',
        "couldn't read",
    ),
    "macros without end": (
        "rust",
        "macro_rules! a { ($($t:tt)*) => { a!($($t)* $($t)* x) } }\nfn main() { a!(x); }",
        "",
    ),
    "no classes": ("java", "// nothing\n", "no program"),
    "nested without end": ("javascript", "[" * 3_000_000, ""),
}
