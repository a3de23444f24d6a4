"""The work that is measured, one file each: what it is, by hand in NumPy, with teachcell, and with peers."""

from ..workload import Workload
from . import hooks, hvp, lenet, lstm, mlp, small_ops, spiking, transformer, vgg

WORKLOADS: dict[str, Workload] = {
    "small-ops-forward": small_ops.FORWARD,
    "small-ops": small_ops.BOTH_WAYS,
    "mlp-1": mlp.workload(1, goal=1.25),
    "mlp-64": mlp.workload(64, goal=1.1),
    "mlp-1024": mlp.workload(1024, goal=1.05),
    "lenet": lenet.WORKLOAD,
    "vgg": vgg.WORKLOAD,
    "lstm": lstm.WORKLOAD,
    "spiking": spiking.WORKLOAD,
    "transformer": transformer.WORKLOAD,
    "hvp": hvp.WORKLOAD,
    "hooks": hooks.WORKLOAD,
}
