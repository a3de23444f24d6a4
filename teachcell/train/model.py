"""Model: a network, its loss, an optimizer and metrics, and the loops over data that join them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ..kernels.arguments import in_interval
from ..nn.cell import Cell
from ..nn.layers.checks import positive_int
from ..nn.loss_scale import TrainOneStepWithLossScaleCell
from ..nn.train import TrainOneStepCell, WithEvalCell, WithLossCell
from ..texts import say
from . import data
from .callback.base import Callback, Callbacks, RunFacts
from .metrics import Loss, Metric, get_metric_fn

Given = Callback | Iterable[Callback] | None


class Model:
    """Training, evaluation and prediction of a network.

    A data set is anything that can be gone through again and again, such as a list: each item is a batch, a tuple
    (data, label), or a dict whose values are taken in that order. Arrays become Tensors.

    Args:
        network: the network; without ``loss_fn`` it gives the loss itself.
        loss_fn: a Cell or function of the network's output and the label.
        optimizer: an optimizer; without one, ``network`` is called as one step of training.
        metrics: names such as ``{"acc", "loss"}``, or a dict of names and metrics, for evaluation.
        eval_network: evaluates a batch; by default ``network`` with its loss.
        eval_indexes: where its loss, output and label stand in what ``eval_network`` returns; by default all metrics
            get everything.
        amp_level: only ``"O0"``; for mixed precision give what ``amp.auto_mixed_precision(network, level)`` returns.
        boost_level: accepted for old code; without effect.
        loss_scale_manager: how the loss is scaled.

    Attributes:
        train_network, eval_network, predict_network: the Cells that a batch goes through.
    """

    def __init__(
        self, network: Any, loss_fn: Any = None, optimizer: Any = None, metrics: Any = None,
        eval_network: Any = None, eval_indexes: Sequence[int] | None = None, amp_level: str = "O0",
        boost_level: str = "O0", *, loss_scale_manager: Any = None,
    ):  # fmt: skip
        if amp_level != "O0":
            raise ValueError(say("errors.amp_level", got=repr(amp_level)))
        self._network, self._loss_fn, self._optimizer = network, loss_fn, optimizer
        self._metrics = _named_metrics(metrics)
        self._eval_indexes = eval_indexes
        self.train_network = self._build_train_network(loss_scale_manager)
        self.eval_network = self._build_eval_network(eval_network)
        self.predict_network = network

    def _build_train_network(self, manager: Any) -> Any:
        network = self._network if self._loss_fn is None else WithLossCell(self._network, self._loss_fn)
        if self._optimizer is None:
            return network
        if manager is None:
            return TrainOneStepCell(network, self._optimizer)
        update = manager.get_update_cell()
        if update is None:
            return TrainOneStepCell(network, self._optimizer, float(manager.get_loss_scale()))
        return TrainOneStepWithLossScaleCell(network, self._optimizer, update)

    def _build_eval_network(self, given: Any) -> Any:
        if self._eval_indexes is not None and len(self._eval_indexes) != 3:
            raise ValueError(say("errors.eval_indexes", got=self._eval_indexes))
        if given is not None or not self._metrics:
            return given
        if self._loss_fn is None:
            raise ValueError(say("errors.eval_network"))
        self._eval_indexes = (0, 1, 2)
        return WithEvalCell(self._network, self._loss_fn)

    # Training ---------------------------------------------------------------------------------------------

    def train(
        self, epoch: int, train_dataset: Iterable[Any], callbacks: Given = None, dataset_sink_mode: bool = False,
        sink_size: int = -1, initial_epoch: int = 0,
    ) -> None:  # fmt: skip
        """Go through the data ``epoch`` times, one step per batch.

        Args:
            epoch: the number of epochs; counting starts behind ``initial_epoch``.
            train_dataset: the batches.
            callbacks: a callback or several.
            dataset_sink_mode, sink_size: accepted for old code; without effect.
            initial_epoch: the number of epochs already done, below ``epoch``.

        Raises:
            ValueError: ``epoch`` is not above 0 or not above ``initial_epoch``, or an iterator is to be gone through
                more than once.
            TypeError: ``epoch`` is no int, no data set, or something that is no callback.
        """
        self.fit(epoch, train_dataset, callbacks=callbacks, initial_epoch=initial_epoch)

    def fit(
        self, epoch: int, train_dataset: Iterable[Any], valid_dataset: Iterable[Any] | None = None,
        valid_frequency: int | Sequence[int] = 1, callbacks: Given = None, dataset_sink_mode: bool = False,
        valid_dataset_sink_mode: bool = False, sink_size: int = -1, initial_epoch: int = 0,
    ) -> None:  # fmt: skip
        """Train, and evaluate in between.

        Args:
            epoch, train_dataset, callbacks, initial_epoch: as of :meth:`train`.
            valid_dataset: the batches to evaluate on; None: no evaluation.
            valid_frequency: evaluate after so many epochs each, or after the epochs listed.
            dataset_sink_mode, valid_dataset_sink_mode, sink_size: accepted for old code; without effect.

        Raises:
            ValueError, TypeError: as of :meth:`train`; ValueError also without metrics for an evaluation.
        """
        positive_int("Model", "epoch", epoch)
        in_interval("Model: initial_epoch", initial_epoch, f"[0, {epoch})")
        data.check(train_dataset, epoch - initial_epoch)
        if valid_dataset is not None:
            data.check(valid_dataset, epoch - initial_epoch)
            self._check_metrics()
        facts = RunFacts(
            mode="train", epoch_num=epoch, batch_num=data.size_of(train_dataset), cur_step_num=0,
            cur_epoch_num=initial_epoch, network=self._network, train_network=self.train_network,
            loss_fn=self._loss_fn, optimizer=self._optimizer, train_dataset=train_dataset,
            valid_dataset=valid_dataset, eval_network=self.eval_network, dataset_sink_mode=False,
        )  # fmt: skip
        run = Callbacks(callbacks, facts)
        run.tell("train_begin")
        for number in range(initial_epoch + 1, epoch + 1):
            facts.cur_epoch_num = number
            run.tell("train_epoch_begin")
            self._train_epoch(run, facts)
            if valid_dataset is not None and _is_due(number, valid_frequency):
                self._evaluate(run, facts)
            run.tell("train_epoch_end")
            if run.context.get_stop_requested():
                break
        run.tell("train_end")

    def _train_epoch(self, run: Callbacks, facts: RunFacts) -> None:
        if isinstance(self.train_network, Cell):
            self.train_network.set_train(True)
        steps = 0
        for inputs in data.batches(facts.train_dataset, pairs=self._loss_fn is not None):
            facts.cur_step_num += 1
            steps += 1
            facts.train_dataset_element = inputs
            run.tell("train_step_begin")
            facts.net_outputs = self.train_network(*inputs)
            run.tell("train_step_end")
            if run.context.get_stop_requested():
                return
        if not steps:
            raise ValueError(say("errors.dataset_empty"))
        facts.batch_num = steps

    # Evaluation -------------------------------------------------------------------------------------------

    def eval(
        self, valid_dataset: Iterable[Any], callbacks: Given = None, dataset_sink_mode: bool = False
    ) -> dict[str, Any]:
        """The metrics' values over the data, by name.

        Args:
            valid_dataset: the batches.
            callbacks: a callback or several.
            dataset_sink_mode: accepted for old code; without effect.

        Raises:
            ValueError: the Model has no metrics.
            TypeError: no data set, or something that is no callback.
        """
        self._check_metrics()
        data.check(valid_dataset, 1)
        facts = RunFacts(
            mode="eval", batch_num=data.size_of(valid_dataset), cur_step_num=0, network=self._network,
            eval_network=self.eval_network, valid_dataset=valid_dataset, dataset_sink_mode=False,
        )  # fmt: skip
        return self._evaluate(Callbacks(callbacks, facts), facts)

    def _check_metrics(self) -> None:
        if not self._metrics:
            raise ValueError(say("errors.no_metrics"))

    def _evaluate(self, run: Callbacks, facts: RunFacts) -> dict[str, Any]:
        """One evaluation, which leaves the counting of training steps as it was."""
        step, facts.cur_step_num = facts.cur_step_num, 0
        loss = Loss()
        for metric in (*self._metrics.values(), loss):
            metric.clear()
        if isinstance(self.eval_network, Cell):
            self.eval_network.set_train(False)
        run.tell("eval_begin")
        run.tell("eval_epoch_begin")
        for inputs in data.batches(facts.valid_dataset):
            facts.cur_step_num += 1
            facts.eval_dataset_element = inputs
            run.tell("eval_step_begin")
            facts.net_outputs = self.eval_network(*inputs)
            self._update(facts.net_outputs, loss)
            run.tell("eval_step_end")
        run.tell("eval_epoch_end")
        facts.metrics = {name: metric.eval() for name, metric in self._metrics.items()}
        facts.eval_results = dict(facts.metrics)
        if loss.count:
            facts.eval_results["eval_loss"] = loss.eval()
        run.tell("eval_end")
        facts.cur_step_num = step
        return facts.metrics

    def _update(self, outputs: Any, loss: Loss) -> None:
        """Hand the outputs of a batch to the metrics."""
        outputs = outputs if isinstance(outputs, (tuple, list)) else (outputs,)
        if self._eval_indexes is None:
            for metric in self._metrics.values():
                metric.update(*outputs)
            return
        if max(self._eval_indexes) >= len(outputs):
            raise ValueError(say("errors.eval_outputs", indexes=tuple(self._eval_indexes), count=len(outputs)))
        value, output, label = (outputs[i] for i in self._eval_indexes)
        loss.update(value)
        for metric in self._metrics.values():
            metric.update(value) if isinstance(metric, Loss) else metric.update(output, label)

    # Prediction -------------------------------------------------------------------------------------------

    def predict(self, *predict_data: Any) -> Any:
        """The network's output, in prediction mode."""
        if isinstance(self.predict_network, Cell):
            self.predict_network.set_train(False)
        return self.predict_network(*predict_data)


def _named_metrics(metrics: Any) -> dict[str, Metric]:
    """Metrics by name, of names or a dict."""
    if metrics is None:
        return {}
    if isinstance(metrics, str) or not isinstance(metrics, (dict, set, frozenset, list, tuple)):
        raise TypeError(say("errors.metrics_kind", got=type(metrics).__name__))
    named = metrics if isinstance(metrics, dict) else {name: name for name in sorted(metrics)}
    made = {name: metric if isinstance(metric, Metric) else get_metric_fn(metric) for name, metric in named.items()}
    return made


def _is_due(epoch: int, frequency: int | Sequence[int]) -> bool:
    return epoch % frequency == 0 if isinstance(frequency, int) else epoch in frequency
