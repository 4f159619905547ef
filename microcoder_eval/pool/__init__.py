"""The caller's side: worker processes, what they are asked, and futures that always resolve."""
