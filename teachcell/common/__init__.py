"""Names in the places where MindSpore users look for them; nothing is defined here."""

from ..core.loading import lazily

__getattr__, __dir__, __all__ = lazily(__name__, {
    "..core.tensor": "Tensor",
    "..nn.parameter": "Parameter ParameterTuple",
    "..nn.seed": "get_seed set_seed",
    "": "dtype initializer parameter tensor",
})  # fmt: skip
