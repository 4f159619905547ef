# /// attack
# id = "A413"
# name = "garbage for an interactor"
# category = "output"
# does = "sends an interactor what it raises on"
# stopped_by = "an interactor that fails once it runs refuses the solution"
# verdict = "WA"
# at_level.2 = {verdict="JE", why="this kind of problem needs a folder to write to, and that needs Landlock (level 3): any program is JE"}
# problem.tests = [{input="7\n", output=""}]
# problem.interactor.source = "import sys\nsecret = int(open(sys.argv[1]).read())\nsys.exit(42 if int(sys.stdin.readline()) == secret else 43)"
# ///
print("x")
