"""Names in the places where MindSpore users look for them; nothing is defined here."""

from ..core.loading import also_called, lazily

__getattr__, __dir__, __all__ = lazily(__name__, {
    "..core.tensor": "Tensor",
    "..jit": "jit jit_class",
    "..nn.parameter": "Parameter ParameterTuple",
    "..nn.seed": "get_seed set_seed",
    "": "dtype initializer parameter tensor",
})  # fmt: skip

also_called(__name__, "api seed")
