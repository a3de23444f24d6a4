"""Scene to places: blocks with their leaves, set by Graphviz or by an engine of our own, edges as lines."""
