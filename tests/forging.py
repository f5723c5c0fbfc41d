"""Model folders that lie: for tests of what is refused when the checksums are right."""

import hashlib
import json
from pathlib import Path

from satchel.storage.model_folder import CONFIG_FILE


def forge(folder: Path, **changes: object) -> None:
    """Rewrites a model's config with a matching checksum, as somebody would who wants it to be believed."""
    header = json.loads((folder / CONFIG_FILE).read_text("utf-8")) | changes
    own = {key: value for key, value in header.items() if key != "files"}
    text = json.dumps(own, sort_keys=True, separators=(",", ":")).encode()
    header["files"][CONFIG_FILE] = {"bytes": len(text), "sha256": hashlib.sha256(text).hexdigest()}
    (folder / CONFIG_FILE).write_text(json.dumps(header), "utf-8")
