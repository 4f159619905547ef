# /// attack
# id = "A224"
# name = "stack overflow in a small thread"
# category = "resource"
# does = "overflows the stack of a thread: a crash, far below the memory limit"
# stopped_by = "verdicts: by the signal"
# verdict = "RE"
# says = "SIGSEGV"
# ///
import ctypes
import mmap
import os
import threading

# "call myself", and for the other processor "push, and again": a stack that grows without end
CODE = {"x86_64": "e8fbffffff", "aarch64": "ff4300d1ff0300f9feffff17"}
memory = mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=7)
memory.write(bytes.fromhex(CODE[os.uname().machine]))
overflow = ctypes.CFUNCTYPE(None)(ctypes.addressof(ctypes.c_char.from_buffer(memory)))
threading.stack_size(256 << 10)  # aarch64 takes no less than 128 KiB
thread = threading.Thread(target=overflow)
thread.start()
thread.join()
print("alive")
