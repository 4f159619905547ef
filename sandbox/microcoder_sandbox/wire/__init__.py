"""What both sides of the security border share: messages, records, encodings."""
