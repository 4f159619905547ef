"""Collect: reads problems of many formats into rows with licence, origin, platform and date."""
