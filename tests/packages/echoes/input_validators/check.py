import re
import sys

sys.exit(42 if re.fullmatch(r"hide \d{1,2}\n", sys.stdin.read()) else 43)
