"""The corpus is made of programs of their own, faults included: nothing there is a test."""

collect_ignore_glob = ["corpus/*"]
