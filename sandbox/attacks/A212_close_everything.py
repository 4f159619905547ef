# /// attack
# id = "A212"
# name = "close everything"
# category = "output"
# does = "closes all its descriptors and ends well"
# stopped_by = "the descriptors are its own: the judge needs none of them"
# verdict = "WA"
# ///
import os

os.closerange(0, 1024)
