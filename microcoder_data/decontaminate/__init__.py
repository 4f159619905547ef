"""Decontaminate: drops problems that an evaluation holds, also with other numbers or names."""
