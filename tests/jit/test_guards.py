"""What a jit function could look at: whatever of it changes between two calls, jit gives what Python gives.

Each case is a function body and what happens between its calls; a twin runs without jit.
"""

from __future__ import annotations

import builtins
import functools

import numpy as np
import pytest
from jit.programs import Program, agree

import teachcell as tc
from teachcell import Tensor, grad, nn, ops

pytestmark = pytest.mark.filterwarnings("ignore:.* runs eagerly inside jit")  # some cases must

SETUP = """
from collections import OrderedDict, defaultdict, deque, namedtuple
from dataclasses import dataclass
from enum import Enum
import functools, itertools, random, time, types

class Kind(Enum):
    A = 1
    B = 2

@dataclass
class Config:
    rate: float = 2.0

class Base:
    factor = 2.0
    def __init__(self):
        self.value = 1.0
    @property
    def twice(self):
        return self.value * 2
    @staticmethod
    def plain(a):
        return a + 1
    def __getattr__(self, name):
        return 3.0

class Derived(Base):
    pass

class Slotted:
    __slots__ = ("value",)

class MyDict(dict):
    bonus = 1.0

kind, config, thing, slotted, mine = Kind.A, Config(), Derived(), Slotted(), MyDict(a=1.0)
slotted.value = 1.0
table, small, steps, pair = defaultdict(float, a=2.0), np.ones(4, np.float32), itertools.count(), namedtuple("P", "u v")
other = OrderedDict(u=1.0)
partial = functools.partial(lambda a, k: a * k, k=2.0)
cached = functools.lru_cache(lambda k: RATE)
blocks = nn.CellList([nn.Dense(4, 4, weight_init=0.1), nn.Dense(4, 4, weight_init=0.2)])
shared = Tensor.from_numpy(small)

class Meta(type):
    gain = 2.0

class Root:
    pass

class Bare(Root, metaclass=Meta):
    rate = 2.0

class Other(Root, metaclass=Meta):
    rate = 3.0

class Listed(Enum):
    A = [1.0]

class Queue(deque):
    pass

class Numbers(itertools.count):
    pass

class Turned(list):
    def __iter__(self):
        return reversed([*super().__iter__()])

class Named(np.ndarray):
    gain = 2.0

Kind.A.rate = 2.0
bare, queue, numbers, turned, named = Bare(), Queue([1.0]), Numbers(), Turned([1.0]), np.ones(2).view(Named)
held, lists, dicts, tools = ([1.0],), ([1.0, 2.0], [3.0]), ({"x": 1}, {}), types.ModuleType("tools")
tools.__file__, tools.rate, partial.rate = "tools.py", 2.0, 2.0

def counter():
    n = 0
    def count():
        nonlocal n
        n += 1
        return n
    return count

count = counter()

def recurse(a, k):
    return a if k == 0 else recurse(a * 2, k - 1)

def remember(a, seen=[]):
    seen.append(1)
    return a + len(seen)

class Jitted(nn.Cell):
    def __init__(self, k):
        super().__init__()
        self.k = k
    @tc.jit
    def construct(self, a):
        return a * self.k

one, two = Jitted(1.0), Jitted(2.0)
inner = tc.jit(lambda a: a * RATE)

class Rate(nn.Cell):
    def __init__(self):
        super().__init__()
        self.limits = {"low": [1.0]}
    def construct(self, a):
        return a * self.limits["low"][0]

rated = Rate()

class Lazy:
    def __init__(self):
        self.k = float(np.random.RandomState(0).rand())
    def other(self):
        import os
        return time.time() + large.sum() + next(steps)

lazy, large = Lazy(), np.ones((200, 200))
"""
CASES = {
    "an enum": ("a = a * 2 if kind is Kind.A else a", ["kind = Kind.B"]),
    "a dataclass": ("a = a * config.rate", ["config.rate = 3.0", "config = Config(4.0)"]),
    "an attribute of a base class": (
        "a = a * thing.factor",
        ["Base.factor = 3.0", "Derived.factor = 4.0", "thing.factor = 5.0"],
    ),
    "a property": ("a = a * thing.twice", ["thing.value = 3.0", "Base.twice = property(lambda self: 7.0)"]),
    "__getattr__": ("a = a * thing.missing", ["thing.missing = 5.0", "vars(thing).pop('missing', 0)"]),
    "a static method": ("a = thing.plain(a)", ["Base.plain = staticmethod(lambda a: a + 2)"]),
    "slots": ("a = a * slotted.value", ["slotted.value = 2.0"]),
    "a dict of one's own kind": ("a = a * mine['a'] + mine.bonus", ["mine['a'] = 2.0", "MyDict.bonus = 2.0"]),
    "names in a dict": (
        "a = a * len(mine) + ('b' in mine)",
        ["mine['b'] = mine.pop('a', 1.0)", "mine['a'] = mine.pop('b')"],
    ),
    "a default dict": ("a = a * table['b'] + len(table)", ["table['a'] = 1.0"]),
    "an ordered dict": ("a = a * other['u'] + list(other.values())[-1]", ["other['u'] = 2.0", "other['v'] = 3.0"]),
    "a small array": ("a = a * Tensor(small)", ["small[0] = 5.0"]),
    "memory shared with NumPy": ("a = a * shared", ["small[0] = 5.0", "small[1:] = 3.0"]),
    "an iterator": ("a = a + next(steps)", [""]),
    "a closure that counts": ("a = a + count()", [""]),
    "a partial function": (
        "a = partial(a)",
        ["partial = functools.partial(lambda a, k: a * k, k=3.0)", "partial.keywords['k'] = 4.0"],
    ),
    "a cached function": ("a = a * cached(1)", ["RATE = 4.0", "cached.cache_clear()"]),
    "recursion": ("a = recurse(a, n)", ["recurse = lambda a, k: a"]),
    "a default that is written to": ("a = remember(a)", [""]),
    "a constant in code": ("a = recurse(a, n)", ["recurse.__code__ = (lambda a, k: a * 3).__code__"]),
    "defaults of a function": ("a = helper(a)", ["helper = lambda a, k=2: a * k", "helper.__defaults__ = (5,)"]),
    "a decorated construct, two Cells": ("a = one(a) + two(a)", ["one.k = 3.0", "two.k = 1.0", "one, two = two, one"]),
    "jit within jit": ("a = inner(a)", ["RATE = 3.0"]),
    "a list in a dict in a Cell": ("a = rated(a)", ["rated.limits['low'][0] = 2.0", "rated.limits['low'] = [3.0]"]),
    "a list of Cells": (
        "for block in blocks:\n    a = block(a)",
        ["blocks[0] = blocks[1]", "blocks.append(nn.ReLU())"],
    ),
    "a class of the engine": ("a = net.norm(a)", ["net.norm.eps = 0.1", "net.norm.use_batch_statistics = False"]),
    "a builtin that is hidden": ("a = a + len(SIZES)", ["len = lambda x: 7"]),
    "a name that comes later": ("try:\n    a = a + LATE\nexcept NameError:\n    a = a", ["LATE = 2.0"]),
    "an error that is caught": ("try:\n    a = a[int(b.max() > 0) * 7]\nexcept IndexError:\n    a = a - 1", [""]),
    "a check of values": (
        "try:\n    a = ops.cross_entropy(a, (b > 0).astype(tc.int32)[:, 0] * 4)\nexcept ValueError:\n    a = -a",
        [""],
    ),
    "time": ("a = a * (time.time() > 0)", [""]),
    "a random number of Python's": ("a = a * (random.random() >= 0)", [""]),
    "a method that is not called": ("a = a * lazy.k", ["lazy.k = 2.0"]),
    "printing": ("print(end='')", [""]),
    "the seed": ("tc.set_seed(3)\na = a + ops.rand(4)", [""]),
    "globals()": ("a = a * globals()['RATE']", ["RATE = 3.0"]),
    "an import": ("import math as m\na = a * m.sqrt(4)", [""]),
    "the id of an object": ("a = a + (id(config) > 0)", ["config = Config()"]),
    "another list with the same members": ("a = a * SIZES[0]", ["SIZES = list(SIZES)", "SIZES[0] = 4"]),
    "another list in a tuple": ("a = a * held[0][0]", ["held = ([1.0],)", "held[0][0] = 4.0"]),
    "another array with the same values": ("a = a * Tensor(small)", ["small = small.copy()", "small[0] = 4.0"]),
    "an object without attributes": ("a = a * bare.rate", ["bare.rate = 5.0", "vars(bare).pop('rate')"]),
    "a function without attributes": ("a = a * getattr(helper, 'k', 1)", ["helper.k = 3"]),
    "members that move from list to list": (
        "a = a * sum(lists[0]) + len(lists[1])",
        ["lists[1].insert(0, lists[0].pop())", "lists[0].append(lists[1].pop(0))"],
    ),
    "names that move from dict to dict": ("a = a * len(dicts[1])", ["dicts[1]['x'] = dicts[0].pop('x', 1)"]),
    "another class": ("a = a * Base.factor + bare.rate", ["bare.__class__ = Other", "bare.__class__ = Bare"]),
    "another base class": ("a = a * bare.rate", ["Bare.__bases__ = (Other,)"]),
    "another dict of attributes": ("a = a * thing.value", ["thing.__dict__ = {'value': 5.0}"]),
    "names of a class": ("a = a * getattr(Bare, 'late', 1.0)", ["Bare.late = Bare.rate", "del Bare.late"]),
    "a metaclass": ("a = a * Bare.gain", ["Meta.gain = 5.0"]),
    "an attribute of an enum's member": ("a = a * Kind.A.rate", ["Kind.A.rate = 5.0"]),
    "the value of an enum's member": ("a = a * Listed.A.value[0]", ["Listed.A.value[0] = 5.0"]),
    "state in C": ("a = a * queue[0]", ["queue[0] = 5.0"]),
    "an iterator of one's own": ("a = a * next(numbers)", [""]),
    "an attribute of a partial function": ("a = a * partial.rate", ["partial.rate = 5.0"]),
    "a name as text": ("a = a * getattr(tools, 'ra' + 'te')", ["tools.rate = 5.0"]),
    "a name as text that comes later": ("a = a * getattr(tools, 'la' + 'te', 1.0)", ["tools.late = 5.0"]),
    "a name in a module's dict": ("a = a * tools.__dict__['rate']", ["tools.rate = 5.0"]),
    "a name in a function's globals": ("a = a * helper.__globals__['RATE']", ["RATE = 5.0"]),
    "what a default dict makes": ("a = a + table['new'] * (table.pop('new') or 2)", ["table.default_factory = int"]),
    "a list that looks otherwise": ("a = a * turned[0]", ["turned[0] = 5.0"]),
    "an array of one's own kind": ("a = a * named.gain", ["named.gain = 5.0"]),
    "rows of different number": ("a = b[b > 0].sum() + b[b > 0].shape[0]", [""]),
    "an infinite loop's end": ("while a.sum() < 50:\n    a = a * a + 1", [""]),
    "a new attribute": ("a = a * getattr(net, 'extra', 2.0)", ["net.extra = 3.0", "vars(net).pop('extra', 0)"]),
    "a Parameter that is frozen": (
        "v, g = value_and_grad(lambda t: (t * net.w).sum(), None, [net.w])(b)\na = a + g[0]",
        ["net.w.requires_grad = False", "net.w.requires_grad = True"],
    ),
    "a Parameter of another dtype": ("a = a * net.w", ["net.w = Parameter(np.ones(4, np.float16))"]),
    "a Parameter of another shape": (
        "a = a + net.w.shape[0]",
        ["net.w.set_data(Tensor(np.ones((3, 4), np.float32)), True)"],
    ),
    "a Tensor kept from call to call": ("net.seen = a if net.seen is None else net.seen * 0.5 + a", [""]),
    "a write to a shared part": ("KEPT[0] = a[0]\na = a + KEPT[: a.shape[0]]", ["KEPT[0] = 2.0"]),
    "bprop on the class": (
        "a = a * grad(lambda t: rated(t).sum())(b)",
        ["Rate.bprop = lambda self, x, out, dout: (dout * 7,)"],
    ),
    "data of a rate": (
        "v, g = value_and_grad(lambda t: net(t).mean(), None, opt.parameters)(b)\nopt(g)",
        ["ops.assign(opt.learning_rate, 0.5)", "opt.momentum = 0.1", "opt.loss_scale = 2.0"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("call", ["f(x, y)", "grad(s)(x, y)", "value_and_grad(s, 0, net.trainable_params())(x, y)"])
def test_as_without_jit(name: str, call: str) -> None:
    body, events = CASES[name]
    twins = [Program(body.split("\n"), "a.sum()", jitted, SETUP) for jitted in (True, False)]
    for event in ["", "", *events, "", *events, ""]:
        for twin in twins:
            twin.happens(event)
        for seed in (1, 2):
            seen, expected = (twin.called(call, (3, 4), seed) for twin in twins)
            assert agree(seen, expected), (event, seed, seen[0][-1], expected[0][-1])


def test_arguments_of_any_kind() -> None:
    def f(x: Tensor, mode: object = 2, n: int = 1) -> Tensor:
        return x * n if mode == 2 else x + float(mode) if isinstance(mode, np.generic) else x + n + len(str(mode))

    jitted, one = tc.jit(f), Tensor([1.0])
    for k in range(30):
        for mode in (np.float32(k), np.int64(k), range(k), slice(k), complex(k), np.dtype("f4"), str(k), float(k)):
            assert jitted(one, mode).item() == f(one, mode).item()
    assert jitted(one, n=3).item() == 3 and jitted(one, "n", 3).item() == 5


STEP = """v, g = value_and_grad(lambda t: net(t).mean(), None, opt.parameters)(a)
opt(g)"""


@pytest.mark.parametrize("body", [
    f"{STEP}\na = a * v\nreturn b.sum()",
    "ops.assign_add(net.w, ops.ones(4))\nreturn (a + b[:, 0])[0]",
    "a = net.norm(a)\nreturn a + b[:, 0]",
    f"{STEP}\nreturn ops.cross_entropy(net(a), (b[:, 0] > 0).astype(tc.int32) * 7)",
    f"v = 0\n{STEP}\n{STEP}\na = a ** 2 / 2\nreturn a.sum()",
])  # fmt: skip
def test_effects_are_had_once(body: str) -> None:
    """Whatever of the arguments differs, and where the run ends with an error."""

    def call(n: int) -> str:
        return f"f(x, y[:, :{n}])" if n < 4 else "f(x, y)"

    twins = [Program([*body.split("\n")[:-1]], body.split("\n")[-1][7:], jitted, SETUP) for jitted in (True, False)]
    for n in (4, 4, 2, 4, 2, 3):
        seen, expected = (twin.called(call(n), (4, 4), n) for twin in twins)
        assert agree(seen[1:], expected[1:])
        assert agree(seen[0], expected[0])


def test_a_subclass_of_tensor() -> None:
    class Scaled(Tensor):
        gain = 2.0

    f, x = tc.jit(lambda x: Tensor(x) * x.gain), Scaled([1.0])
    for gain in (2.0, 2.0, 3.0, 4.0):
        Scaled.gain = gain
        assert f(x).item() == gain


def test_builtins_and_methods_that_are_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    f, g, h = tc.jit(lambda x: x * round(2.2)), tc.jit(lambda x: x + 1), tc.jit(cell := nn.Tanh())
    one = Tensor([1.0])
    twice, late = tc.jit(lambda x: x.twice() if hasattr(x, "twice") else x), tc.jit(lambda x: x * cell.gain)
    for jitted in (f, g, h, twice):
        jitted(one)
    monkeypatch.setattr(Tensor, "twice", lambda x: x * 2, raising=False)
    assert twice(one).item() == 2
    for gain in (2.0, 3.0):
        monkeypatch.setattr(nn.Tanh, "gain", gain, raising=False)
        assert late(one).item() == gain
    monkeypatch.setattr(builtins, "round", lambda x: 9)
    monkeypatch.setattr(Tensor, "__add__", lambda a, b: a * 7)
    monkeypatch.setattr(nn.Cell, "__call__", lambda self, x: x * 5)
    assert (f(one).item(), g(one).item(), h(one).item()) == (9, 7, 5)


def test_what_c_calls_is_done_each_time(capsys: pytest.CaptureFixture[str]) -> None:
    show = functools.partial(print, "x")
    for f in (lambda x: (list(map(print, "x")), x)[1], lambda x: (show(), x)[1], lambda x: (sorted("x", key=print), x)):
        jitted = tc.jit(f)
        for _ in range(5):
            jitted(Tensor([1.0]))
        assert capsys.readouterr().out == "x\n" * 5


def test_a_tensor_prints_inside_as_outside(capsys: pytest.CaptureFixture[str]) -> None:
    f, x = tc.jit(lambda x: print(x, repr(x), f"{x}")), Tensor([[1.0, 2.0]])
    for _ in range(2):
        f(x)
        inside = capsys.readouterr().out
        f.__wrapped__(x)
        assert inside == capsys.readouterr().out


def test_views_from_outside_hold_arrays_after_a_write() -> None:
    f, parts = tc.jit(lambda x: x.__setitem__(0, 5.0)), []

    def g(x: Tensor) -> Tensor:
        part = x[:2]
        parts.append(part)
        f(x)
        return (part * 2).sum()

    for _ in range(3):
        assert grad(g)(Tensor([1.0, 1.0, 1.0])).asnumpy().tolist() == [0, 2, 0]
        assert type(parts[-1]._array) is np.ndarray and parts[-1].asnumpy().tolist() == [5, 1]


def test_what_cannot_be_a_plan_says_why(capsys: pytest.CaptureFixture[str]) -> None:
    for body, reason in {
        "a = a * slotted.value": "slotted (a Slotted) may change unseen",
        "a = a + large[0, 0]": "large is a NumPy array: make it a Tensor",
        "a = a + next(steps)": "steps (a count) may change unseen",
        "print(end='')": "it calls print",
        "a = a * (time.time() > 0)": "it names the module time",
        "a = a + b.asnumpy().sum()": "a Tensor's values leave the engine (__array__, in asnumpy)",
        "net.count += 1": "it changes net",
        "import math as m": "f imports a module",
    }.items():
        program = Program(body.split("\n"), "a.sum()", True, SETUP)
        for seed in range(4):
            program.called("f(x, y)", (3, 4), seed)
        program.scope["f"].plan()
        assert capsys.readouterr().out == f"f runs eagerly inside jit: {reason}\n"


def test_an_overridden_rule_acts_and_so_does_its_end() -> None:
    f = tc.jit(grad(lambda x: ops.tanh(x).sum()))
    x = Tensor([0.5, 1.0])
    usual = f(x).asnumpy()
    for _ in range(2):
        with ops.tanh.op.override((lambda F, g, out, x: F.multiply(g, x),)):
            assert (f(x).asnumpy() == x.asnumpy()).all()
        assert (f(x).asnumpy() == usual).all()


def test_a_tensor_that_is_argument_and_global_at_once() -> None:
    known, other = Tensor([1.0]), Tensor([5.0])
    f = tc.jit(lambda x: x * 10 + known)
    for x, wanted in ((known, 11.0), (other, 51.0), (known, 11.0), (other, 51.0), (known, 11.0)):
        assert f(x).item() == wanted
    g = tc.jit(lambda x, y: x * 10 + y)
    for x, y, wanted in ((known, known, 11.0), (known, other, 15.0), (other, other, 55.0), (other, known, 51.0)) * 2:
        assert g(x, y).item() == wanted


def test_containers_that_are_given() -> None:
    def f(items: list[Tensor], named: dict[str, Tensor]) -> Tensor:
        items.append(items[0] * 2)
        return items[-1] + named["a"]

    jitted, one = tc.jit(f), Tensor([1.0])
    for k in range(5):
        items = [one + k]
        assert jitted(items, {"a": one}).item() == 2 * (1 + k) + 1 and len(items) == 2
    same = tc.jit(lambda items: items)
    for _ in range(3):
        assert same(items) is items
