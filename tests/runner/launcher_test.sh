#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The launcher, in a checkout whose folder has a space in its name, with a stand-in for the compiled
# program: no build when nothing changed; a build after an edit, a new file and a deletion; the user's
# folder and arguments arrive unchanged; a failed build shows the compiler's error and ends with 2.
set -euo pipefail
root=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
checkout="$work/check out"

mkdir -p "$checkout/src/inner" "$checkout/tools" "$checkout/bin"
cp "$root/alembert" "$checkout/"
cp "$root/tools/setup.sh" "$checkout/tools/"
mkdir "$checkout/apps" "$checkout/cmake"
touch "$checkout/CMakeLists.txt" "$checkout/CMakePresets.json" "$checkout/src/inner/old.cpp"

# Stand-ins on the path: all packages are present, cmake configures, ninja makes the program or fails.
cat >"$checkout/bin/dpkg-query" <<'TEXT'
#!/bin/sh
echo installed
TEXT
cat >"$checkout/bin/cmake" <<'TEXT'
#!/bin/sh
mkdir -p build/release/bin
echo "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" >build/release/CMakeCache.txt
touch build/release/build.ninja
TEXT
cat >"$checkout/bin/ninja" <<'TEXT'
#!/bin/sh
cd "$2" || exit 1
echo "[1/2] Building one"
if [ -e interrupted ]; then
  echo "ninja: build stopped: interrupted by user."
  exit 2
fi
if [ -e broken ]; then
  echo "FAILED: one.o"
  echo "c++ -c a very long command"
  echo "one.cpp:1:1: error: expected unqualified-id"
  exit 1
fi
sleep 0.2
echo built >>builds
printf '#!/bin/sh\npwd\nprintf "[%%s]" "$@"\nexit 7\n' >bin/alembert
chmod +x bin/alembert
TEXT
chmod +x "$checkout"/bin/*
export PATH="$checkout/bin:$PATH"

builds() { wc -l <"$checkout/build/release/builds"; }
expect() { # what expected actual
  [ "$2" = "$3" ] || { echo "$1: expected '$2', have '$3'"; exit 1; }
}
run() { # from elsewhere, by a symbolic link
  (cd "$work/else where" && "$work/link" "$@" 2>"$work/said")
}
mkdir "$work/else where"
ln -s "$checkout/alembert" "$work/link"

status=0
output=$(run 'a b' '*' '') || status=$?
expect "exit status of the program" 7 "$status"
expect "folder and arguments" "$work/else where
[a b][*][]" "$output"
expect "builds on first use" 1 "$(builds)"

run >/dev/null || true
expect "builds when nothing changed" 1 "$(builds)"
expect "words when nothing changed" "" "$(cat "$work/said")"

touch "$checkout/src/inner/old.cpp"
run >/dev/null || true
expect "builds after an edit" 2 "$(builds)"

touch "$checkout/src/inner/new.cpp"
run >/dev/null || true
expect "builds after a new file" 3 "$(builds)"

rm "$checkout/src/inner/new.cpp"
run >/dev/null || true
expect "builds after a deletion" 4 "$(builds)"

touch "$checkout/src/inner/old.cpp"
run >/dev/null & run >/dev/null & wait || true
expect "builds by two at a time" 5 "$(builds)"

touch "$checkout/src/inner/old.cpp" "$checkout/build/release/broken"
status=0
output=$(run) || status=$?
expect "exit status of a failed build" 2 "$status"
expect "output of a failed build" "" "$output"
grep -q 'one.cpp:1:1: error: expected unqualified-id' "$work/said" || { cat "$work/said"; exit 1; }
if grep -q 'very long command' "$work/said"; then echo "the command was shown"; exit 1; fi
rm "$checkout/build/release/broken"

touch "$checkout/build/release/interrupted"
status=0
output=$(run) || status=$?
expect "exit status of an interrupted build" 2 "$status"
grep -q 'the build was interrupted' "$work/said" || { cat "$work/said"; exit 1; }
rm "$checkout/build/release/interrupted"

# A moved checkout is configured anew.
mv "$checkout" "$work/moved"
ln -sfn "$work/moved/alembert" "$work/link"
export PATH="$work/moved/bin:$PATH"
checkout="$work/moved"
status=0
run >/dev/null || status=$?
expect "exit status after a move" 7 "$status"
expect "home of the moved build" "CMAKE_HOME_DIRECTORY:INTERNAL=$checkout" "$(cat "$checkout/build/release/CMakeCache.txt")"
expect "builds after a move" 1 "$(builds)"
