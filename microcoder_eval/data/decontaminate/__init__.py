"""Decontamination: nothing that a problem of an evaluation holds, whatever its numbers or names."""
