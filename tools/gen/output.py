"""Writes what generators make."""


def write(path, text):
    """Leaves a file alone that says the same already: what is built from it stays as it is."""
    try:
        with open(path, encoding="utf-8", newline="") as f:
            if f.read() == text:
                return
    except (OSError, UnicodeDecodeError):
        pass
    with open(path, "w", encoding="utf-8", newline="") as f:
        f.write(text)
