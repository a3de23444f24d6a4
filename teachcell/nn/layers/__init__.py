"""Layers, one file per family."""
