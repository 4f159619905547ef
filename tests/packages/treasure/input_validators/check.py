import re
import sys

sys.exit(42 if re.fullmatch(r"\d{1,3}\n\d{1,7}( \d{1,7})*\n", sys.stdin.read()) else 43)
