import re
import sys

sys.exit(42 if re.fullmatch(r"\d{1,9}\n", sys.stdin.read()) else 43)
