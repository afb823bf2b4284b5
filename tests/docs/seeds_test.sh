#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# docs/seeds.md: every piece of C++ stands in examples/seeds.cpp as it is, and the table counts its lines right.
set -euo pipefail
root=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

awk -v work="$work" '/^```cpp$/ { inside = 1; n++; next }
  /^```$/ { inside = 0 }
  inside { print > sprintf("%s/block-%02d", work, n) }' "$root/docs/seeds.md"
sed 's/^ *//' "$root/examples/seeds.cpp" | grep -v '^$' >"$work/source"
mapfile -t counts < <(grep -E '^\| .* \| [0-9]+ \| [0-9]+ \|$' "$root/docs/seeds.md" | sed -E 's/.* ([0-9]+) \|$/\1/')

number=0
for block in "$work"/block-*; do
  lines=$(grep -c '[^ ]' "$block")
  if [ "$lines" != "${counts[$number]}" ]; then
    printf 'FAILED: piece %d has %s lines, the table says %s\n' "$((number + 1))" "$lines" "${counts[$number]}"
    failed=1
  fi
  # Pieces of a function and what stands before it may be apart in the source.
  while IFS= read -r line; do
    grep -qxF -- "$line" "$work/source" || { printf 'FAILED: not in examples/seeds.cpp: %s\n' "$line"; failed=1; }
  done < <(sed 's/^ *//' "$block" | grep -v '^$')
  number=$((number + 1))
done
[ "$number" -ge 7 ] || { printf 'FAILED: only %d pieces\n' "$number"; failed=1; }
printf '%d pieces of C++\n' "$number"
exit "$failed"
