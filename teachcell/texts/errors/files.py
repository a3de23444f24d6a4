"""Errors: files that cannot be written."""

TABLE = {
    "errors.file_no_folder": (
        "{path} cannot be written: there is no folder {folder}",
        "无法写入 {path}：文件夹 {folder} 不存在",
    ),
    "errors.file_is_folder": (
        "{path} is a folder; give the name of a file in it",
        "{path} 是文件夹；请给出其中的文件名",
    ),
}
