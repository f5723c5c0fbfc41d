"""Start-up: a fresh interpreter that imports satchel, against one that imports numpy."""

import subprocess
import sys

from benchmarks.timing import Row, compare


def _python(code: str) -> None:
    subprocess.run([sys.executable, "-c", code], check=True)


def run() -> list[Row]:
    return [
        compare(
            "import satchel (whole interpreter)",
            lambda: _python("import satchel"),
            "import numpy",
            lambda: _python("import numpy"),
            repeat=9,
        )
    ]
