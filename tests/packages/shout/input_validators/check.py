import re
import sys

sys.exit(42 if re.fullmatch(r"[a-z]([a-z ]{0,58}[a-z])?\n", sys.stdin.read()) else 43)
