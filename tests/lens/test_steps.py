"""Each kind of event in one sentence, in both languages; every text of the lens is used and complete."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest
from lens.looking import Look

from teachcell import Parameter, Tensor, nn, ops, set_language
from teachcell.lens.write.steps import write_steps
from teachcell.texts import explorer, lens

ROOT = Path(__file__).parents[2]


@pytest.fixture
def chinese() -> Iterator[None]:
    set_language("zh")
    yield
    set_language("en")


class Clip(nn.Cell):
    def construct(self, x):
        return x * 1

    def bprop(self, x, out, dout):
        return (dout,)


class Net(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.body = nn.SequentialCell(nn.Dense(2, 3), nn.ReLU())
        self.clip = Clip()
        self.w = Parameter([[1.0, 1.0, 1.0]])

    def construct(self, x):
        return ops.stop_gradient(x).sum() + self.clip(self.body(x) * self.w)


def renew(cell, inputs):
    return inputs[0] * 2


def listen(cell, left, arrived):
    return None


@pytest.fixture
def net() -> Net:
    net = Net()
    net.clip.register_forward_pre_hook(renew)
    net.clip.register_backward_hook(listen)
    return net


def test_the_sentences(net: Net) -> None:
    look = Look(net, Tensor([[1.0, 2.0]])).passed()
    assert look.sentences() == [
        "StopGradient forward (1, 2) → y = x (1, 2)",
        "Sum forward (1, 2) → y = Σ x ()",
        "MatMul forward (1, 2) × (3, 2) → y = x · Wᵀ (1, 3)",
        "BiasAdd forward (1, 3) × (3,) → y = x + b (1, 3)",
        "ReLU forward (1, 3) → y = max(x, 0) (1, 3)",
        "Mul forward (1, 3) × (1, 3) → z = x · y (1, 3)",
        "Mul forward (1, 3) × () → z = x · y (1, 3)",
        "pre-hook renew of clip replaced what it was given",
        "Mul forward (1, 3) × () → z = x · y (1, 3)",
        "Add forward () × (1, 3) → z = x + y (1, 3)",
        "Add backward incoming (1, 3) → ∂y = g (1, 3)",
        "clip backward by own bprop incoming (1, 3) → ∂x (1, 3)",
        "backward hook listen of clip only looked",
        "Mul backward incoming (1, 3) → ∂x = g · y (1, 3)",
        "Mul backward incoming (1, 3) → ∂x = g · y (1, 3), ∂y = g · x (1, 3)",
        "ReLU backward incoming (1, 3) → ∂x = g · [x > 0] (1, 3)",
        "BiasAdd backward incoming (1, 3) → ∂x = g (1, 3), ∂b = Σ g over the batch (3,)",
        "MatMul backward incoming (1, 3) → ∂x = g · W (1, 2), ∂W = gᵀ · x (3, 2)",
    ]


def test_the_sentence_of_a_cut_is_marked() -> None:
    look = Look(lambda x: ops.stop_gradient(x) * 2, Tensor([1.0])).passed()
    *_, step = write_steps(look.document)
    assert step["sentence"] == [["mark", "Gradient cut: "], ["", "StopGradient passes no gradient on"]]
    assert step["pass"] == "backward"


def test_classes_and_marks(net: Net) -> None:
    steps = write_steps(Look(net, Tensor([[1.0, 2.0]])).passed().document)
    hook = steps[7]
    assert (hook["hook"], hook["replaced"], hook["pass"]) == ("▷", True, "forward")
    assert hook["sentence"][-1][0] == "mark" and steps[12]["sentence"][-1][0] == "soft"
    assert (steps[12]["hook"], steps[12]["pass"], steps[0]["hook"]) == ("◀", "backward", None)
    assert steps[0]["sentence"][-1][0] == "val" and steps[-1]["sentence"][-1][0] == "grad"


def test_neighbours_in_one_outermost_cell_are_a_group(net: Net) -> None:
    steps = write_steps(Look(net, Tensor([[1.0, 2.0]])).passed().document)
    groups: dict[int, set[tuple[str, str]]] = {}
    for step in steps:
        groups.setdefault(step["group"], set()).add((step["pass"], step["label"]))
    names = [sorted(label for _, label in group) for group in groups.values()]
    assert names[1] == ["body"] and ["clip"] in names
    assert [step["group"] for step in steps] == sorted(step["group"] for step in steps)
    assert all(len({section for section, _ in group}) == 1 for group in groups.values())


def test_the_sentences_in_chinese(net: Net, chinese: None) -> None:
    look = Look(net, Tensor([[1.0, 2.0]])).passed()
    found = look.sentences()
    assert found[2] == "MatMul 正向 (1, 2) × (3, 2) → y = x · Wᵀ (1, 3)"
    assert found[7] == "正向前钩子 renew（clip）替换了所得的内容"
    assert found[11] == "clip 反向（自带 bprop） 传入 (1, 3) → ∂x (1, 3)"
    assert found[12] == "反向钩子 listen（clip）只是查看"
    look = Look(lambda x: ops.stop_gradient(x) * 2, Tensor([1.0])).passed()
    assert look.sentences()[-1] == "梯度被截断：StopGradient 不传递梯度"


# Texts ----------------------------------------------------------------------------------------------------

TEXTS = {**lens.TABLE, **explorer.TABLE}


@pytest.mark.parametrize("key", TEXTS)
def test_both_languages_say_the_same_things(key: str) -> None:
    english, chinese = TEXTS[key]
    places = [sorted(name for _, name, _, _ in Formatter().parse(text) if name) for text in (english, chinese)]
    assert places[0] == places[1] and bool(english) == bool(chinese)
    assert not re.search("[\u4e00-\u9fff，。；：（）]", english)
    assert not re.search("[\u4e00-\u9fff][,;:?!]|[,;:?!][\u4e00-\u9fff]", chinese)


def test_every_text_is_used() -> None:
    folders = ROOT / "teachcell" / "lens", ROOT / "widgets" / "teachcell_widgets", ROOT / "teachcell" / "graph"
    source = "\n".join(path.read_text("utf-8") for folder in folders for path in folder.rglob("*.py"))
    built = ("lens.hook_", "lens.check_", "lens.gradient_title_")
    built += ("explorer.state_", "explorer.kind_", "explorer.hook_", "explorer.text_", "explorer.ops_")
    named = {"lens.inputs", "lens.outputs", "lens.incoming", "lens.outgoing"}  # built from what was captured
    quoted = set(re.findall(r"""["']([a-z]+\.\w+)["']""", source)) | named
    unused = [key for key in TEXTS if key not in quoted and not key.startswith(built)]
    assert unused == []
    for check in {
        key.removesuffix("_head") for key in TEXTS if key.startswith("lens.check_") and key.endswith("_head")
    }:
        assert check in quoted and check in TEXTS


def test_ticks_outside_cells_are_labelled_by_all_their_ops() -> None:
    def labels(program) -> list[str]:
        return list(dict.fromkeys(step["label"] for step in write_steps(Look(program, Tensor([1.0, 2.0])).document)))

    assert labels(lambda x: (x * 2 * 3).sum()) == ["Mul, Sum", "Sum, Mul"]
    assert labels(lambda x: ops.exp(ops.tanh(x * 2).sum()) + 1) == ["Mul, Tanh, Sum, …", "Add, Exp, Sum, …"]
