"""Losses as Cells: of numbers, of scores for classes, of pairs, of regions."""
