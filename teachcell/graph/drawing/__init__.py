"""Places to SVG text: the one drawing path, for the browser and for a file."""
