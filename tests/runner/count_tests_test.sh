#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The sum over test programs: cases counted singly, and no way of dying goes uncounted.
set -euo pipefail
root=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat >"$work/results" <<'TEXT'
1/5 Test #2: test_good ........................   Passed    0.01 sec
2/5 Test #4: test_bad .........................***Failed    0.00 sec
3/5 Test #5: test_crash .......................Subprocess aborted***Exception:   0.00 sec
4/5 Test #6: script ...........................   Passed    0.03 sec
5/5 Test #7: absent ...........................***Not Run   0.00 sec
TEXT
cat >"$work/log" <<'TEXT'
1/5 Testing: test_good
Output:
----------------------------------------------------------
[ RUN      ] A.one
[       OK ] A.one (0 ms)
[ RUN      ] A.two
printed without an end of line[       OK ] A.two (1 ms)
[ RUN      ] A.three
[  SKIPPED ] A.three (0 ms)
[  PASSED  ] 2 tests.
<end of output>
Test Passed.
2/5 Testing: test_bad
Output:
[ RUN      ] B.one
[       OK ] B.one (0 ms)
[ RUN      ] I/P.two/1
file.cpp:8: Failure
[  FAILED  ] I/P.two/1, where GetParam() = 2 (0 ms)
[ RUN      ] B.three
[  FAILED  ] B.three (0 ms)
[  FAILED  ] 2 tests, listed below:
[  FAILED  ] I/P.two/1, where GetParam() = 2
[  FAILED  ] B.three
<end of output>
Test Failed.
3/5 Testing: test_crash
Output:
[ RUN      ] C.one
[       OK ] C.one (0 ms)
[ RUN      ] C.two
<end of output>
Test Failed.
4/5 Testing: script
Output:
<end of output>
Test Passed.
5/5 Testing: absent
Output:
<end of output>
Test Passed.
TEXT

counts=$(awk -f "$root/tools/count_tests.awk" "$work/results" "$work/log" 2>"$work/said")
[ "$counts" = "5 4" ] || { echo "counted '$counts', not '5 4'"; exit 1; }
for expected in 'file.cpp:8: Failure' 'test_crash: Subprocess aborted.*in C.two' 'absent: \*\*\*Not Run'; do
  grep -q "$expected" "$work/said" || { echo "not said: $expected"; cat "$work/said"; exit 1; }
done
if grep -q 'A.two' "$work/said"; then echo "a passed case was shown"; exit 1; fi
