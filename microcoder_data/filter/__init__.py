"""Filter: selects problems by text quality, relevance, recency, duplicates and difficulty."""
