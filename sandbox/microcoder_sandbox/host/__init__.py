"""Trusted, in the worker: starts fork servers, makes requests, watches clocks and memory."""
