"""What another Python prints: for what must not depend on what this one has loaded or on its threads."""

import os
import subprocess
import sys
from pathlib import Path


def output(code: str, **environment: str) -> str:
    """What a fresh interpreter prints; it finds the helpers of the tests."""
    path = os.pathsep.join([str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")])
    whole = {**os.environ, "PYTHONPATH": path, **environment}
    return subprocess.run([sys.executable, "-c", code], env=whole, capture_output=True, text=True, check=True).stdout
