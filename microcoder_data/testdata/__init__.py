"""Makes the test data of packages whose archive has the generator and not what it makes."""
