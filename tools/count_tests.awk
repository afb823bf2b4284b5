# SPDX-License-Identifier: Apache-2.0
# Reads a CTest log; prints "PASSED FAILED" on standard output and the output of failed entries on
# standard error. GoogleTest cases are counted singly; any other entry counts as one. A program that
# fails without a failed case (a crash, a time-out, a leak) counts as one failure.

function end_entry() {
  if (name == "") return
  if (ok) {
    passed += cases_passed + (cases == 0)
  } else {
    passed += cases_passed
    failed += cases_failed > 0 ? cases_failed : 1
    printf "\n---- %s: %s\n%s", name, reason, output > "/dev/stderr"
  }
  name = ""
}

BEGIN { passed = failed = 0 }

/^[0-9]+\/[0-9]+ Testing: / {
  end_entry()
  name = $3; ok = 0; inside = 0; output = ""; reason = "did not finish"
  cases = cases_passed = cases_failed = 0
  next
}
/^Output:$/          { inside = 1; next }
/^<end of output>$/  { inside = 0; next }
!inside && /^Test Passed\.$/ { ok = 1 }
!inside && /^(Test Failed\.|Test timeout|\*\*\*)/ { reason = $0 }
!inside { next }

/^\[ RUN      \]/ { cases++; current = $0; next }
/^\[       OK \]/ { cases_passed++; next }
/^\[  FAILED  \] .* \([0-9]+ ms\)$/ { cases_failed++ }
/^\[(----------|==========)\]/ { next }
/^-+$/ && output == "" { next }
{ output = output $0 "\n" }

END { end_entry(); print passed, failed }
