"""Anomaly mode: `detect_anomaly` and `set_detect_anomaly`."""

import warnings

from seegrad.graph.state import ANOMALY, thread

__all__ = [
    "detect_anomaly",
    "is_anomaly_check_nan_enabled",
    "is_anomaly_enabled",
    "set_anomaly_enabled",
    "set_detect_anomaly",
]


def is_anomaly_enabled() -> bool:
    """Whether anomaly mode is on.

    >>> import seegrad as torch
    >>> torch.is_anomaly_enabled()
    False
    """
    return ANOMALY.enabled


def is_anomaly_check_nan_enabled() -> bool:
    """Whether anomaly mode, when it is on, looks for NaN.

    >>> import seegrad as torch
    >>> torch.is_anomaly_check_nan_enabled()
    True
    """
    return ANOMALY.check_nan


def set_anomaly_enabled(enabled: bool, check_nan: bool = True) -> None:
    """Switches anomaly mode, for all threads; TypeError for what is not a bool.

    >>> import seegrad as torch
    >>> torch.set_anomaly_enabled(False)
    """
    for name, position, value in (("enabled", 1, enabled), ("check_nan", 2, check_nan)):
        if not isinstance(value, bool):
            raise TypeError(
                f"set_anomaly_enabled(): argument '{name}' (position {position}) must be bool, "
                f"not {type(value).__name__}"
            )
    ANOMALY.enabled = enabled
    ANOMALY.check_nan = check_nan
    thread.state.refresh()


class _AnomalyMode:
    """A context manager that restores anomaly mode as it was."""

    def __init__(self) -> None:
        self.prev = is_anomaly_enabled()
        self.prev_check_nan = is_anomaly_check_nan_enabled()

    def __enter__(self) -> None:
        """Everything is set already, unless a subclass sets it here."""

    def __exit__(self, *args: object) -> None:
        set_anomaly_enabled(self.prev, self.prev_check_nan)


class detect_anomaly(_AnomalyMode):
    """Anomaly mode inside: errors of the backward pass name the line of the forward pass.

    While it is on, every node keeps in `node.metadata["traceback_"]` the stack of the call that
    made it, and in `["parent_"]` the node that was running then. An error in a node comes after a
    warning that shows that stack. With `check_nan` a node that returns a NaN raises RuntimeError.
    All of it is slow, as a warning says.

    >>> import warnings
    >>> import seegrad as torch
    >>> warnings.simplefilter("ignore")
    >>> x = torch.tensor(-1.0, requires_grad=True)
    >>> with torch.autograd.detect_anomaly():
    ...     x.sqrt().backward()
    Traceback (most recent call last):
    RuntimeError: Function 'SqrtBackward0' returned nan values in its 0th output.
    """

    def __init__(self, check_nan: bool = True) -> None:
        super().__init__()
        self.check_nan = check_nan
        warnings.warn(
            "Anomaly Detection has been enabled. This mode will increase the runtime and should "
            "only be enabled for debugging.",
            UserWarning,
            stacklevel=2,
        )

    def __enter__(self) -> None:
        set_anomaly_enabled(True, self.check_nan)


class set_detect_anomaly(_AnomalyMode):
    """Switches anomaly mode at once; as a context manager restores it at the end.

    Raises TypeError for what is not a bool.

    >>> import seegrad as torch
    >>> with torch.autograd.set_detect_anomaly(True, check_nan=False):
    ...     torch.is_anomaly_enabled()
    True
    """

    def __init__(self, mode: bool, check_nan: bool = True) -> None:
        super().__init__()
        set_anomaly_enabled(mode, check_nan)


for _cls in (detect_anomaly, set_detect_anomaly):
    _cls.__module__ = "torch.autograd.anomaly_mode"
