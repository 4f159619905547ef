"""HTML pages that load nothing: escaped markup, the shell that all pages share with its
content policy, and a page of curves."""
