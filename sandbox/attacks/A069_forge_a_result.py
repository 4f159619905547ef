# /// attack
# id = "A069"
# name = "forge the server's word"
# category = "process"
# does = "writes forged ends of runs, and the like with descriptors, to every descriptor it could have"
# stopped_by = "every descriptor but three is closed; the verdict is made of what the kernel says"
# verdict = "RE"
# says = "PermissionError: nobody listens"
# ///
import array
import os
import socket
import struct

OK = struct.pack("<cIQQQQ16s", b"E", 0, 1, 1, 1, 1, b"\x04" + bytes(15))
reached = []
for descriptor in range(3, 1024):
    for word in (b"E", b"L", b"R", OK, OK[:-8], b"V5", b'V"5"', bytes(4096)):
        try:
            os.write(descriptor, word)
            reached.append(descriptor)
        except OSError:
            pass
    try:
        with socket.socket(fileno=descriptor) as control:
            rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [0, 1, 2]))]
            control.sendmsg([b"L"], rights)
            reached.append(descriptor)
    except OSError:
        pass
os.write(2, OK)
if not reached:
    raise PermissionError("nobody listens")
print(reached)
