"""Lessons that go wrong: recurrent layers, attention, embeddings."""

from core.lessons_at_fault.lesson import M, case

A = "a, q = nn.MultiheadAttention(4, 2), Tensor(np.ones((5, 3, 4)))\n"

CASES = [
    case("input_kind", "nn.RNN(2, 3)([[[1.0, 2.0]]])", TypeError, "RNN", "x", "list"),
    case("input_shape", M + "nn.LSTM(3, 2)(m)", ValueError, "LSTM", "x", "(2, 3)", "(L, N, 3)"),
    case("input_shape", M + "nn.GRUCell(3, 2)(m, m)", ValueError, "GRUCell", "h", "(2, 3)", "(2, 2)"),
    case("recurrent_state kinds", M + "nn.LSTMCell(3, 3)(m, (m,))", TypeError, "LSTMCell", "(h, c)", "Tensor"),
    case("seq_length", "nn.GRU(3, 2)(Tensor(np.ones((4, 2, 3))), None, [4, 4, 4])", ValueError, "2", "(3,) int64"),
    case("choice", 'nn.RNN(2, 3, nonlinearity="sigmoid")', ValueError, "nonlinearity", "'tanh', 'relu'", "sigmoid"),
    case("no_steps", "nn.GRU(3, 2)(Tensor(np.ones((0, 2, 3))))", ValueError, "GRU", "(0, 2, 3)"),
    case("embedding_ids", "nn.Embedding(5, 2)(Tensor([1.0]))", TypeError, "Embedding", "(1,) float32"),
    case("embedding_range", "nn.Embedding(5, 2)(Tensor([1, 5]))", IndexError, "Embedding", "5"),
    case("heads", "nn.MultiheadAttention(5, 2)", ValueError, "5", "2"),
    case("attention_pairs", A + "a(q, q, q[:4])", ValueError, "(3, 5)", "(3, 4)"),
    case("mask_dtype", A + "a(q, q, q, attn_mask=Tensor(np.ones((5, 5), int)))", ValueError, "attn_mask", "Int64"),
    case("unflatten_axis", 'nn.Unflatten("a", (2, 2))', TypeError, "'a'"),
    case("axis_range", "nn.Unflatten(2, (1, 1))(Tensor([1.0]))", ValueError, "2", "1"),
    case("range_delta", "nn.Range(0, 5, 0)"),
]
