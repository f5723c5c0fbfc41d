"""Where a command's texts come from."""

from pathlib import Path

from satchel.errors import DamagedFileError, InputError

TEXT_ENDINGS = (".txt", ".md", ".rst")


def texts_from(source: str) -> list[str]:
    """Texts of a file (one a line), of a folder (one a file) or of a data set that has a name."""
    path = Path(source)
    if path.is_dir():
        return _texts_of_folder(path)
    if path.is_file():
        return [line for line in _read(path).split("\n") if line.strip()]
    return _texts_of_dataset(source)


def _texts_of_folder(folder: Path) -> list[str]:
    paths = sorted(path for path in folder.rglob("*") if path.suffix.lower() in TEXT_ENDINGS and path.is_file())
    if not paths:
        raise InputError(f"no text files in {folder}; expected files ending in {', '.join(TEXT_ENDINGS)}")
    return [_read(path) for path in paths]


def _texts_of_dataset(name: str) -> list[str]:
    from satchel.datasets import DATASETS, texts_of

    if name not in DATASETS:
        raise InputError(f"{name!r} is neither a file, a folder nor a data set; data sets: {', '.join(DATASETS)}")
    return texts_of(name)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise DamagedFileError(f"{path} is not UTF-8 text (byte {error.start}); convert it first") from error
