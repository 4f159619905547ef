# /// attack
# id = "A067"
# name = "memory of others without /proc"
# category = "process"
# does = "reads and writes others by process_vm_readv and the like, and compares their kernel objects"
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
page = ctypes.create_string_buffer(4096)
vector = (ctypes.c_void_p * 2)(ctypes.addressof(page), 4096)
for pid in (os.getppid(), 1, int("@WORKER@"), int("@CALLER@"), os.getpid()):
    tried += [
        ("process_vm_readv", call((310, 270), pid, vector, 1, vector, 1, 0)),
        ("process_vm_writev", call((311, 271), pid, vector, 1, vector, 1, 0)),
        ("kcmp", call((312, 272), os.getpid(), pid, 1, 0, 0)),
        ("process_madvise", call((440, 440), 0, vector, 1, 21, 0)),
        ("process_mrelease", call((448, 448), 0, 0)),
        ("migrate_pages", call((256, 238), pid, 8, vector, vector)),
        ("move_pages", call((279, 239), pid, 0, None, None, None, 0)),
        ("get_robust_list", 0 if call((274, 100), pid, vector, vector) == 0 != pid - os.getpid() else 1),
    ]

opened = [(name, error) for name, error in tried if error not in (1, 13, 38)]
if not opened:
    raise PermissionError("every door is shut")
print(opened)
