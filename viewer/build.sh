#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the page's code. usage: build.sh WORK OUT
# WORK: a folder for what is fetched (uPlot and three.js, the versions of package-lock.json); OUT: gets
# main.js and scene.js, which the program puts into the pages that it writes.
# The packages come by npm. Where there is none, but npm_config_registry names a registry, curl takes
# the same archives from it, checked by the same sums, so that a machine need not have Node.js and the
# 370 packages of Debian's npm. The bundler is esbuild, one file.
set -euo pipefail
here=$(cd "$(dirname "$(realpath -- "${BASH_SOURCE[0]}")")" && pwd)
mkdir -p "$1" "$2"
work=$(cd "$1" && pwd)
out=$(cd "$2" && pwd)

fail() {
  printf 'viewer: %s\n' "$1" >&2
  exit 1
}

# "node_modules/NAME VERSION SHA512" of each package of the lock file, one a line.
locked_packages() {
  awk -F'"' '/^    "node_modules\// { name = $2 }
             /^      "version":/    { version = $4 }
             /^      "integrity":/  { print name, version, substr($4, 8) }' "$here/package-lock.json"
}

fetch_package() { # node_modules/NAME VERSION SUM: unpacks the archive that npm would
  local name=${1#node_modules/} archive="$work/archive.tgz" sum
  curl -fsSL --retry 3 --max-time 300 -o "$archive" \
    "${npm_config_registry%/}/$name/-/${name##*/}-$2.tgz" ||
    fail "cannot fetch $name $2"
  sum=$(openssl dgst -sha512 -binary "$archive" | base64 -w0)
  [ "$sum" = "$3" ] || fail "$name $2 is not what package-lock.json says: its checksum differs"
  rm -rf "$work/$1"
  mkdir -p "$work/$1"
  tar -xzf "$archive" -C "$work/$1" --strip-components=1
  rm -f "$archive"
}

fetch_packages() { # those whose version is not there yet; WITH_TESTS=1: also what the tests need
  local path version sum
  if command -v npm >/dev/null && cp "$here"/package.json "$here"/package-lock.json "$work" &&
    npm --prefix "$work" ci --ignore-scripts --no-audit --no-fund --loglevel=error \
      $([ "${WITH_TESTS:-}" = 1 ] || echo --omit=dev) >"$work/npm.log" 2>&1; then
    return
  fi
  [ -n "${npm_config_registry:-}" ] ||
    fail 'the packages cannot be fetched; install npm, or let npm_config_registry name a registry'
  while read -r path version sum; do
    case $path in */playwright-core) [ "${WITH_TESTS:-}" = 1 ] || continue ;; esac
    grep -qs "\"version\": \"$version\"" "$work/$path/package.json" && continue
    fetch_package "$path" "$version" "$sum"
  done < <(locked_packages)
}

fetch_packages
ln -sfn "$here/src" "$work/src"
ln -sfn "$here/tsconfig.json" "$work/tsconfig.json"
command -v esbuild >/dev/null || fail "esbuild is missing (on Debian: apt-get install esbuild)"
bundle() { # NAME [OPTION...]
  local name=$1
  shift
  (cd "$work" && esbuild "src/$name.ts" --bundle --minify --preserve-symlinks --target=es2022 \
    --loader:.css=text --legal-comments=none --log-level=warning "$@" --outfile="$out/.$name.js")
  mv "$out/.$name.js" "$out/$name.js"
  touch "$out/$name.js"
}
bundle main --format=iife
bundle scene --format=iife --global-name=alembertScene
