# /// attack
# id = "A411"
# name = "giant digits for a checker"
# category = "output"
# does = "prints millions of digits in each test, over which a careful checker computes"
# stopped_by = "a checker has a limit of CPU time, and all failed checks of a solution one budget"
# verdict = "WA"
# problem.limits.output_mb = 16
# problem.tests = [{input="", output="7\n"}, {input="", output="7\n"}, {input="", output="7\n"}]
# problem.checker.source = "def check(given, output, expected):\n    import sys\n    sys.set_int_max_str_digits(0)\n    try:\n        return int(output) == int(expected)\n    except ValueError:\n        return False"
# ///
print("9" * 3_000_000)
