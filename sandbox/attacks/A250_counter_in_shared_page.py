# /// attack
# id = "A250"
# name = "counter in the page shared with the server"
# category = "interpreter"
# does = "writes past the notes that the fork server reads, and answers by what earlier runs left"
# stopped_by = "the server clears the whole page before each fork"
# verdict = "WA"
# problem.tests = [{input="1 2 3\n", output="6\n"}, {input="10 20\n", output="30\n"}, {input="5\n", output="5\n"}]
# ///
import gc
import mmap

pages = {}
for thing in gc.get_objects():
    pages |= {id(x): x for x in gc.get_referents(thing) if type(x) is mmap.mmap}
n = 0
for page in pages.values():
    try:
        n = max(n, page[100])
        page[100] = n + 1
        page[16:100] = b"\xff" * 84  # and no byte of it may confuse the server
    except (ValueError, TypeError):
        pass
print([6, 30, 5][n])
