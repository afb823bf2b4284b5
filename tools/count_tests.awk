# SPDX-License-Identifier: Apache-2.0
# usage: awk -f count_tests.awk RESULTS LOG
# RESULTS holds CTest's result lines, which say what became of each entry; LOG is its LastTest.log, with
# what each printed. Prints "PASSED FAILED" on standard output, and the output of failed entries on
# standard error. GoogleTest cases are counted singly; any other entry counts as one. A program that
# fails without a failed case (a crash, a time-out, a leak, no program) counts as one failure.

FILENAME == ARGV[1] {
  if (match($0, /Test +#[0-9]+: /)) {
    rest = substr($0, RSTART + RLENGTH)
    split(rest, parts, " ")
    sub(/^[^ ]+ [ .]*/, "", rest)
    result[parts[1]] = rest
    order[++n_entries] = parts[1]
  }
  next
}

/^[0-9]+\/[0-9]+ Testing: / { name = $3; inside = 0; next }
/^Output:$/                 { inside = 1; next }
/^<end of output>$/         { inside = 0; next }
!inside || name == ""       { next }

/\[ RUN      \] / { cases[name]++; running[name] = $4; next }
/\[       OK \] .* \([0-9]+ ms\)$/ { cases_passed[name]++; running[name] = ""; next }
/\[  SKIPPED \] .* \([0-9]+ ms\)$/ { running[name] = "" }
/\[  FAILED  \] .* \([0-9]+ ms\)$/ { cases_failed[name]++; running[name] = "" }
/^(\[(----------|==========)\].*|-+|Running main\(\) from .*)$/ { next }
/^$/ { next }
{ output[name] = output[name] "  " $0 "\n" }

END {
  for (i = 1; i <= n_entries; i++) {
    name = order[i]
    passed += cases_passed[name]
    if (result[name] ~ /^Passed/) {
      if (!cases[name]) passed++
      continue
    }
    failed += cases_failed[name] > 0 ? cases_failed[name] : 1
    where = running[name] == "" ? "" : ", in " running[name]
    printf "\n%s: %s%s\n%s", name, result[name], where, output[name] > "/dev/stderr"
  }
  print passed + 0, failed + 0
}
