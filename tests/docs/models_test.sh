#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every `modelica` block of README.md and docs/ that is a whole text: it must be free of mistakes, or, in
# docs/errors.md, be answered with the code of its heading. There every code of the sources has its heading, and no
# other has one; and every heading has an example (a model, commands, or a line of the programs at the end), or says
# why there is none.
set -euo pipefail
root=$1
program=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
failed=0

fail() {
  printf 'FAILED: %s\n' "$1"
  failed=1
}

number=0
for page in "$root/README.md" "$root"/docs/*.md "$root"/docs/*/*.md; do
  [ -e "$page" ] || continue
  rm -f block-*.mo
  awk '/^### / { code = substr($2, 1, 4) }
    /^```modelica$/ { inside = 1; n++; file = sprintf("block-%03d-%s.mo", n, code == "" ? "none" : code); next }
    /^```$/ { inside = 0 }
    inside { print > file }' "$page"
  for block in block-*.mo; do
    [ -e "$block" ] || continue
    number=$((number + 1))
    if [[ $page == */docs/errors.md ]]; then
      code=${block#block-*-}
      code=${code%.mo}
      said=$("$program" check "$block" 2>&1 || true)
      [[ $said == *"[$code]"* ]] || said=$(timeout 20 "$program" simulate "$block" 2>&1 || true)
      [[ $said == *"[$code]"* ]] || fail "$code is not what its example gets: $said"
    elif grep -qE '^(partial |encapsulated )?(model|package|block|class|function|connector|record) ' "$block"; then
      said=$("$program" check "$block" 2>&1) || fail "${page#"$root"/}: $said"
    fi
  done
done
[ "$number" -ge 40 ] || fail "only $number models found"

codes() { sort -u | tr '\n' ' '; }
in_sources=$(grep -rhoE '"[A-Z][0-9]{3}"' "$root/src" "$root/apps" | tr -d '"' | codes)
in_page=$(sed -nE 's/^### ([A-Z][0-9]{3}):.*/\1/p' "$root/docs/errors.md" | codes)
[ "$in_sources" = "$in_page" ] ||
  fail "docs/errors.md and the sources differ in codes: $(comm -3 <(tr ' ' '\n' <<<"$in_sources") <(tr ' ' '\n' <<<"$in_page") | tr '\n\t' '  ')"
twice=$(sed -nE 's/^### ([A-Z][0-9]{3}):.*/\1/p' "$root/docs/errors.md" | sort | uniq -d | tr '\n' ' ')
[ -z "$twice" ] || fail "docs/errors.md has more than one entry for $twice"
without=$(awk '
  /^### / { code = substr($2, 1, 4); codes[++n] = code }
  /^```(modelica|sh)$/ || /^No example: / { shown[code] = 1 }
  match($0, /^      [{]"[A-Z][0-9][0-9][0-9]",/) { shown[substr($0, RSTART + 8, 4)] = 1 }
  END { for (i = 1; i <= n; ++i) if (!(codes[i] in shown)) printf "%s ", codes[i] }' "$root/docs/errors.md")
[ -z "$without" ] || fail "docs/errors.md has no example of $without"
printf '%d models\n' "$number"
exit "$failed"
