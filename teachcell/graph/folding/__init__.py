"""Document to scene: which Cells are open, what is drawn as one, and when each value becomes known."""
