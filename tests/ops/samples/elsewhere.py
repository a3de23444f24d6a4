"""Ops with tests of their own, and ops that write in place."""

TESTED_ELSEWHERE = {"cast", "hook_backward"}
WRITES = {"assign", "assign_add", "assign_sub"}
