"""Sphinx: how the site is built. ``tools/`` makes the reference from the declarations; nothing is fetched."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import teachcell

project = "teachcell"
copyright = "the teachcell authors"
release = teachcell.__version__
extensions = ["myst_parser", "tools.site"]
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = "teachcell"
html_static_path = ["static"]
html_css_files = ["reference.css"]
html_copy_source = False
