"""Texts about messages from the browser that are none."""

TABLE = {
    "messages.no_dict": (
        "The browser sent {got}; an action is a dict such as {{'do': 'reset'}}.",
        "浏览器发来的是 {got}；操作应为 {{'do': 'reset'}} 这样的字典。",
    ),
    "messages.missing": (
        "The browser sent {message}; {key!r} is missing in it.",
        "浏览器发来 {message}；其中缺少 {key!r}。",
    ),
    "messages.kind": (
        "The browser sent {message}; {key!r} should be {wanted}, not {got}.",
        "浏览器发来 {message}；{key!r} 应为{wanted}，而不是 {got}。",
    ),
    "messages.kind_str": ("a text", "文本"),
    "messages.kind_int": ("a whole number", "整数"),
    "messages.kind_bool": ("true or false", "真或假"),
}
