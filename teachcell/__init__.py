"""teachcell: how neural networks differentiate, shown. MindSpore's front end on NumPy.

Engine and lens need NumPy and SciPy; the widgets live in ``teachcell_widgets`` (``pip install 'teachcell[lab]'``).
"""

import warnings as _warnings

from .autodiff import grad as grad  # what every program needs comes at once, the rest when first asked for
from .core import loading as _loading
from .core.tensor import Tensor as Tensor
from .jit import jit as jit  # the folder has this name too

# Overflow and inf − inf are values, said by the value alone; asking NumPy so at each op would cost more than the op.
_warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"teachcell\.")

__version__ = "0.1.0"

_METRICS = """
    Accuracy ConfusionMatrix F1 Fbeta Loss MAE MSE Metric Perplexity Precision ROC Recall
    Top1CategoricalAccuracy Top5CategoricalAccuracy TopKCategoricalAccuracy auc get_metric_fn names
    rearrange_inputs
"""
_loading.HOMES["teachcell.nn"] = dict.fromkeys(_METRICS.split(), "teachcell.train.metrics")  # as in MindSpore
_loading.HOMES["teachcell"] = dict.fromkeys(("bool", "float", "int"), ".dtype")  # no ``import *`` should bring these

__getattr__, __dir__, __all__ = _loading.lazily(__name__, {
    "": "amp common context dtype nn ops train",
    ".autodiff": "GradOperation get_grad grad gradcheck jacfwd jacrev jvp value_and_grad vjp vmap",
    ".core.tensor": "Tensor from_numpy tensor",
    ".dtype": """
        bfloat16 bool_ byte double dtype_to_nptype dtype_to_pytype float16 float32 float64 float_ get_py_obj_dtype
        half int16 int32 int64 int8 int_ intc intp list_ long pytype_to_dtype short single string tuple_ type_none
        ubyte uint uint16 uint32 uint64 uint8 uintc uintp ushort
    """,
    ".jit": """
        GRAPH_MODE HookNote JitConfig JitNote PYNATIVE_MODE constexpr get_context get_jit_config jit jit_class
        launch_blocking lazy_inline mutable set_context set_deterministic set_device
    """,
    ".nn.checkpoint": "load_checkpoint load_param_into_net save_checkpoint",
    ".nn.derivatives": "custom_vjp",
    ".nn.function": "_Function",
    ".nn.parameter": "Parameter ParameterTuple",
    ".nn.seed": """
        Generator default_generator get_rng_state get_seed initial_seed manual_seed seed set_rng_state set_seed
    """,
    ".ops.arrays.facts": "is_tensor",
    ".picture": "Picture draw",
    ".texts": "get_language set_language",
    ".train.callback": """
        Callback CheckpointConfig EarlyStopping History LambdaCallback LearningRateScheduler LossMonitor
        ModelCheckpoint ProgressBar ReduceLROnPlateau RunContext TimeMonitor
    """,
    ".train.loss_scale_manager": "DynamicLossScaleManager FixedLossScaleManager LossScaleManager",
    ".train.metrics": f"CosineSimilarity {_METRICS}",
    ".train.model": "Model",
})  # fmt: skip
