"""The trusted side: starts fork servers, sends them requests, watches clocks and memory."""
