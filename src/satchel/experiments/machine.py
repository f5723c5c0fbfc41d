"""What a measured second was measured on."""

import os
import platform
import sys
from importlib.metadata import version


def machine() -> str:
    """Cores, processor kind, system, the versions that decide speed, and the GPU where torch was used and finds one.

    Nothing that names the host or its user.
    """
    cores = os.cpu_count() or 1
    return (
        f"{cores} {'core' if cores == 1 else 'cores'} of {platform.machine()}, {platform.system()}, "
        f"Python {platform.python_version()}, numpy {version('numpy')}, scikit-learn {version('scikit-learn')}{_gpu()}"
    )


def _gpu() -> str:
    """The GPU's name; asked only where training has imported torch, which takes a second."""
    torch = sys.modules.get("torch")
    return f", {torch.cuda.get_device_name()}" if torch is not None and torch.cuda.is_available() else ""
