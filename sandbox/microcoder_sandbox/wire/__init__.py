"""What both sides of the security border share: messages, records, encodings.

Each module's first line names the processes that use it: host, server (the fork server), guest (a
candidate's child), test runner. A fork server also loads what its children use.
"""
