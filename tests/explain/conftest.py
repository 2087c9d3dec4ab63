"""The corpus is made of programs of their own, faults included: nothing there is a test."""

from typing import Any

collect_ignore_glob = ["corpus/*"]


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """The score of the corpus."""
    reports = [r for group in terminalreporter.stats.values() for r in group]
    words = [
        value for report in reports for name, value in getattr(report, "user_properties", ())
        if name == "corpus"
    ]  # fmt: skip
    if words:
        count = words.count
        faults = count("cause") + count("missed")
        terminalreporter.write_line(
            f"corpus: {count('cause')} causes and {count('line')} lines of {faults} faults, "
            f"{count('false alarm')} false alarms in {count('quiet') + count('false alarm')} "
            "healthy programs"
        )
