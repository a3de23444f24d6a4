"""Samples: dropout, whose results are random."""

TESTED_ELSEWHERE = {"dropout", "dropout1d", "dropout2d", "dropout3d", "dropout_with_mask"}
