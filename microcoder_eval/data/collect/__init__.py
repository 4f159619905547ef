"""Collect: problems of many forms and places, as rows of one form with licence and origin."""
