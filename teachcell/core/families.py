"""What each module declares: public names of ops, names for rules and the engine, methods of Tensor.

Made by tests/ops/stub.py from the declarations; do not edit.
"""

FAMILIES = {
    "teachcell.ops.arrays.diagonal": (
        "Diag DiagPart FillDiagonal MatrixBandPart MatrixDiagPartV3 MatrixDiagV3 MatrixSetDiagV3 Tril "
        "TrilIndices Triu TriuIndices diag diag_embed diagflat diagonal diagonal_scatter matrix_band_part "
        "matrix_diag matrix_diag_part matrix_set_diag tril tril_indices triu triu_indices",
        "",
        "diag diagflat diagonal diagonal_scatter fill_diagonal tril triu",
    ),
    "teachcell.ops.arrays.facts": (
        "DType InvertPermutation ListDiff RaggedRange Rank ScalarCast ScalarToTensor Shape Size TensorShape "
        "TupleToArray deepcopy dtype dyn_shape is_tensor make_tuple numel rank scalar_cast scalar_to_tensor "
        "shape size tuple_to_array",
        "",
        "ndimension nelement numel",
    ),
    "teachcell.ops.arrays.in_place": (
        "CopyWithSlice normal_ random_ uniform_",
        "",
        "add_ bernoulli bernoulli_ clamp_ copy_ div_ exp_ exponential_ fill_ fill_diagonal_ floor_divide_ "
        "index_add_ index_copy_ index_fill_ index_put_ masked_fill_ masked_scatter_ mul_ normal_ random_ "
        "remainder_ scatter_ scatter_add_ sigmoid_ sub_ tanh_ uniform_ zero_",
    ),
    "teachcell.ops.arrays.index": (
        "EmbeddingLookup Gather GatherD GatherNd MaskedSelect NonZero OneHot ReverseSequence UniqueWithPad "
        "argwhere embedding gather gather_d gather_elements gather_nd index_select masked_select nonzero "
        "one_hot reverse_sequence sequence_mask take unique_with_pad",
        "gather_along getitem put",
        "argwhere choose gather gather_elements gather_nd index_select masked_select nonzero reverse_sequence "
        "take unique_with_pad",
    ),
    "teachcell.ops.arrays.join": (
        "Concat Meshgrid Stack block_diag cartesian_prod cat column_stack combinations concat dstack hstack "
        "meshgrid row_stack stack vstack",
        "",
        "",
    ),
    "teachcell.ops.arrays.memory": (
        "clone",
        "",
        "assign_value clone contiguous copy data_ptr flush_from_cache get_bytes hooks is_contiguous itemset "
        "move_to numpy set_const_arg set_dtype storage_offset stride to type type_as value",
    ),
    "teachcell.ops.arrays.order": (
        "Roll Transpose TransposeView adjoint flip fliplr flipud moveaxis movedim permute roll rot90 swapaxes "
        "swapdims t transpose",
        "",
        "H adjoint flip fliplr flipud mH mT moveaxis movedim permute roll rot90 swapaxes swapdims t transpose",
    ),
    "teachcell.ops.arrays.pad": (
        "MirrorPad Pad PadV3 Padding mirror_pad pad padding",
        "pad_frame",
        "",
    ),
    "teachcell.ops.arrays.repeat": (
        "BroadcastTo Tile broadcast_to expand expand_as repeat_elements repeat_interleave tile",
        "",
        "broadcast_to expand expand_as repeat repeat_interleave sum_to_size tile",
    ),
    "teachcell.ops.arrays.scatter": (
        "IndexAdd IndexFill IndexPut InplaceAdd InplaceSub InplaceUpdate InplaceUpdateV2 MaskedScatter "
        "ScatterNd TensorScatterAdd TensorScatterDiv TensorScatterElements TensorScatterMax TensorScatterMin "
        "TensorScatterMul TensorScatterSub TensorScatterUpdate index_add index_fill inplace_add inplace_sub "
        "inplace_update scatter scatter_nd select_scatter slice_scatter tensor_scatter_add tensor_scatter_div "
        "tensor_scatter_elements tensor_scatter_max tensor_scatter_min tensor_scatter_mul tensor_scatter_sub "
        "tensor_scatter_update",
        "additem setitem",
        "index_add index_fill index_put inplace_update masked_scatter scatter scatter_add scatter_div "
        "scatter_max scatter_min scatter_mul scatter_sub select_scatter slice_scatter",
    ),
    "teachcell.ops.arrays.scatter_in_place": (
        "InplaceIndexAdd ScatterAdd ScatterAddWithAxis ScatterDiv ScatterMax ScatterMin ScatterMul "
        "ScatterNdAdd ScatterNdDiv ScatterNdMax ScatterNdMin ScatterNdMul ScatterNdSub ScatterNdUpdate "
        "ScatterSub ScatterUpdate inplace_index_add scatter_add scatter_div scatter_max scatter_min "
        "scatter_mul scatter_nd_add scatter_nd_div scatter_nd_max scatter_nd_min scatter_nd_mul "
        "scatter_nd_sub scatter_nd_update scatter_sub scatter_update",
        "",
        "",
    ),
    "teachcell.ops.arrays.segment": (
        "SegmentMax SegmentMean SegmentMin SegmentProd SegmentSum UnsortedSegmentMax UnsortedSegmentMin "
        "UnsortedSegmentProd UnsortedSegmentSum unsorted_segment_max unsorted_segment_min "
        "unsorted_segment_prod unsorted_segment_sum",
        "",
        "",
    ),
    "teachcell.ops.arrays.shape": (
        "ExpandDims Flatten Reshape Squeeze atleast_1d atleast_2d atleast_3d expand_dims flatten ravel "
        "reshape squeeze unsqueeze view_as",
        "flatten_axes",
        "expand_dims flatten ravel reshape reshape_as resize squeeze unsqueeze view view_as",
    ),
    "teachcell.ops.arrays.split": (
        "Slice Split StridedSlice Unstack chunk dsplit hsplit narrow slice split strided_slice tensor_split "
        "unbind unstack vsplit",
        "assemble parts",
        "chunk dsplit hsplit narrow select split tensor_split unbind vsplit where",
    ),
    "teachcell.ops.arrays.state": (
        "Assign AssignAdd AssignSub assign assign_add assign_sub",
        "",
        "",
    ),
    "teachcell.ops.creation.filled": (
        "Eye Fill FillV2 LinSpace LogSpace Ones OnesLike Range Zeros ZerosLike arange eye fill full full_like "
        "linspace logspace ones ones_like range vander zeros zeros_like",
        "",
        "new_empty new_full new_ones new_zeros",
    ),
    "teachcell.ops.creation.random": (
        "LogNormalReverse MultinomialWithReplacement bernoulli choice_with_mask gamma laplace multinomial "
        "multinomial_with_replacement normal poisson rand rand_like randint randint_like randn randn_like "
        "random_categorical random_gamma random_poisson randperm shuffle standard_laplace standard_normal "
        "uniform uniform_candidate_sampler",
        "",
        "log_normal multinomial random_categorical",
    ),
    "teachcell.ops.creation.random_objects": (
        "Bernoulli Gamma Multinomial NonDeterministicInts Poisson RandomCategorical RandomChoiceWithMask "
        "RandomGamma RandomPoisson RandomShuffle RandpermV2 StandardLaplace StandardNormal TruncatedNormal "
        "UniformCandidateSampler UniformInt UniformReal",
        "",
        "",
    ),
    "teachcell.ops.creation.windows": (
        "BartlettWindow BlackmanWindow HammingWindow bartlett_window blackman_window hamming_window "
        "hann_window kaiser_window",
        "",
        "",
    ),
    "teachcell.ops.elementwise.activation": (
        "CeLU Elu FastGeLU GLU GeLU Mish SeLU Sigmoid Softplus Softsign Tanh celu elu fast_gelu gelu glu "
        "logsigmoid mish selu sigmoid silu softplus softsign tanh tanhshrink",
        "exponential_slope gelu_grad normal_cdf sigmoid_grad softplus_slope tanh_grad",
        "sigmoid tanh",
    ),
    "teachcell.ops.elementwise.arithmetic": (
        "Add Div FloorDiv FloorMod Inv Mod Mul Neg Pow RealDiv Reciprocal Square Sub TruncateDiv TruncateMod "
        "add div divide float_power float_power_ext floor_div floor_divide floor_mod fmod inv mul multiply "
        "neg negative positive pow reciprocal remainder square sub subtract true_divide truncate_div "
        "truncate_mod",
        "mod power scale shift",
        "__add__ __floordiv__ __mod__ __mul__ __neg__ __pos__ __pow__ __radd__ __rfloordiv__ __rmod__ "
        "__rmul__ __rpow__ __rsub__ __rtruediv__ __sub__ __truediv__ add div divide float_power floor_divide "
        "fmod inv mul multiply neg negative positive pow reciprocal remainder square sub subtract true_divide",
    ),
    "teachcell.ops.elementwise.bessel": (
        "BesselI0 BesselI0e BesselI1 BesselI1e BesselJ0 BesselJ1 BesselK0 BesselK0e BesselK1 BesselK1e "
        "BesselY0 BesselY1 bessel_i0 bessel_i0e bessel_i1 bessel_i1e bessel_j0 bessel_j1 bessel_k0 bessel_k0e "
        "bessel_k1 bessel_k1e bessel_y0 bessel_y1",
        "bessel_i bessel_ie bessel_j bessel_k bessel_ke bessel_y",
        "",
    ),
    "teachcell.ops.elementwise.bits": (
        "BitwiseAnd BitwiseOr BitwiseXor Gcd Invert Lcm LeftShift PopulationCount RightShift bitwise_and "
        "bitwise_left_shift bitwise_not bitwise_or bitwise_right_shift bitwise_xor gcd invert lcm "
        "population_count",
        "left_shift right_shift",
        "__and__ __invert__ __or__ __rand__ __ror__ __rxor__ __xor__ bitwise_and bitwise_left_shift "
        "bitwise_not bitwise_or bitwise_right_shift bitwise_xor gcd invert lcm",
    ),
    "teachcell.ops.elementwise.bounds": (
        "Fmax Fmin Maximum Minimum NanToNum clamp clip clip_by_value fmax fmin maximum minimum nan_to_num",
        "finite fmax_share fmin_share inside larger_share",
        "clamp clip fmax fmin maximum minimum nan_to_num",
    ),
    "teachcell.ops.elementwise.combined": (
        "AccumulateNV2 AddN Addcdiv Addcmul DivNoNan Lerp MulNoNan SquaredDifference Xdivy Xlogy accumulate_n "
        "addcdiv addcmul addn div_no_nan ldexp lerp mul_no_nan squared_difference xdivy xlogy",
        "",
        "addcdiv addcmul ldexp lerp xdivy xlogy",
    ),
    "teachcell.ops.elementwise.compare": (
        "ApproximateEqual CheckNumerics Eps Equal Greater GreaterEqual IsClose IsFinite IsInf IsNan Less "
        "LessEqual LogicalAnd LogicalNot LogicalOr LogicalXor NotEqual approximate_equal eps eq equal ge "
        "greater greater_equal gt is_floating_point is_nonzero isclose isfinite isinf isnan isnan_ext "
        "isneginf isposinf le less less_equal logical_and logical_not logical_or logical_xor lt ne not_equal",
        "",
        "__eq__ __ge__ __gt__ __le__ __lt__ __ne__ allclose approximate_equal eq equal ge greater "
        "greater_equal gt is_floating_point isclose isfinite isinf isnan isneginf isposinf le less less_equal "
        "logical_and logical_not logical_or logical_xor lt ne not_equal",
    ),
    "teachcell.ops.elementwise.elementary": (
        "Exp Expm1 Hypot Log Log1p Logit Rsqrt Sqrt exp exp2 expm1 hypot log log10 log1p log2 logaddexp "
        "logaddexp2 logit rsqrt sqrt",
        "",
        "exp exp2 expm1 hypot log log10 log1p log2 logaddexp logaddexp2 logit rsqrt sqrt",
    ),
    "teachcell.ops.elementwise.incomplete": (
        "Betainc Igamma Igammac Zeta betainc igamma igammac zeta",
        "betainc_moment igamma_moment zeta_slope",
        "igamma igammac",
    ),
    "teachcell.ops.elementwise.piecewise": (
        "HShrink HSigmoid HSwish PReLU ReLU ReLU6 SoftShrink hardshrink hardsigmoid hardswish hardtanh "
        "leaky_relu prelu relu relu6 rrelu soft_shrink softshrink threshold",
        "hardsigmoid_slope hardswish_slope hardtanh_slope leaky_relu_slope negative_part prelu_slope "
        "relu6_slope relu_grad shrink_slope threshold_slope",
        "hardshrink relu soft_shrink",
    ),
    "teachcell.ops.elementwise.rounding": (
        "Abs Ceil Floor Heaviside NextAfter Rint Round Sign Trunc abs absolute ceil copysign floor frac "
        "heaviside nextafter round sgn sign signbit trunc",
        "",
        "__abs__ abs absolute ceil copysign floor frac heaviside nextafter round sgn sign signbit trunc",
    ),
    "teachcell.ops.elementwise.select": (
        "Cast Identity IdentityN MaskedFill Select StopGradient cast identity masked_fill select "
        "stop_gradient where",
        "cast_like constant one_minus ones_like zeros_like",
        "astype bfloat16 bool byte double float half int long masked_fill short",
    ),
    "teachcell.ops.elementwise.special": (
        "Digamma Erf Erfc Erfinv Lgamma Mvlgamma Polygamma digamma erf erfc erfinv lgamma mvlgamma polygamma",
        "",
        "digamma erf erfc erfinv lgamma mvlgamma",
    ),
    "teachcell.ops.elementwise.trigonometry": (
        "ACos Acosh Asin Asinh Atan Atan2 Atanh Cos Cosh Sin Sinc Sinh Tan acos acosh arccos arccosh arcsin "
        "arcsinh arctan arctan2 arctanh asin asinh atan atan2 atanh cos cosh deg2rad rad2deg sin sinc sinh "
        "tan",
        "sinc_slope",
        "acos acosh arccos arccosh arcsin arcsinh arctan arctan2 arctanh asin asinh atan atan2 atanh cos cosh "
        "deg2rad rad2deg sin sinc sinh tan",
    ),
    "teachcell.ops.flow.control": (
        "Depend ForiLoop HyperMap InsertGradientOf Map MultitypeFuncGraph Partial Print Scan WhileLoop depend "
        "partial print_",
        "insert_gradient_of",
        "",
    ),
    "teachcell.ops.flow.hook": (
        "HookBackward",
        "hook_backward",
        "",
    ),
    "teachcell.ops.linalg.decompositions": (
        "Cholesky CholeskyInverse CholeskySolve Geqrf Lstsq LuSolve LuUnpack MatrixSolveLs Orgqr Qr Svd "
        "cholesky cholesky_inverse cholesky_solve eigh eigvalsh geqrf lstsq lu_solve lu_unpack orgqr pinv qr "
        "svd",
        "distinct",
        "cholesky cholesky_inverse cholesky_solve geqrf lstsq lu_solve orgqr qr svd",
    ),
    "teachcell.ops.linalg.einsum": (
        "Einsum batch_dot einsum tensor_dot",
        "contract",
        "",
    ),
    "teachcell.ops.linalg.matrix_norms": (
        "cond matrix_norm",
        "",
        "",
    ),
    "teachcell.ops.linalg.products": (
        "BatchMatMul BiasAdd Dense Ger MatMul addbmm addmm addmv addr baddbmm bias_add bidense bmm dense dot "
        "ger inner kron matmul mm mv outer vecdot",
        "bias_grad matmul_left matmul_right",
        "__matmul__ __rmatmul__ addbmm addmm addmv addr baddbmm bmm dot ger inner matmul mm outer",
    ),
    "teachcell.ops.linalg.square": (
        "Cross LogMatrixDeterminant MatrixDeterminant MatrixExp MatrixInverse MatrixPower MatrixSolve "
        "MatrixTriangularSolve Trace TridiagonalMatMul cross det inverse logdet matrix_exp matrix_power "
        "matrix_solve slogdet trace",
        "cofactor log_det_slope triangular_solve",
        "cross det inverse logdet matrix_power slogdet trace",
    ),
    "teachcell.ops.neural.clip": (
        "clip_by_global_norm clip_by_norm",
        "",
        "",
    ),
    "teachcell.ops.neural.dropout": (
        "Dropout Dropout2D Dropout3D dropout dropout1d dropout2d dropout3d",
        "dropout_with_mask",
        "",
    ),
    "teachcell.ops.neural.losses.ctc": (
        "CTCGreedyDecoder CTCLossV2 ctc_greedy_decoder ctc_loss",
        "",
        "",
    ),
    "teachcell.ops.neural.losses.distances": (
        "TripletMarginLoss cosine_embedding_loss hinge_embedding_loss triplet_margin_loss",
        "",
        "",
    ),
    "teachcell.ops.neural.losses.labels": (
        "NLLLoss SoftmaxCrossEntropyWithLogits SparseSoftmaxCrossEntropyWithLogits cross_entropy nll_loss",
        "cross_entropy_grad nll_slope",
        "",
    ),
    "teachcell.ops.neural.losses.margins": (
        "MultiMarginLoss MultilabelMarginLoss margin_ranking_loss multi_margin_loss multilabel_margin_loss",
        "",
        "",
    ),
    "teachcell.ops.neural.losses.numbers": (
        "L2Loss SmoothL1Loss gaussian_nll_loss huber_loss l1_loss mse_loss poisson_nll_loss smooth_l1_loss",
        "huber",
        "",
    ),
    "teachcell.ops.neural.losses.probabilities": (
        "BCEWithLogitsLoss BinaryCrossEntropy KLDivLoss SigmoidCrossEntropyWithLogits SoftMarginLoss "
        "binary_cross_entropy binary_cross_entropy_with_logits kl_div multilabel_soft_margin_loss "
        "soft_margin_loss",
        "bernoulli_variance bounded_log sigmoid_cross_entropy",
        "",
    ),
    "teachcell.ops.neural.norm": (
        "BatchNorm LRN LayerNorm RmsNorm batch_norm group_norm instance_norm layer_norm lrn rms_norm",
        "batch_norm_grads batch_norm_inference neighbour_sum norm_bias_grad norm_grads",
        "",
    ),
    "teachcell.ops.neural.softmax": (
        "LogSoftmax Softmax gumbel_softmax log_softmax softmax softmin",
        "log_softmax_grad softmax_grad",
        "log_softmax softmax",
    ),
    "teachcell.ops.neural.update": (
        "Adam AdamNoUpdateParam AdamWeightDecay ApplyAdaMax ApplyAdadelta ApplyAdagrad ApplyAdagradV2 "
        "ApplyAdamWithAmsgradV2 ApplyAddSign ApplyCenteredRMSProp ApplyFtrl ApplyGradientDescent "
        "ApplyMomentum ApplyPowerSign ApplyProximalAdagrad ApplyProximalGradientDescent ApplyRMSProp SGD",
        "",
        "",
    ),
    "teachcell.ops.reductions.distance": (
        "Cdist L2Normalize LpNorm Pdist Renorm cdist cosine_similarity dist norm pdist renorm vector_norm",
        "norm_slope",
        "norm renorm",
    ),
    "teachcell.ops.reductions.extremes": (
        "ArgMaxWithValue ArgMinWithValue Argmax Argmin ReduceMax ReduceMin amax amin aminmax argmax argmin "
        "max max_ext min min_ext",
        "indices max_with_index min_with_index winners",
        "amax amin aminmax argmax argmax_with_value argmin argmin_with_value max min ptp",
    ),
    "teachcell.ops.reductions.scan": (
        "CumProd CumSum Cummax Cummin CumulativeLogsumexp cummax cummin cumprod cumsum diff diff_ext "
        "logcumsumexp trapz",
        "cumprod_grad logcumsumexp_grad",
        "cummax cummin cumprod cumsum diff logcumsumexp",
    ),
    "teachcell.ops.reductions.search": (
        "Bincount Bucketize Histogram LowerBound SearchSorted Unique UniqueConsecutive UpperBound bincount "
        "bucketize histc searchsorted unique unique_consecutive",
        "unique_sorted",
        "bincount histc searchsorted unique unique_consecutive",
    ),
    "teachcell.ops.reductions.sort": (
        "InTopK Median NthElement Sort TopK argsort intopk median msort nanmedian sort topk",
        "in_top_k kthvalue",
        "argsort kthvalue median msort nanmedian sort topk",
    ),
    "teachcell.ops.reductions.statistics": (
        "ReduceStd cov nanquantile quantile std std_mean var var_mean",
        "",
        "cov nanquantile quantile std var",
    ),
    "teachcell.ops.reductions.sums": (
        "EqualCount ReduceAll ReduceAny ReduceMean ReduceProd ReduceSum SquareSumAll all any count_nonzero "
        "logsumexp mean mean_ext nanmean nansum prod sum",
        "prod_grad spread spread_share",
        "all any count_nonzero logsumexp mean nanmean nansum prod sum",
    ),
    "teachcell.ops.spatial.adaptive": (
        "AdaptiveAvgPool2D AdaptiveAvgPool3D AdaptiveMaxPool2D AdaptiveMaxPool3D adaptive_avg_pool1d "
        "adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool1d adaptive_max_pool2d adaptive_max_pool3d",
        "adaptive_avg_pool adaptive_max_index adaptive_max_pool",
        "",
    ),
    "teachcell.ops.spatial.arrange": (
        "BatchToSpaceND ChannelShuffle Col2Im DepthToSpace Im2Col SpaceToBatchND SpaceToDepth "
        "batch_to_space_nd channel_shuffle col2im depth_to_space fold pixel_shuffle pixel_unshuffle "
        "space_to_batch_nd space_to_depth unfold",
        "added_patches patches",
        "",
    ),
    "teachcell.ops.spatial.conv": (
        "Conv2D Conv2DTranspose Conv3D Conv3DTranspose conv1d conv2d conv3d",
        "convolution convolution_weight_grad kept_weight_grad transposed_convolution",
        "",
    ),
    "teachcell.ops.spatial.fractional": (
        "FractionalMaxPool3DWithFixedKsize FractionalMaxPoolWithFixedKsize fractional_max_pool2d "
        "fractional_max_pool3d",
        "",
        "",
    ),
    "teachcell.ops.spatial.grid_sample": (
        "AffineGrid GridSampler2D GridSampler3D affine_grid grid_sample",
        "",
        "",
    ),
    "teachcell.ops.spatial.pool": (
        "AvgPool AvgPool3D MaxPool MaxPool3D MaxPool3DWithArgmax MaxPoolWithArgmaxV2 avg_pool1d avg_pool2d "
        "avg_pool3d lp_pool1d lp_pool2d max_pool1d max_pool2d max_pool3d",
        "avg_pool avg_pool_grad max_pool max_pool_grad",
        "",
    ),
    "teachcell.ops.spatial.resize": (
        "ResizeBicubic ResizeBilinearV2 ResizeLinear1D ResizeNearestNeighbor ResizeNearestNeighborV2 "
        "UpsampleNearest3D UpsampleTrilinear3D interpolate upsample",
        "resize resize_grad",
        "",
    ),
    "teachcell.ops.spatial.unpool": (
        "MaxUnpool2D MaxUnpool3D max_unpool1d max_unpool2d max_unpool3d",
        "",
        "",
    ),
    "teachcell.autodiff": (
        "GradOperation get_grad grad jacfwd jacrev jvp linearize value_and_grad vjp vmap",
        "",
        "",
    ),
    "teachcell.jit.accepted": (
        "constexpr",
        "",
        "",
    ),
    "teachcell.nn.derivatives": (
        "custom_vjp",
        "",
        "",
    ),
}  # fmt: skip
