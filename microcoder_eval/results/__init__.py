"""Results on disk: the journal, result lines and summary."""
