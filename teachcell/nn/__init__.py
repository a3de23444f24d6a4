"""Cells: Parameters, layers, hooks, custom backward rules, losses, optimizers."""

from ..core.loading import also_called, lazily

__getattr__, __dir__, __all__ = lazily(__name__, {
    ".cell": "Cell",
    ".containers": "CellDict CellList SequentialCell",
    ".derivatives": "Jvp Vjp",
    ".layers.activation": """
        CELU ELU FastGelu GELU GLU HShrink HSigmoid HSwish Hardtanh LeakyReLU LogSigmoid LogSoftmax Mish PReLU
        RReLU ReLU ReLU6 SeLU SiLU Sigmoid SoftShrink Softmax Softmax2d Softmin Softsign Tanh Tanhshrink
        Threshold get_activation
    """,
    ".layers.algebra": """
        BiDense ClipByNorm CosineSimilarity DiGamma IGamma L1Regularizer LBeta LGamma Linear MatDet MatInverse
        MatMul MatrixDiag MatrixDiagPart MatrixSetDiag Moments Norm ReduceLogSumExp
    """,
    ".layers.arrange": "Identity OneHot Range Roll TimeDistributed Tril Triu Unflatten",
    ".layers.attention": "MultiheadAttention",
    ".layers.basic": "Dense Flatten",
    ".layers.blocks": "Conv2dBnAct DenseBnAct",
    ".layers.conv": "Conv1d Conv1dTranspose Conv2d Conv2dTranspose Conv3d Conv3dTranspose",
    ".layers.dropout": "Dropout Dropout1d Dropout2d Dropout3d",
    ".layers.embedding": "Embedding EmbeddingLookup",
    ".layers.norm": """
        BatchNorm1d BatchNorm2d BatchNorm3d GroupNorm InstanceNorm1d InstanceNorm2d InstanceNorm3d LRN
        LayerNorm LayerNormExt
    """,
    ".layers.padding": """
        ConstantPad1d ConstantPad2d ConstantPad3d Pad ReflectionPad1d ReflectionPad2d ReflectionPad3d
        ReplicationPad1d ReplicationPad2d ReplicationPad3d ZeroPad2d
    """,
    ".layers.pool": """
        AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveAvgPool3d AdaptiveMaxPool1d AdaptiveMaxPool2d
        AdaptiveMaxPool3d AvgPool1d AvgPool2d AvgPool3d FractionalMaxPool2d FractionalMaxPool3d LPPool1d
        LPPool2d MaxPool1d MaxPool2d MaxPool3d MaxUnpool1d MaxUnpool2d MaxUnpool3d
    """,
    ".layers.recurrent": "GRU GRUCell LSTM LSTMCell RNN RNNCell",
    ".layers.spatial": "CentralCrop ChannelShuffle ImageGradients PixelShuffle PixelUnshuffle Unfold Upsample",
    ".layers.transformer": """
        Transformer TransformerDecoder TransformerDecoderLayer TransformerEncoder TransformerEncoderLayer
    """,
    ".loss": """
        BCELoss BCEWithLogitsLoss CTCLoss CosineEmbeddingLoss CrossEntropyLoss DiceLoss FocalLoss GaussianNLLLoss
        HingeEmbeddingLoss HuberLoss KLDivLoss L1Loss LossBase MAELoss MSELoss MarginRankingLoss MultiClassDiceLoss
        MultiLabelSoftMarginLoss MultiMarginLoss MultilabelMarginLoss NLLLoss PoissonNLLLoss RMSELoss SampledSoftmaxLoss
        SmoothL1Loss SoftMarginLoss SoftmaxCrossEntropyWithLogits TripletMarginLoss TripletMarginWithDistanceLoss
    """,
    ".loss_scale": "DynamicLossScaleUpdateCell FixedLossScaleUpdateCell TrainOneStepWithLossScaleCell",
    ".optim": """
        ASGD AdaFactor AdaMax Adadelta Adagrad Adam AdamWeightDecay CosineDecayLR ExponentialDecayLR FTRL
        InverseDecayLR LARS Lamb LazyAdam LearningRateSchedule Momentum NaturalExpDecayLR Optimizer
        PolynomialDecayLR ProximalAdagrad RMSProp Rprop SGD WarmUpLR cosine_decay_lr exponential_decay_lr
        inverse_decay_lr natural_exp_decay_lr piecewise_constant_lr polynomial_decay_lr warmup_lr
    """,
    ".train": """
        ForwardValueAndGrad GradAccumulationCell ParameterUpdate TrainOneStepCell WithEvalCell WithGradCell
        WithLossCell
    """,
})  # fmt: skip

also_called(__name__, """
    dynamic_lr layer layer.activation layer.basic layer.combined layer.container layer.conv layer.dense layer.embedding
    layer.image layer.math layer.normalization layer.padding layer.pooling layer.rnn_cells layer.rnns
    layer.timedistributed layer.transformer learning_rate_schedule metrics wrap wrap.cell_wrapper wrap.loss_scale
""")
