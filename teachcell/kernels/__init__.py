"""The arithmetic: ndarrays in, ndarrays out, vectorised, no Tensors and no graph.

A kernel's parameter names are the op's: inputs first, then attributes. Derivative kernels stand beside
their op's kernel. Kernels never write to their inputs.
"""
