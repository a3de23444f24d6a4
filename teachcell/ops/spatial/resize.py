"""Images in another size: interpolation of the last one, two or three axes."""

from __future__ import annotations

import math
from typing import Any

from ...core.define import define
from ...core.public import public
from ...core.record import operand
from ...core.tensor import Tensor
from ...kernels import resize as K
from ...kernels.arguments import with_axes
from ...texts import say
from .adaptive import pooled_means
from .sliding import one_of_any_case, per_axis

_KINDS = {  # for each mode the kernel's name for it, and over how many axes it goes
    "nearest": ("nearest", (1, 2, 3)), "nearest-exact": ("nearest", (1, 2, 3)), "linear": ("linear", (1,)),
    "bilinear": ("linear", (2,)), "trilinear": ("linear", (3,)), "bicubic": ("cubic", (2,)),
    "area": ("area", (1, 2, 3)),
}  # fmt: skip

resized = define(
    "resize", K.resize,
    (lambda F, g, out, x, size, **k: F.resize_grad(g, x.shape[-len(size) :], **k),),
    label="Interpolate", keeps="", floats=(0,), public=False, source="{linear_map}",
    card=("y = Σ w · x {at_neighbours}", "∂x = Σ w · g"),
)  # fmt: skip
define(
    "resize_grad", K.resize_grad,
    (lambda F, h, out, g, size, **k: F.resize(h, g.shape[-len(size) :], **k),),
    keeps="", public=False, source="{linear_map}", card=("y = Σ w · g", "∂g = Σ w · h {at_neighbours}"),
)  # fmt: skip


@public("interpolate", "upsample")
def interpolate(
    input: Tensor, size: Any = None, scale_factor: Any = None, mode: str = "nearest", align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None,
) -> Tensor:  # fmt: skip
    """The last one to three axes of (N, C, …) in another size.

    Args:
        input: (N, C, L), (N, C, H, W) or (N, C, D, H, W).
        size: the wanted lengths, int or one per axis; or else
        scale_factor: how many times as long, a number or one per axis.
        mode: ``"nearest"`` (the element at ⌊i · scale⌋), ``"nearest-exact"`` (the one under the centre), ``"linear"``,
            ``"bilinear"``, ``"trilinear"`` by the number of axes, ``"bicubic"`` or ``"area"`` (means, as adaptive
            average pooling).
        align_corners: for linear and cubic modes, whether the outermost elements keep their places; else elements
            are areas, and these have the same outline.
        recompute_scale_factor: whether distances follow from the lengths even where ``scale_factor`` is given.
    """
    x = with_axes("input", operand(input), 3, 5)
    axes = x.ndim - 2
    kind, fits = _KINDS[one_of_any_case("mode", mode, tuple(_KINDS))]
    if axes not in fits:
        raise ValueError(say("errors.resize_axes", mode=repr(mode), wanted=fits[0] + 2, got=x.shape))
    if align_corners is not None and kind not in ("linear", "cubic"):
        raise ValueError(say("errors.align_corners", mode=repr(mode)))
    if (size is None) == (scale_factor is None):
        raise ValueError(say("errors.one_of_two", first="size", second="scale_factor"))
    scales: tuple[float | None, ...] = (None,) * axes
    if size is None:
        factors = scale_factor if isinstance(scale_factor, (tuple, list)) else (scale_factor,) * axes
        if len(factors) != axes or not all(isinstance(f, (int, float)) and 0 < f < math.inf for f in factors):
            raise ValueError(say("errors.scale_factor", axes=axes, got=repr(scale_factor)))
        size = [int(length * factor) for length, factor in zip(x.shape[2:], factors, strict=True)]
        if not recompute_scale_factor:
            scales = tuple([1 / factor for factor in factors])
    size = per_axis("size", size, axes)
    if kind == "area":
        return pooled_means(x, size, axes)
    origin = "align_corners" if align_corners else "asymmetric" if mode == "nearest" else "half_pixel"
    return resized(x, size=size, mode=kind, origin=origin, scales=scales)


def _resized(
    x: Any, size: Any, kind: str, axes: int, align_corners: bool = False, half_pixel_centers: bool = False
) -> Tensor:
    """As the class forms have it: without either flag, element i lies at i · scale."""
    x = with_axes("x", operand(x), axes + 2, axes + 2)
    if align_corners and half_pixel_centers:
        raise ValueError(say("errors.one_of_two", first="align_corners", second="half_pixel_centers"))
    origin = "align_corners" if align_corners else "half_pixel" if half_pixel_centers else "asymmetric"
    return resized(
        x, size=per_axis("size", size, axes), mode=kind, origin=origin, scales=(None,) * axes
    )  # fmt: skip


@public(primitive="ResizeNearestNeighbor", init=("size", "align_corners", "half_pixel_centers"))
def _nearest_to_size(
    input_x: Tensor, size: Any, align_corners: bool = False, half_pixel_centers: bool = False
) -> Tensor:
    """(N, C, H, W) in another size by the nearest element, the size given at construction."""
    return _resized(input_x, size, "nearest", 2, align_corners, half_pixel_centers)


def _image_class(name: str, kind: str, words: str) -> None:
    def _class(image: Tensor, size: Any, align_corners: bool = False, half_pixel_centers: bool = False) -> Tensor:
        return _resized(image, size, kind, 2, align_corners, half_pixel_centers)

    _class.__doc__ = f"(N, C, H, W) in another size {words}: ``ops.{name}()(image, (height, width))``."
    public(primitive=name, init=("align_corners", "half_pixel_centers"))(_class)


_image_class("ResizeNearestNeighborV2", "nearest", "by the nearest element")
_image_class("ResizeBilinearV2", "linear", "by bilinear interpolation")
_image_class("ResizeBicubic", "cubic", "by bicubic interpolation")


@public(primitive="ResizeLinear1D", init=("coordinate_transformation_mode",))
def _linear_1d(x: Tensor, size: Any, coordinate_transformation_mode: str = "align_corners") -> Tensor:
    """(N, C, L) in another length by linear interpolation."""
    origin = one_of_any_case(
        "coordinate_transformation_mode", coordinate_transformation_mode, ("align_corners", "half_pixel", "asymmetric")
    )
    return _resized(x, size, "linear", 1, origin == "align_corners", origin == "half_pixel")


@public(primitive="UpsampleNearest3D")
def _upsample_nearest_3d(x: Tensor, output_size: Any = None, scales: Any = None) -> Tensor:
    """(N, C, D, H, W) in another size by the nearest element."""
    return interpolate(x, output_size, scales)


@public(primitive="UpsampleTrilinear3D", init=("align_corners",))
def _upsample_trilinear_3d(
    x: Tensor, output_size: Any = None, scales: Any = None, align_corners: bool = False
) -> Tensor:
    """(N, C, D, H, W) in another size by trilinear interpolation."""
    return interpolate(x, output_size, scales, "trilinear", align_corners)
