"""The same pool on the nodes of a Ray cluster."""
