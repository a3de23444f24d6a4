"""Names that MindSpore has and this library leaves out: asking for one says why, and what is nearest."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from ..texts import say

# Reason (a text ``errors.absent_<reason>``) to names, as they are written after ``ops.``, ``nn.`` or ``Tensor.``.
LEFT_OUT: dict[str, str] = {
    "complex": """
        angle conj ConjugateTranspose imag Imag isreal polar Polar real view_as_real cdouble cfloat complex64
        complex128 eig Eig eigvals fft fft2 fftn fftfreq fftshift FFTWithSize hfft hfft2 hfftn ifft ifft2 ifftn
        ifftshift ihfft ihfft2 ihfftn irfft irfft2 irfftn rfft rfft2 rfftfreq rfftn stft STFT
    """,
    "sparse": "Coalesce COOTensor CSRTensor RowTensor to_coo to_csr SparseToDense SparseTensorDenseMatMul",
    "compiler": """
        Primitive PrimitiveWithCheck PrimitiveWithInfer prim_attr_register prim_arg_register DType DataFormatDimMap
        DataFormatVecPermute GetNext build_train_network export load_mindir
    """,
    "devices": """
        AllGather AllReduce AlltoAll Broadcast ReduceScatter MicroBatchInterleaved PipelineCell get_ps_context
        set_ps_context reset_ps_context set_auto_parallel_context comm_fusion offload pin_memory to_dlpack from_dlpack
    """,
}
_REASONS = {name: reason for reason, names in LEFT_OUT.items() for name in names.split()}


def error(where: str, name: str, known: Iterable[str]) -> AttributeError:
    """The AttributeError for ``where.name``, which does not exist.

    Args:
        where: ``"ops"``, ``"nn"``, ``"Tensor"`` or ``"teachcell"``.
        name: what was asked for.
        known: the names that do exist.
    """
    if name.startswith("__"):  # Python asking whether a protocol is there
        return AttributeError(name)
    near = ", ".join(get_close_matches(name, [k for k in known if not k.startswith("_")], cutoff=0.0))
    reason = _REASONS.get(name)
    why = say(f"errors.absent_{reason}") if reason else say("errors.absent")
    return AttributeError(say("errors.no_name", where=where, name=name, why=why, near=near))
