"""The Recorder by itself: what it lets go of, and when it does its work."""

import gc

import numpy as np

from teachcell import Tensor, nn, value_and_grad
from teachcell.core.events import observing
from teachcell.lens.watch.recorder import Recorder


def recorded(net, x):
    """The Recorder of one step, forward and backward."""
    recorder = Recorder(net)

    def loss(x):
        value = net(x).sum()
        recorder.forward = False
        return value

    with observing(recorder):
        value_and_grad(loss, None, net.trainable_params())(x)
    recorder.finish()
    return recorder


def test_no_cycle_keeps_its_arrays():
    net, x = nn.SequentialCell(nn.Dense(3, 4), nn.ReLU()), Tensor(np.ones((2, 3), np.float32))
    recorded(net, x)
    gc.collect()
    gc.disable()
    try:
        recorded(net, x)
        assert gc.collect() == 0
    finally:
        gc.enable()
