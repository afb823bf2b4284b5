#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs every command of the README's `sh` blocks: `./alembert ...` by the program that was just built, in an empty
# folder. `./test` is what runs this, so it is only looked for. Also: every link and picture exists.
set -euo pipefail
root=$1
program=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
ln -s "$root/models" models
failed=0
ran=0

fail() {
  printf 'FAILED: %s\n' "$1"
  failed=1
}

while IFS= read -r line; do
  case "$line" in
    './alembert '*)
      read -r -a arguments <<<"${line#./alembert }"
      "$program" "${arguments[@]}" >output.txt 2>&1 || { cat output.txt; fail "$line"; }
      [ -s output.txt ] || fail "$line printed nothing"
      ran=$((ran + 1))
      ;;
    ./test*) [ -x "$root/test" ] || fail "$line: there is no ./test" ;;
    '') ;;
    *) fail "a command that this test does not know how to try: $line" ;;
  esac
done < <(awk '/^```sh$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$root/README.md")
[ "$ran" -ge 3 ] || fail "only $ran commands found"

while IFS= read -r target; do
  [ -e "$root/$target" ] || fail "README.md points to $target, which is not there"
done < <(grep -oE '\]\([^)#]+\)' "$root/README.md" | sed 's/^](//; s/)$//' | grep -v '://')

exit "$failed"
