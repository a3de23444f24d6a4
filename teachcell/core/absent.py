"""Names that other libraries have and this one leaves out: asking for one says why, and what is nearest."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

from ..texts import say

# Reason (a text ``errors.absent_<reason>``) to names as they are written after ``ops.``, ``nn.``, ``Tensor.`` or
# ``teachcell.``, with the place in front where another has such a name; ``name=nearest`` where there is something to
# take instead that is not spelled alike.
LEFT_OUT: dict[str, str] = {
    "complex": """
        angle conj ConjugateTranspose=transpose imag Imag is_complex isreal polar Polar real view_as_real cdouble cfloat
        complex64 complex128 eig=eigh Eig=eigh eigvals=eigvalsh fft fft2 fftn fftfreq fftshift FFTWithSize hfft hfft2
        hfftn ifft ifft2 ifftn ifftshift ihfft ihfft2 ihfftn irfft irfft2 irfftn rfft rfft2 rfftfreq rfftn stft STFT
        MatrixLogarithm=matrix_exp
    """,
    "sparse": """
        Coalesce COOTensor CSRTensor RowTensor to_coo to_csr SparseToDense SparseTensorDenseMatMul=matmul
    """,
    "compiler": """
        Primitive PrimitiveWithCheck PrimitiveWithInfer prim_attr_register prim_arg_register DataFormatDimMap
        DataFormatVecPermute GetNext GraphCell build_train_network connect_network_with_dataset data_sink DatasetHelper
        export load load_mindir rewrite SymbolTree
    """,
    "devices": """
        AllGather AllReduce AlltoAll Broadcast ReduceScatter DistributedGradReducer MicroBatchInterleaved PipelineCell
        SyncBatchNorm=BatchNorm2d communication cuda parallel ParallelMode get_ps_context set_ps_context
        reset_ps_context set_auto_parallel_context async_ckpt_thread_status offload pin_memory to_dlpack from_dlpack
        K_CONTEXT
    """,
    "images": """
        BoundingBoxDecode BoundingBoxEncode CheckValid IOU iou NMSWithMask ROIAlign ImageSummary Dice=ConfusionMatrix
        ConfusionMatrixMetric=ConfusionMatrix HausdorffDistance MeanSurfaceDistance OcclusionSensitivity
        RootMeanSquareDistance
    """,
    "data": "dataset mindrecord",
    "one_interface": "mint=ops teachcell.numpy=ops scipy=ops",
    "no_tape": """
        backward=grad zero_grad=grad autograd=grad no_grad=stop_gradient detach=stop_gradient requires_grad_=Parameter
        Tensor.requires_grad=Parameter
    """,
    "other_name": "Module=Cell nn.functional=ops nn.Parameter=Parameter teachcell.optim=nn",
    "widgets": """
        teachcell.Compare=Compare teachcell.CutDetective=CutDetective teachcell.Explorer=Explorer
        teachcell.explore=Explorer teachcell.GradientGraph=GradientGraph teachcell.HookTimeline=HookTimeline
        teachcell.Modes=Modes teachcell.Replay=Replay teachcell.RuleLab=RuleLab teachcell.Training=Training
    """,
    "text": "BleuScore=Perplexity EditDistance",
    "rare": """
        ApplyAdagradDA=ApplyAdagrad Assert CompareAndBitpack=greater deformable_conv2d=grid_sample
        FractionalAvgPool=adaptive_avg_pool2d FractionalMaxPool=fractional_max_pool2d ops.CTCLoss=CTCLossV2
        MaxPoolWithArgmax=MaxPoolWithArgmaxV2 PReLUExt=PReLU Dropout2dExt=Dropout2d DropoutExt=Dropout ops.LSTM
        Conv2DBackpropInput=Conv2DTranspose fills=full_like Fills=full_like Randperm=randperm
        log_uniform_candidate_sampler=uniform_candidate_sampler ParameterizedTruncatedNormal=TruncatedNormal
        Dense2=Dense thor=Momentum SummaryRecord=History SummaryCollector=History summary=History
        Profiler=TimeMonitor profiler=TimeMonitor experimental=nn probability
    """,
}
_NEAREST = dict(entry.partition("=")[::2] for names in LEFT_OUT.values() for entry in names.split())
_REASONS = {entry.partition("=")[0]: reason for reason, names in LEFT_OUT.items() for entry in names.split()}
_PACKAGES = ("teachcell", "teachcell.nn", "teachcell.ops")


class Finder:
    """Says why there is no module ``teachcell.dataset``, and what is nearest where ``from teachcell.nn import Linnear``
    looks for one; on ``sys.meta_path`` behind those that find modules."""

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> None:
        """Nothing; ModuleNotFoundError with the reason if the module, or one that it is in, is left out, or if there is
        a name like it."""
        where, *inside = fullname.split(".")
        for name in inside if where == "teachcell" else ():
            if name in _REASONS or f"{where}.{name}" in _REASONS:
                # Not the full name: of a module by that name ``from teachcell import`` would only say that it "cannot
                # import" it.
                raise ModuleNotFoundError(str(error(where, name, ())), name=name)
            where = name
        package, _, name = fullname.rpartition(".")
        known = getattr(sys.modules.get(package), "__all__", ()) if package in _PACKAGES else ()
        if nearest(name, known):
            raise ModuleNotFoundError(str(error(package.rpartition(".")[2], name, known)), name=name)


def error(where: str, name: str, known: Iterable[str]) -> AttributeError:
    """The AttributeError for ``where.name``, which does not exist.

    Args:
        where: ``"ops"``, ``"nn"``, ``"Tensor"`` or ``"teachcell"``.
        name: what was asked for.
        known: the names that do exist.
    """
    if name.startswith("__"):  # Python asking whether a protocol is there
        return AttributeError(name)
    key = name if name in _REASONS else f"{where}.{name}"
    near = _NEAREST.get(key) or nearest(name, known)
    reason = _REASONS.get(key)
    why = say(f"errors.absent_{reason}") if reason else say("errors.absent")
    text = say("errors.no_name", where=where, name=name, why=why)
    return AttributeError(text + say("errors.nearest_name", near=near) if near else text)


def nearest(name: str, known: Iterable[str]) -> str:
    """Public names spelled like ``name``, with commas between; "" if there are none."""
    if name.startswith("_"):
        return ""
    from difflib import get_close_matches  # a millisecond that only a slip costs

    return ", ".join(get_close_matches(name, [k for k in known if not k.startswith("_") and k not in _REASONS]))


class LeftOut:
    """A method that a class leaves out: reading it raises the error.

    One for each name, since a ``__getattr__`` for all would cost every other attribute time: 18 % of 100 small ops.
    """

    def __init__(self, name: str):
        self.name = name

    def __get__(self, instance: Any, owner: type) -> Any:
        raise error(owner.__name__, self.name, dir(owner))


def leave_out_of_tensor(cls: type) -> None:
    """Give ``Tensor`` the names that it leaves out; misspelt ones are left to Python, which suggests the nearest."""
    for key, reason in _REASONS.items():
        place, _, name = key.rpartition(".")
        plain = not place and name.islower() and reason in ("complex", "sparse", "devices", "no_tape")
        if place == "Tensor" or plain:
            setattr(cls, name, LeftOut(name))
