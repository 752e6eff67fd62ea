"""Tests that are left out, because something is missing."""

import os
import sys

REQUIRED = bool(os.environ.get("RAVELIN_REQUIRE_BENCHEXEC"))
TOLD = set()


def leave_out(test, reason):
    if REQUIRED:
        test.fail(f"missing: {reason}")
    if reason not in TOLD:
        print(f"left out: {reason}", file=sys.stderr)
        TOLD.add(reason)
    test.skipTest(f"left out: {reason}")
