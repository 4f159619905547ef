"""The cage: runs one program under limits and says what happened. Knows nothing of tests."""
