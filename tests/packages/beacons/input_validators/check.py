import re
import sys

sys.exit(42 if re.fullmatch(r"\d{1,2}\n\d{1,4}( \d{1,4})*\n", sys.stdin.read()) else 43)
