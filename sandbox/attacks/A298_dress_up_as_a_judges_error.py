# /// attack
# id = "A298"
# name = "dress up as the judge's own failure"
# category = "interpreter"
# does = "ends with the statuses and notes of a child that could not be confined or did not compile"
# stopped_by = "what happens before its first line is in a page it no longer has"
# verdict = ["RE", "CE", "MLE"]
# why = "a run-time error (RE), or what it says of itself: no entry point (CE), no memory (MLE)"
# problem.tests = [{input="0\n"}, {input="1\n"}, {input="2\n"}, {input="3\n"}, {input="4\n"}, {input="6\n"}, {input="7\n"}, {input="8\n"}, {input="17\n"}, {input="18\n"}]
# ///
import os
import sys

way = int(input())
finish = sys._getframe(1).f_globals["finish"]
things = vars(finish.__self__).values()
for page in [x for x in things if type(x).__name__ == "mmap"]:
    # phase, flags, step, errno: set-up, compiling, does not compile, running, finished, no entry
    page[0:4] = bytes([way % 8, way % 2 * 255, 3, 13])
    page[4:16] = b"\xff" * 12
for module in list(sys.modules.values()):
    if getattr(module, "__name__", "").startswith("microcoder"):
        vars(module).update(PHASE=2, SETUP=5, RUNNING=0, FINISHED=0)
if way > 16:
    os.kill(os.getpid(), 9)
os._exit([97, 96, 255][way % 3])
