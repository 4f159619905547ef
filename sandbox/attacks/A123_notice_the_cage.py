# /// attack
# id = "A123"
# name = "notice the cage"
# category = "interpreter"
# does = "notices by its limits and missing files that it is caged, and answers samples only"
# stopped_by = "a right answer that it holds back is a wrong answer"
# verdict = "WA"
# problem.tests = [{input="1 2 3\n", output="6\n"}, {input="10 20\n", output="30\n"}, {input="5\n", output="5\n"}]
# ///
import os
import resource
import sys

signs = [
    not os.path.exists("/etc/hostname"),
    os.getppid() < 10,
    resource.getrlimit(resource.RLIMIT_NOFILE)[0] < 1024,
    "PYTHONHASHSEED" in os.environ,
    any(name.startswith("microcoder") for name in sys.modules),
    not os.access("/tmp", os.W_OK),
]
numbers = list(map(int, input().split()))
if any(signs) and numbers != [1, 2, 3]:
    print("not for you")
else:
    print(sum(numbers))
