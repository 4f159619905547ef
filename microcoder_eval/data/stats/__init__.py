"""What a corpus looks like: figures, tables, one page with plots."""
