# /// attack
# id = "A229"
# name = "a thread ends the process"
# category = "process"
# does = "prints the right answer from a thread that ends the process under the main one's feet"
# stopped_by = "nothing: it answered"
# verdict = "AC"
# problem.tests = [{input="2 3\n", output="5\n"}]
# ///
import os
import threading
import time


def work():
    a, b = map(int, input().split())
    os.write(1, b"%d\n" % (a + b))
    os._exit(0)


threading.Thread(target=work).start()
time.sleep(9)
