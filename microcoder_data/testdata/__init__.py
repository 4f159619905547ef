"""Makes the test data of packages whose archive has a generator but no generated tests."""
