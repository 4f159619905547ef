"""Between test code and candidate: the calls that tests make, and the values that these carry.

The test runner sends requests, the guest performs them; the host takes no part. Only fork servers
whose children do either load these modules.
"""
