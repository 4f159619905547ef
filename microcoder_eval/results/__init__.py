"""Results on disk: the journal, its index, result lines and summary."""
