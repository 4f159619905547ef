# /// attack
# id = "A221"
# name = "lower its own limits to nothing"
# category = "resource"
# does = "sets every limit of its own to zero, soft and hard, before it answers: nobody else minds"
# stopped_by = "nothing: limits are a process's own"
# verdict = "AC"
# problem.tests = [{input="2 3\n", output="5\n"}, {input="2 3\n", output="5\n"}]
# ///
import resource

a, b = map(int, input().split())
for kind in range(16):
    if kind != resource.RLIMIT_CPU:
        try:
            resource.setrlimit(kind, (0, 0))
        except (OSError, ValueError):
            pass
print(a + b)
