#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes pages and looks at them in Chromium (pages_test.mjs).
set -uo pipefail
program=$1 root=$2 build=$3
skip() { echo "SKIPPED: $1"; exit 0; }
[ -e "$build/share/alembert/viewer/scene.js" ] || skip 'pages, as the viewer is not built (no network?)'
command -v node >/dev/null || skip 'pages in a browser, as Node.js is missing'
command -v chromium >/dev/null || skip 'pages in a browser, as Chromium is missing'
modules="$build/viewer/node_modules"
[ -d "$modules/playwright-core" ] || WITH_TESTS=1 "$root/viewer/build.sh" "$build/viewer" "$build/share/alembert/viewer" ||
  skip 'pages in a browser, as playwright-core cannot be fetched'
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
set -e
"$program" simulate "$root/models/double_pendulum.mo" --html double.html --plot phi1,phi2 --quiet
"$program" simulate "$root/models/bouncing_ball.mo" --html ball.html --quiet
"$program" simulate "$root/models/pendulum.mo" --set g=9 --output a.csv --quiet
"$program" simulate "$root/models/pendulum.mo" --set g=5 --output b.csv --quiet
"$program" plot a.csv x 'x^2 + y^2 - 1' --compare b.csv --output ab.html
# A million values; names that would end a script; gaps.
awk 'BEGIN { print "time,\"</script><b>\"\"q\"\"\",noise"
  srand(1); for (i = 0; i < 500000; ++i) printf "%.6f,%s,%.9f\n", i * 1e-4, (i % 1000 < 10 ? "nan" : sin(i * 1e-3)), rand() }' >million.csv
"$program" plot million.csv noise '</script><b>"q"' --output million.html
ln -s "$modules" node_modules
cp "$root/tests/viewer/pages_test.mjs" .
export SCREENS="$root/tests/viewer/screens"
exec timeout 240 node pages_test.mjs
