"""teachcell: how neural networks differentiate, shown. MindSpore's front end on NumPy.

Engine and lens need NumPy and SciPy; the widgets live in ``teachcell_widgets`` (``pip install 'teachcell[lab]'``).
"""

import warnings as _warnings
from typing import Any

from . import common, context, dtype, nn, ops, train
from .autodiff import GradOperation, get_grad, grad, gradcheck, jacfwd, jacrev, jvp, value_and_grad, vjp, vmap
from .core.absent import error as _error
from .core.tensor import Tensor, from_numpy, tensor
from .dtype import (
    bfloat16,
    bool_,
    byte,
    double,
    dtype_to_nptype,
    dtype_to_pytype,
    float16,
    float32,
    float64,
    get_py_obj_dtype,
    half,
    int8,
    int16,
    int32,
    int64,
    intc,
    list_,
    long,
    pytype_to_dtype,
    short,
    single,
    string,
    tuple_,
    type_none,
    ubyte,
    uint,
    uint8,
    uint16,
    uint32,
    uint64,
    uintc,
    ushort,
)
from .jit import (
    GRAPH_MODE,
    PYNATIVE_MODE,
    HookNote,
    JitConfig,
    JitNote,
    constexpr,
    get_context,
    get_jit_config,
    jit,
    jit_class,
    launch_blocking,
    lazy_inline,
    mutable,
    set_context,
    set_deterministic,
    set_device,
)
from .nn.checkpoint import load_checkpoint, load_param_into_net, save_checkpoint
from .nn.derivatives import custom_vjp
from .nn.function import _Function
from .nn.parameter import Parameter, ParameterTuple
from .nn.seed import (
    Generator,
    default_generator,
    get_rng_state,
    get_seed,
    initial_seed,
    manual_seed,
    seed,
    set_rng_state,
    set_seed,
)
from .ops.arrays.facts import is_tensor
from .picture import Picture, draw
from .texts import get_language, set_language
from .train import (
    F1,
    MAE,
    MSE,
    ROC,
    Accuracy,
    Callback,
    CheckpointConfig,
    ConfusionMatrix,
    CosineSimilarity,
    DynamicLossScaleManager,
    EarlyStopping,
    Fbeta,
    FixedLossScaleManager,
    History,
    LambdaCallback,
    LearningRateScheduler,
    Loss,
    LossMonitor,
    LossScaleManager,
    Metric,
    Model,
    ModelCheckpoint,
    Perplexity,
    Precision,
    ProgressBar,
    Recall,
    ReduceLROnPlateau,
    RunContext,
    TimeMonitor,
    Top1CategoricalAccuracy,
    Top5CategoricalAccuracy,
    TopKCategoricalAccuracy,
    auc,
    get_metric_fn,
    names,
    rearrange_inputs,
)

# Overflow and inf − inf are values, said by the value alone; asking NumPy so at each op would cost more than the op.
_warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"teachcell\.")

__version__ = "0.1.0"

__all__ = [
    "Accuracy", "Callback", "CheckpointConfig", "ConfusionMatrix", "CosineSimilarity", "DynamicLossScaleManager",
    "EarlyStopping", "F1", "Fbeta", "FixedLossScaleManager", "GRAPH_MODE", "Generator", "GradOperation", "History",
    "HookNote", "JitConfig", "JitNote", "LambdaCallback", "LearningRateScheduler", "Loss", "LossMonitor",
    "LossScaleManager", "MAE", "MSE", "Metric", "Model", "ModelCheckpoint", "PYNATIVE_MODE", "Parameter",
    "ParameterTuple", "Perplexity", "Picture", "Precision", "ProgressBar", "ROC", "Recall", "ReduceLROnPlateau",
    "RunContext",
    "Tensor", "TimeMonitor", "Top1CategoricalAccuracy", "Top5CategoricalAccuracy", "TopKCategoricalAccuracy",
    "_Function", "auc", "bfloat16", "bool_", "byte", "common", "constexpr", "context", "custom_vjp",
    "default_generator", "double", "draw", "dtype", "dtype_to_nptype", "dtype_to_pytype", "float16", "float32",
    "float64", "from_numpy", "get_context", "get_grad", "get_jit_config", "get_language", "get_metric_fn",
    "get_py_obj_dtype", "get_rng_state", "get_seed", "grad", "gradcheck", "half", "initial_seed", "int16", "int32",
    "int64", "int8", "intc", "is_tensor", "jacfwd", "jacrev", "jit", "jit_class", "jvp", "launch_blocking",
    "lazy_inline", "list_", "load_checkpoint", "load_param_into_net", "long", "manual_seed", "mutable", "names",
    "nn", "ops", "pytype_to_dtype", "rearrange_inputs", "save_checkpoint", "seed", "set_context",
    "set_deterministic", "set_device", "set_language", "set_rng_state", "set_seed", "short", "single", "string",
    "tensor", "train", "tuple_", "type_none", "ubyte", "uint", "uint16", "uint32", "uint64", "uint8", "uintc",
    "ushort", "value_and_grad", "vjp", "vmap",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    raise _error("teachcell", name, __all__)
