#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: fuzz_test.sh PROGRAM ROOT [SECONDS]
# Models of the checkout are changed until the time is over; what ends in a signal, takes longer than the
# limit or more memory than the limit is printed, and fails the test. For a long run by hand give seconds.
set -uo pipefail
program=$1 root=$2 seconds=${3:-30}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
mkdir corpus
for file in "$root"/models/*.mo "$root"/benchmarks/models/*.mo; do
  name=${file#"$root"/}
  cp "$file" "corpus/${name//\//_}"
done
ASAN_OPTIONS=detect_leaks=0 "$program" -seed=1 -max_total_time="$seconds" -timeout=60 -rss_limit_mb=4096 \
  -max_len=8192 -len_control=0 -use_value_profile=0 -dict="$root/tests/fuzz/modelica.dict" \
  -print_final_stats=1 corpus >log.txt 2>&1
code=$?
grep -E '^stat::(number_of_executed_units|new_units_added|slowest|peak)' log.txt
[ "$code" = 0 ] && exit 0
tail -40 log.txt
for found in crash-* timeout-* oom-* slow-unit-*; do
  [ -e "$found" ] || continue
  case $found in slow-unit-*) continue ;; esac
  cp "$found" "${TMPDIR:-/tmp}/alembert-fuzz-$found.mo"
  printf '\n%s (kept as %s):\n' "$found" "${TMPDIR:-/tmp}/alembert-fuzz-$found.mo"
  head -c 2000 "$found"
done
exit 1
