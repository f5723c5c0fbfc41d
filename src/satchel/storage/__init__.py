"""Files on disk: places, whole files and folders, archives, downloads, model folders."""

from satchel.storage.archives import extract_members, read_members
from satchel.storage.downloads import download, fetch_from_wheel, sha256_of
from satchel.storage.files import (
    cache_folder,
    damaged,
    data_folder,
    find,
    open_unpacked,
    read_lines,
    whole_folder,
    write_lines,
)
from satchel.storage.model_folder import (
    ARRAYS_FILE,
    CONFIG_FILE,
    FILES,
    WORDS_FILE,
    Arrays,
    Json,
    Model,
    load_model,
    model_files,
    read_model,
    refuse_to_overwrite,
    save_model,
)

__all__ = [
    "ARRAYS_FILE",
    "CONFIG_FILE",
    "FILES",
    "WORDS_FILE",
    "Arrays",
    "Json",
    "Model",
    "cache_folder",
    "damaged",
    "data_folder",
    "download",
    "extract_members",
    "fetch_from_wheel",
    "find",
    "load_model",
    "model_files",
    "open_unpacked",
    "read_lines",
    "read_members",
    "read_model",
    "refuse_to_overwrite",
    "save_model",
    "sha256_of",
    "whole_folder",
    "write_lines",
]
