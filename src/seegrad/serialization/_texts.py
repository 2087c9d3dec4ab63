"""What is said of a file that is not loaded: PyTorch's sentences."""

from pickle import UnpicklingError

__all__ = ["UNSAFE", "corrupted", "of_blocked", "of_global", "of_pickle", "told"]

UNSAFE = (
    "In PyTorch 2.6, we changed the default value of the `weights_only` argument in `torch.load` "
    "from `False` to `True`. Re-running `torch.load` with `weights_only` set to `False` will "
    "likely succeed, but it can result in arbitrary code execution. Do it only if you got the "
    "file from a trusted source."
)
DOCUMENTATION = (
    "\n\nCheck the documentation of torch.load to learn more about types accepted by default with "
    "weights_only https://pytorch.org/docs/stable/generated/torch.load.html."
)
TWO_OPTIONS = (
    "Weights only load failed. This file can still be loaded, to do so you have two options, "
    "\x1b[1mdo those steps only if you trust the source of the checkpoint\x1b[0m. \n\t(1) "
    f"{UNSAFE}\n\t(2) Alternatively, to load with `weights_only=True` please check the "
    "recommended steps in the following error message.\n\tWeightsUnpickler error: "
)
FILE_AN_ISSUE = (
    f"Weights only load failed. {UNSAFE}\nPlease file an issue with the following so that we can "
    "make `weights_only=True` compatible with your use case: WeightsUnpickler error: \n\n"
)
CORRUPTED = (
    ". This is an internal miniz error. If you are seeing this error, there is a high likelihood "
    "that your checkpoint file is corrupted. This can happen if the checkpoint was not saved "
    "properly, was transferred incorrectly, or the file was modified after saving."
)


def told(value: object) -> str:
    """A value out of a file, for a text: by its class where it may print without end."""
    if value is None or isinstance(value, (int, float)) or callable(value):
        return f"{value!r:.200}"
    return str(type(value))


def of_global(path: str) -> UnpicklingError:
    """The error for a class or function that is not on the list."""
    return UnpicklingError(
        f"{TWO_OPTIONS}Unsupported global: GLOBAL {path} was not an allowed global by default. "
        f"Please use `torch.serialization.add_safe_globals([{path}])` or the "
        f"`torch.serialization.safe_globals([{path}])` context manager to allowlist this global "
        f"if you trust this class/function.{DOCUMENTATION}"
    )


def of_blocked(path: str, module: str) -> UnpicklingError:
    """The error for a function that no list may hold."""
    return UnpicklingError(
        f"Weights only load failed. {UNSAFE}\n\n\nTrying to load unsupported GLOBAL {path} whose "
        f"module {module} is blocked.{DOCUMENTATION}"
    )


def of_pickle(reason: str) -> UnpicklingError:
    """The error for a pickle that does what none of weights does, or that is damaged."""
    return UnpicklingError(f"{FILE_AN_ISSUE}{reason}{DOCUMENTATION}")


def corrupted(reason: str) -> RuntimeError:
    """The error for an archive that is none, or that lacks a record."""
    return RuntimeError(f"PytorchStreamReader failed {reason}{CORRUPTED}")
