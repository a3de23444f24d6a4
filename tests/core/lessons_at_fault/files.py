"""Lessons that go wrong: files that cannot be written."""

from core.lessons_at_fault.lesson import case

SAVE = "tc.draw(ops.exp, Tensor([1.0])).save"
FOLDER = f"""import tempfile
with tempfile.TemporaryDirectory(suffix=".svg") as folder:
    {SAVE}(folder)"""
CASES = [
    case("file_no_folder", f'{SAVE}("no/such/place.svg")', FileNotFoundError, "place.svg"),
    case("file_is_folder", FOLDER, IsADirectoryError, ".svg"),
]
