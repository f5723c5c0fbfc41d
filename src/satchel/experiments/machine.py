"""What a measured second was measured on."""

import os
import platform
from importlib.metadata import version


def machine() -> str:
    """Cores, processor kind, system and the versions that decide speed; nothing that names the host or its user."""
    cores = os.cpu_count() or 1
    return (
        f"{cores} {'core' if cores == 1 else 'cores'} of {platform.machine()}, {platform.system()}, "
        f"Python {platform.python_version()}, numpy {version('numpy')}, scikit-learn {version('scikit-learn')}"
    )
