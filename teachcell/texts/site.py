"""Fixed words of the reference on the site: headings and lead-ins; docstrings themselves stay English."""

from __future__ import annotations

TABLE = {
    "site.also": ("Also ", "其他写法："),
    "site.calls": ("Calls ", "调用："),
    "site.descriptions": ("Descriptions are in English, cards too.", "各函数的说明为英文原文，算子卡片为中文。"),
    "site.inner": ("An inner op: other functions are made of it.", "内部算子，供其他函数使用。"),
    # sections of docstrings
    "site.args": ("Args", "参数"),
    "site.attributes": ("Attributes", "属性"),
    "site.example": ("Example", "示例"),
    "site.examples": ("Examples", "示例"),
    "site.note": ("Note", "说明"),
    "site.raises": ("Raises", "异常"),
    "site.returns": ("Returns", "返回"),
    "site.yields": ("Yields", "产出"),
}
