"""Lessons that go wrong: cells of training, Model, callbacks."""

from core.lessons_at_fault.lesson import case

T = """train, net = tc.train, nn.Dense(2, 1)
x, y = np.ones((4, 2), np.float32), np.ones((4, 1), np.float32)
def made(rate=0.1, **more):
    return train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), rate), **more)
"""

CASES = [
    case("weights_missing", "nn.ForwardValueAndGrad(nn.Dense(1, 1), get_by_list=True)", TypeError, "weights"),
    case("micro_size", "nn.GradAccumulationCell(nn.Identity(), 2)(Tensor([1.0, 2.0, 3.0]))", ValueError, "(3,)", "2"),
    case("not_an_optimizer", "nn.TrainOneStepCell(nn.Identity(), 0.1)", TypeError, "float"),
    case(
        "scale_kind", T + "nn.TrainOneStepWithLossScaleCell(net, nn.SGD(net.trainable_params()), 8.0)", TypeError,
        "float",
    ),
    case("batch_pair", T + "made().train(1, [(x,)])", ValueError, "1"),
    case("dataset", T + "made().train(1, (x, y))", TypeError, "tuple", "[(x, y)]"),
    case("dataset_once", T + "made().train(2, iter([(x, y)]))", ValueError, "list_iterator", "2"),
    case("dataset_empty", T + "made().train(2, [])"),
    case("run_context", T + "train.RunContext(3)", TypeError, "int"),
    case("callback", T + "made().train(1, [(x, y)], print)", TypeError, "builtin_function_or_method"),
    case("hook_not_callable", T + "train.LambdaCallback(on_train_end=3)", TypeError, "on_train_end", "int"),
    case("amp_level", T + 'train.Model(net, amp_level="O2")', ValueError, "O2", "auto_mixed_precision"),
    case("amp_network", T + "tc.amp.auto_mixed_precision(x, 'O1')", TypeError, "ndarray"),
    case("amp_lists", T + "tc.amp.custom_mixed_precision(net)"),
    case("amp_finite", T + "tc.amp.all_finite((x,))", TypeError, "ndarray"),
    case("amp_class", T + "tc.amp.custom_mixed_precision(net, white_list=nn.Dense)", TypeError, "[nn.Dense]"),
    case("amp_class", T + "tc.amp.custom_mixed_precision(net, white_list=[net])", TypeError, "Dense"),
    case("eval_indexes", T + "train.Model(net, eval_indexes=[0, 1])", ValueError, "[0, 1]"),
    case("eval_network", T + 'train.Model(net, metrics=["mae"])'),
    case(
        "eval_outputs", T + 'made(metrics=["mae"], eval_network=lambda x, y: x, eval_indexes=[0, 1, 2]).eval([(x, y)])',
        ValueError, "(0, 1, 2)", "1",
    ),
    case("no_metrics", T + "made().eval([(x, y)])"),
    case("metrics_kind", T + 'train.Model(net, metrics="acc")', TypeError, "str"),
    case("count", T + "train.LossMonitor(-1)", ValueError, "LossMonitor", "per_print_times", "-1"),
    case(
        "loss_not_finite", T + "made().train(1, [(x, y + np.inf)], train.LossMonitor())", ValueError,
        "inf",
    ),
    case(
        "rate_not_a_number",
        T + "made([0.1, 0.2]).train(1, [(x, y)], train.LearningRateScheduler(lambda rate, step: rate))", TypeError,
        "Parameter",
    ),
    case(
        "monitor", T + 'made(metrics=["mae"]).fit(1, [(x, y)], [(x, y)], callbacks=train.EarlyStopping("acc"))',
        UserWarning, "EarlyStopping", "acc", "mae, eval_loss",
    ),
    case("checkpoint_prefix", T + 'train.ModelCheckpoint("a/b")', ValueError, "a/b", "directory"),
    case("checkpoint_config", T + "train.ModelCheckpoint(config=5)", TypeError, "int"),
]  # fmt: skip
