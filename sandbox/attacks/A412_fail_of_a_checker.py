# /// attack
# id = "A412"
# name = "the checker's own _fail"
# category = "output"
# does = "prints an output over which a checker leaves as testlib's quitf(_fail) does"
# stopped_by = "an exit status for a checker's own failure refuses the output"
# verdict = "WA"
# at_level.2 = {verdict="JE", why="this kind of problem needs a folder to write to, and that needs Landlock (level 3): any program is JE"}
# problem.tests = [{input="5\n", output="5\n"}]
# problem.checker.language = "python"
# problem.checker.protocol = "kattis"
# problem.checker.source = "import sys\nvalue = int(sys.stdin.read())\nsys.exit(3 if value > 100 else 42 if value == 5 else 43)"
# ///
print(10**9)
