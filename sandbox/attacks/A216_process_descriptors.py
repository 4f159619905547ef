# /// attack
# id = "A216"
# name = "descriptors of processes"
# category = "process"
# does = "opens others as descriptors, to signal them and to take their files"
# stopped_by = "seccomp: no such calls"
# verdict = "RE"
# says = "PermissionError: every door is shut"
# ///
import ctypes
import os

ARM = os.uname().machine == "aarch64"
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long


def call(numbers, *arguments):
    """The errno of a call; 0 where it was made."""
    given = [ctypes.c_long(a) if isinstance(a, int) else a for a in (numbers[ARM], *arguments)]
    return 0 if libc.syscall(*given) != -1 else ctypes.get_errno()


tried = []
info = ctypes.create_string_buffer(128)
for pid in (os.getppid(), 1, int("@WORKER@"), int("@CALLER@"), os.getpid()):
    for flags in (0, 0o200, 0o4000):
        tried.append(("pidfd_open", call((434, 434), pid, flags)))
for descriptor in range(8):
    for taken in range(4):
        tried.append(("pidfd_getfd", call((438, 438), descriptor, taken, 0)))
    for number in (0, 9, 19):
        tried.append(("pidfd_send_signal", call((424, 424), descriptor, number, None, 0)))
    tried.append(("process_mrelease", call((448, 448), descriptor, 0)))
for special in (-10000, -20000, -10001, -100):  # PIDFD_SELF and the like
    tried.append(("pidfd_getfd of itself", call((438, 438), special, 0, 0)))
    tried.append(("signal by itself", call((424, 424), special, 9, info, 0)))

opened = [(name, error) for name, error in tried if error not in (1, 13, 38)]
if not opened:
    raise PermissionError("every door is shut")
print(opened)
