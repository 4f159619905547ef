"""Between host, fork server, guest and test runner: messages, records, encodings of values.

Each module's first line names the processes that use it: host, server (the fork server), guest (a
candidate's child), test runner. A fork server also loads what its children use. What only test code
and candidate say to each other is in ``rpc``, which uses these encodings, too.
"""
