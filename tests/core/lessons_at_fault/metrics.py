"""Lessons that go wrong: metrics."""

from core.lessons_at_fault.lesson import case

T = "train, scores = tc.train, np.ones((4, 3))\n"

CASES = [
    case("metric_indexes", T + "train.MAE().set_indexes(1)", ValueError, "1"),
    case("metric_index", T + "train.MAE().set_indexes([0, 2])(scores, scores)", IndexError, "MAE", "[0, 2]", "2"),
    case("metric_data", T + 'train.Loss()("1.0")', TypeError, "Loss", "str"),
    case("metric_inputs", T + "train.Accuracy().update(scores)", ValueError, "Accuracy", "2", "1"),
    case("metric_shapes", T + "train.Accuracy()(scores, [0, 1])", ValueError, "Accuracy", "(4, 3)", "(2,)", "(4,)"),
    case("metric_empty", T + "train.Accuracy().eval()", RuntimeError, "Accuracy"),
    case("metric_class", T + "train.Accuracy()(scores, [0, 1, 2, 3])", ValueError, "Accuracy", "[0, 3)"),
    case(
        "metric_classes", T + "acc = train.Accuracy()\nacc(scores, [0] * 4)\nacc.update(scores, [0] * 4)\n"
        "acc.update(scores[:, :2], [0] * 4)", ValueError, "3", "2",
    ),
    case("metric_top_k", T + "train.Top5CategoricalAccuracy()(scores, [0] * 4)", ValueError, "5", "(4, 3)"),
    case("metric_name", T + 'train.get_metric_fn("accurate")', KeyError, "accurate", "acc"),
    case("ignore_label", T + 'train.Perplexity("0")', TypeError, "'0'"),
    case("roc_one_kind", T + "train.ROC()([0.1, 0.2], [1, 1])"),
    case("auc_shapes", T + "train.auc([0, 1], [1])", ValueError, "(2,)", "(1,)"),
    case("auc_order", T + "train.auc([0, 1, 0], [1, 1, 1])"),
    case("choice", T + 'train.Accuracy("both")', ValueError, "eval_type", "multilabel", "both"),
]  # fmt: skip
