"""Ops on images and signals.

``conv`` and ``pool`` slide a window, whose arguments ``sliding`` reads; ``adaptive`` and ``fractional`` pool to a given
size, ``unpool`` undoes pooling; ``resize`` and ``grid_sample`` read between pixels; ``arrange`` exchanges pixels,
channels and blocks.
"""
