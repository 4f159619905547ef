"""Filter: text quality, relevance, recency, duplicates, difficulty."""
