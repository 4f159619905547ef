# /// attack
# id = "A402"
# name = "memory of the kernel behind locks"
# category = "resource"
# does = "locks every second byte of library files: each lock is kernel memory, on no process's account"
# stopped_by = "seccomp: no locks of ranges"
# verdict = "RE"
# says = "PermissionError: no lock is granted"
# problem.limits.time_s = 2.0
# ///
import fcntl
import os

FOLDER = os.path.dirname(os.__file__)
LOCKS = 1000  # of a file; each one walks along all that are there
held, files = 0, []
for name in os.listdir(FOLDER):
    try:
        files.append(os.open(os.path.join(FOLDER, name), os.O_RDONLY))
    except OSError:  # a link that leads out of sight
        pass
for descriptor in files:
    try:
        for place in range(LOCKS, 0, -1):
            fcntl.lockf(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB, 1, 2 * place)
            held += 1
    except PermissionError:
        pass
if not held:
    raise PermissionError("no lock is granted")
print(held)
