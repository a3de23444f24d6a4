"""Functions of functions have tests of their own."""

TESTED_ELSEWHERE = {"constexpr", "depend", "insert_gradient_of", "partial", "print_"}
