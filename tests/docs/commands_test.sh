#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs every command of the `sh` blocks of README.md and docs/: `./alembert ...` by the program that was just
# built, each page in an empty folder with the models at hand. In docs/errors.md the last command of a block must
# fail with the code of its heading; what files it needs is made by the commands before it. `./test` is what runs
# this, so it is only looked for.
set -euo pipefail
root=$1
program=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
ran=0

fail() {
  printf 'FAILED: %s\n' "$1"
  failed=1
}

# Lines "PAGE<tab>EXPECTED<tab>COMMAND"; EXPECTED is "ok" or a code.
commands() {
  local page
  for page in "$root/README.md" "$root"/docs/*.md "$root"/docs/*/*.md; do
    [ -e "$page" ] || continue
    awk -v page="$page" -v errors="$([[ $page == */errors.md ]] && echo 1)" '
      function put(expected) { if (last != "") printf "%s\t%s\t%s\n", page, expected, last }
      /^### / { code = substr($2, 1, 4) }
      /^```sh$/ { inside = 1; last = ""; next }
      /^```$/ { if (inside) put(errors ? code : "ok"); inside = 0; last = "" }
      inside && $0 !~ /^(#|$)/ {
        put("ok")
        while (sub(/\\$/, "")) { line = $0; getline; $0 = line $0 }
        last = $0
      }' "$page"
  done
}

current=
while IFS=$'\t' read -r page expected line; do
  if [ "$page" != "$current" ]; then
    current=$page
    rm -rf "$work/page"
    mkdir "$work/page"
    cd "$work/page"
    ln -s "$root/models" models
    [ ! -d "$root/examples" ] || ln -s "$root/examples" examples
  fi
  case "$line" in
    './alembert '* | './alembert' | 'flock '*' ./alembert '*)
      eval "words=(${line/#.\/alembert/\"\$program\"})"
      [[ $line != flock* ]] || eval "words=(${line/ .\/alembert/ \"\$program\"})"
      status=0
      timeout 60 "${words[@]}" >output.txt 2>&1 </dev/null || status=$?
      if [ "$expected" = ok ]; then
        [ "$status" = 0 ] || { cat output.txt; fail "${page#"$root"/}: $line"; }
        [ -s output.txt ] || fail "${page#"$root"/}: $line printed nothing"
      else
        grep -q "error\[$expected\]" output.txt || { cat output.txt; fail "$expected: $line"; }
      fi
      ran=$((ran + 1))
      ;;
    'printf '* | 'mkdir '* | 'ln '* | 'cp '* | 'rm '*)
      (eval "$line") || fail "${page#"$root"/}: $line"
      ;;
    ./test*) [ -x "$root/test" ] || fail "$line: there is no ./test" ;;
    docs/build*) [ -x "$root/docs/build" ] || fail "$line: there is no docs/build" ;;
    'cmake '* | 'ninja '* | 'sudo '* | 'git '* | 'mpirun '* | 'ctest '* | 'export '*) ;; # not for a test to run
    *) fail "${page#"$root"/}: a command that this test does not know how to try: $line" ;;
  esac
done < <(commands)
[ "$ran" -ge 20 ] || fail "only $ran commands found"
printf '%d commands\n' "$ran"
exit "$failed"
