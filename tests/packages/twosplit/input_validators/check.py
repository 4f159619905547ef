import re
import sys

sys.exit(42 if re.fullmatch(r"\d{1,10}\n", sys.stdin.read()) else 43)
