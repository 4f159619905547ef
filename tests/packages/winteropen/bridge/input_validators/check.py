import re
import sys

sys.exit(42 if re.fullmatch(r"[=.]{1,100}\n", sys.stdin.read()) else 43)
