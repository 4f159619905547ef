# /// attack
# id = "A261"
# name = "read the judge's own source"
# category = "filesystem"
# does = "reads the cage's modules that it finds in memory, the judge and the tests beside them"
# stopped_by = "Landlock: the cage's folder is not granted"
# verdict = "RE"
# at_level.2.verdict = "WA"
# at_level.2.why = "without Landlock a file that the user may read is read"
# at_level.2.holds = false
# ///
import inspect
import linecache
import os
import sys

read = []
for name, module in list(sys.modules.items()):
    path = getattr(module, "__file__", None)
    if path and name.startswith("microcoder"):
        folder = os.path.dirname(os.path.dirname(path))
        names = ["", "/../microcoder_eval/worker/verdicts.py", "/../driver.py", "/../.git/config"]
        for file in [path, *(folder + name for name in names), f"{folder}/../pyproject.toml"]:
            try:
                read.append(open(file, "rb").read()[:20])
            except OSError:
                pass
            try:
                read.append(os.listdir(file))
            except OSError:
                pass
        try:
            read.append(inspect.getsource(module))
        except (OSError, TypeError):
            pass
        read += linecache.getlines(path)[:1]
        loader = getattr(module, "__loader__", None)
        try:
            read.append(loader.get_data(path))
        except (OSError, AttributeError):
            pass
if not read:
    raise PermissionError("not to be read")
print(read)
