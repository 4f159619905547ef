# /// attack
# id = "A410"
# name = "garbage for a checker"
# category = "output"
# does = "prints text on which a checker of one form raises, where the test's own output is not in that form either"
# stopped_by = "a checker that fails once it has read an output refuses it"
# verdict = "WA"
# says = "the checker failed"
# problem.tests = [{input="3\n", output="seed 5\n"}]
# problem.checker.source = "def check(given, output, expected):\n    return 'cost' in dict(line.split(': ') for line in output.splitlines())"
# ///
print("x")
