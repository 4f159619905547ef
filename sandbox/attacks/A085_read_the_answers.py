# /// attack
# id = "A085"
# name = "read the answers on disk"
# category = "filesystem"
# does = "opens the file that holds the expected output, whose path it knows, by every road to it"
# stopped_by = "Landlock, mount namespace"
# verdict = "RE"
# at_level.2.verdict = ["RE", "AC"]
# at_level.2.why = "without Landlock a file that the user may read is read"
# at_level.2.holds = false
# ///
import ctypes
import mmap
import os
import pathlib

PATH = "@SECRET_FILE@"
FOLDER, NAME = os.path.split(PATH)


def by_descriptor(descriptor):
    try:
        return os.read(descriptor, 1000)
    except OSError:
        pass
    with open(f"/proc/self/fd/{descriptor}", "rb") as file:  # an O_PATH descriptor opened again
        return file.read()


def from_inside():
    os.chdir(FOLDER)
    with open(NAME, "rb") as file:
        return file.read()


def as_map():
    with open(PATH, "rb") as file:
        return mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)[:]


def by_libc(name):
    libc = ctypes.CDLL(None, use_errno=True)
    buffer = ctypes.create_string_buffer(1000)
    if name == "fopen":
        libc.fopen.restype = libc.fgets.restype = ctypes.c_void_p
        file = libc.fopen(PATH.encode(), b"r")
        libc.fgets(buffer, 1000, ctypes.c_void_p(file)) if file else None
    else:
        libc.read(libc.open(PATH.encode(), 0), buffer, 1000)
    return buffer.value


ROADS = [
    lambda: open(PATH, "rb").read(),
    lambda: pathlib.Path(PATH).read_bytes(),
    lambda: by_descriptor(os.open(PATH, os.O_RDONLY | os.O_NONBLOCK)),
    lambda: by_descriptor(os.open(PATH, os.O_RDWR)),
    lambda: by_descriptor(os.open(PATH, os.O_PATH)),
    lambda: by_descriptor(os.open(NAME, os.O_RDONLY, dir_fd=os.open(FOLDER, os.O_RDONLY))),
    lambda: by_descriptor(os.open(NAME, os.O_RDONLY, dir_fd=os.open(FOLDER, os.O_PATH))),
    lambda: open(f"/proc/self/root{PATH}", "rb").read(),
    lambda: open(f"/proc/self/cwd/../../../../..{PATH}", "rb").read(),
    lambda: open(os.path.dirname(os.__file__) + "/.." * 12 + PATH, "rb").read(),
    lambda: open("/dev/fd/.." + "/.." * 5 + PATH, "rb").read(),
    lambda: open(f"/proc/@WORKER@/root{PATH}", "rb").read(),
    lambda: open(f"/proc/@CALLER@/root{PATH}", "rb").read(),
    from_inside,
    as_map,
    lambda: by_libc("fopen"),
    lambda: by_libc("open"),
]
for road in ROADS:
    try:
        found = road()
    except (OSError, ValueError):
        continue
    if found:
        print(found.decode())
        break
else:
    raise PermissionError("no road leads there")
