"""Verify: keeps the few tests needed, which right programs pass and wrong programs fail."""
