"""Statistics of a corpus: figures, and a page with plots."""
