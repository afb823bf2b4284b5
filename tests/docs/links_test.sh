#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every link and picture of README.md, CONTRIBUTING.md and docs/ points to something that is there, and every page
# below docs/ is in the table of contents of the site.
set -euo pipefail
root=$1
failed=0

fail() {
  printf 'FAILED: %s\n' "$1"
  failed=1
}

for page in "$root/README.md" "$root/CONTRIBUTING.md" "$root"/docs/*.md "$root"/docs/*/*.md; do
  [ -e "$page" ] || continue
  while IFS= read -r target; do
    [ -e "${page%/*}/$target" ] || fail "${page#"$root"/} points to $target, which is not there"
  done < <(awk '/^```/ { code = !code } !code' "$page" | sed 's/`[^`]*`//g' |
    grep -oE '\]\([^)# ]+' | sed 's/^](//' | grep -v '://' || true)
  case "$page" in
    "$root"/docs/*)
      grep -q ": *${page#"$root"/docs/}\$" "$root/mkdocs.yml" || fail "mkdocs.yml does not list ${page#"$root"/docs/}"
      ;;
  esac
done

# What the site is made from: every entry of its table of contents is a page.
if command -v python3 >/dev/null; then
  pages=$(mktemp -d)
  trap 'rm -rf "$pages"' EXIT
  python3 "$root/docs/pages.py" "$pages/all" || fail 'docs/pages.py'
  while IFS= read -r entry; do
    [ -s "$pages/all/$entry" ] || fail "mkdocs.yml lists $entry, which docs/pages.py does not make"
  done < <(grep -oE '[A-Za-z0-9_/-]+\.md$' "$root/mkdocs.yml")
else
  printf 'skipped: the pages of the site (no python3)\n'
fi
exit "$failed"
