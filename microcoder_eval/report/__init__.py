"""The report: one HTML page of results that loads nothing and escapes all data.

judgements -> ReportBuilder (figures, rows, details on disk) -> page -> file, written atomically
"""

from __future__ import annotations

from .builder import ReportBuilder
from .comparison_page import render_comparison
from .reading import read_results
from .results_page import render_page
from .writing import refuse_misuse, write_report
