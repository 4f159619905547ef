# /// attack
# id = "A281"
# name = "forge replies to test code"
# category = "interpreter"
# does = "takes over the pipes and answers the test code's questions itself, in every wrong form"
# stopped_by = "the test code's process trusts no reply, and compares in its own memory"
# verdict = ["RE", "WA"]
# why = "a forged reply ends the tests (RE) or is a wrong value (WA)"
# problem.entry_point = "f"
# problem.test_code = """
# seen = []
# for n in range(21):
#     given = [n, [n]]
#     try:
#         seen += [f(n, given), given]
#     except Exception:
#         pass
# assert len(seen) > 20
# assert '@SECRET@' in seen or any(value == '@SECRET@' for value in seen)
# """
# ///
import fcntl
import json
import os
import stat

REPLIES = [
    {"ok": {"$handle": -1}}, {"ok": {"$type": "str"}}, {"ok": {"$range": [0, 10, 3]}}, {"ok": True},
    {"ok": {"$list_node": [1, 2]}}, {"ok": {"$tree_node": [[1], None, [2]]}},
    {"ok": {"$deque": [None]}}, {"ok": {"$set": [5]}}, {"ok": {"$error": {"raised": ["int"]}}},
    {"ok": {"$float": "nan"}}, {"ok": {"$dict": [[{"$tuple": []}, {"$handle": 7}]]}}, {"ok": None},
    {"raised": ["AssertionError"]}, {"raised": []}, {"raised": 5, "message": {}}, {"ok": "\\ud800"},
    {"raised": ["BaseException", "", 5, None, "ExceptionGroup", "print"], "message": "PASSED"},
    {"ok": {"$same": 0}, "changed": [[0, ["@SECRET@", {"$same": 1}]]]}, {"ok": [{"$same": 0}]},
    {"ok": 1, "changed": [[0]]}, {"ok": 1, "changed": 5}, {"ok": {"$same": 9}},
    {"ok": 1, "changed": [[0, [{"$same": 0}]], [-1, {"$handle": 1}]]},
    {"ok": [{"$handle": n} for n in range(100)]}, {"ok": {"$int": "0x" + "f" * 100_000}},
]


def ends():
    for descriptor in range(3, 64):
        try:
            if stat.S_ISFIFO(os.fstat(descriptor).st_mode):
                yield fcntl.fcntl(descriptor, fcntl.F_GETFL) & os.O_ACCMODE, descriptor
        except OSError:
            pass


def f(number, argument):
    pipes = dict(ends())
    reply = {"id": 1, **REPLIES[0]}
    while True:
        data = json.dumps(reply).encode()
        os.write(pipes[os.O_WRONLY], len(data).to_bytes(4, "big") + data)
        length = int.from_bytes(os.read(pipes[os.O_RDONLY], 4), "big")
        if not length:
            os._exit(0)
        asked = json.loads(os.read(pipes[os.O_RDONLY], length))
        reply = {"id": asked["id"], **REPLIES[asked["id"] % len(REPLIES)]}
