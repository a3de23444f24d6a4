"""What runs of training print."""

TABLE = {
    "train.loss": ("epoch: {epoch} step: {step}, loss is {loss}", "轮次：{epoch} 步：{step}，损失为 {loss}"),
    "train.metrics": ("Eval result: epoch {epoch}, metrics: {metrics}", "评估结果：轮次 {epoch}，指标：{metrics}"),
    "train.time": (
        "Train epoch time: {spent} ms, per step time: {per_step} ms",
        "本轮训练用时：{spent} 毫秒，每步：{per_step} 毫秒",
    ),
    "train.early_stop": ("Epoch {epoch}: early stopping", "轮次 {epoch}：提前停止"),
    "train.smaller_rate": (
        "Epoch {epoch}: ReduceLROnPlateau reduces the learning rate to {rate}",
        "轮次 {epoch}：ReduceLROnPlateau 将学习率降为 {rate}",
    ),
    "train.no_tqdm": (
        "ProgressBar needs tqdm, which is not installed: pip install 'teachcell[lab]'",
        "ProgressBar 需要 tqdm，但尚未安装：pip install 'teachcell[lab]'",
    ),
}
