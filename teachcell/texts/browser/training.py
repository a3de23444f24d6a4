"""Live training."""

from __future__ import annotations

TABLE = {
    "browser.panel_training": ("Training", "训练"),
    "browser.panel_training_tip": (
        "train the net and watch loss, activations, gradients and updates",
        "训练网络，观察损失、激活、梯度和更新",
    ),
    "browser.training_step": ("step", "步"),
    "browser.training_loss": ("loss", "损失"),
    "browser.step_size": ("step size", "步长"),
    "browser.step_size_fixed": ("set by the optimizer's schedule or groups", "由优化器的计划或参数组决定"),
    "browser.steps": ("steps", "步数"),
    "browser.run_steps": ("Run {count}", "运行 {count} 步"),
    "browser.keep_training": ("Keep training", "持续训练"),
    "browser.keep_training_tip": (
        "train until Pause; switches act between steps",
        "持续训练直到暂停；开关在两步之间生效",
    ),
    "browser.pause_training": ("Pause", "暂停"),
    "browser.back_to_start": ("Back to the start", "回到起点"),
    "browser.back_to_start_tip": (
        "Parameters, buffers, optimizer and random draws as before the first step",
        "参数、缓冲区、优化器和随机抽样恢复到第一步之前",
    ),
    "browser.training_note": (
        "Training changes the net itself, all steps with the same inputs. ↺ goes back to the start.",
        "训练会改变网络本身，每一步都用相同的输入。↺ 可回到起点。",
    ),
    "browser.loss_curve": ("Loss of each step", "每一步的损失"),
    "browser.layer": ("Layer", "层"),
    "browser.activations": ("activations", "激活"),
    "browser.gradients": ("gradient there", "该处的梯度"),
    "browser.dead_units": ("ReLU units: on ■, off □, dead ☒", "ReLU 单元：激活 ■、未激活 □、失活 ☒"),
    "browser.update_ratio": ("Update / weight: ‖Δw‖ / ‖w‖", "更新 / 权重：‖Δw‖ / ‖w‖"),
    "browser.update_ratio_note": (
        "Scale from 1e−7 to 1, by powers of ten; the dashed line is 1e−3.",
        "刻度为 1e−7 到 1 的对数坐标；虚线为 1e−3。",
    ),
}
