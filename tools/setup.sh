# SPDX-License-Identifier: Apache-2.0
# Set-up shared by ./alembert and ./test; sourced by bash, with $root (the checkout) set.
# Everything it says goes to standard error: standard output belongs to the command.

build_packages=(
  cmake ninja-build g++ pkg-config
  libasmjit-dev libsleef-dev libeigen3-dev libfmt-dev libcli11-dev nlohmann-json3-dev libcairo2-dev libhdf5-dev
  libsundials-dev libsuitesparse-dev zlib1g-dev
)
# What pages and videos need besides; installed when the first one is asked for.
viewer_packages=(esbuild)
if [ -n "${npm_config_registry:-}" ]; then
  viewer_packages+=(curl ca-certificates openssl)
elif ! command -v npm >/dev/null; then
  viewer_packages+=(npm)
fi
video_packages=(libavcodec-dev libavformat-dev libavutil-dev)
test_packages=(libgtest-dev librapidcheck-dev openmpi-bin)
fuzz_packages=(libclang-rt-14-dev) # libFuzzer; the compiler is still GCC
browser_packages=(chromium nodejs ffmpeg)
bench_packages=(libbenchmark-dev libginac-dev python3-numpy)

# What the program is made from; the launcher looks here for anything newer than its last build.
program_sources=(CMakeLists.txt CMakePresets.json cmake src apps tools/setup.sh)

program="$root/build/release/bin/alembert"
stamp="$root/build/release/.alembert-built"

fail() { # text: ends the script, status 2
  printf 'alembert: %s\n' "$1" >&2
  exit 2
}

# ---- progress: one line, rewritten on a terminal; a few plain lines elsewhere ----

progress() { # text
  if [ -t 2 ]; then printf '\r\033[K%s' "$1" >&2; else printf '%s\n' "$1" >&2; fi
}

progress_end() {
  if [ -t 2 ]; then printf '\r\033[K' >&2; fi
}

# Reads ninja's output; shows "building: n of m" and keeps everything in the log.
show_build() { # label log
  local line shown=-1 percent
  : >"$2"
  while IFS= read -r line; do
    printf '%s\n' "$line" >>"$2"
    [[ $line =~ ^\[([0-9]+)/([0-9]+)\]\ (.*) ]] || continue
    case ${BASH_REMATCH[3]} in Re-*) continue ;; esac # re-checking folders, re-running CMake
    if [ -t 2 ]; then
      progress "$1: ${BASH_REMATCH[1]} of ${BASH_REMATCH[2]}"
    else
      percent=$((BASH_REMATCH[1] * 4 / BASH_REMATCH[2])) # quarters
      [ "$percent" = "$shown" ] || progress "$1: ${BASH_REMATCH[1]} of ${BASH_REMATCH[2]}"
      shown=$percent
    fi
  done
  progress_end
}

# ---- packages ----

missing_packages() { # names; prints those not installed
  local name
  for name in "$@"; do
    case $(dpkg-query -W -f='${db:Status-Status}' "$name" 2>/dev/null) in
      installed) ;;
      *) printf '%s ' "$name" ;;
    esac
  done
}

ensure_packages() { # names: installs the missing ones and nothing else
  local missing as_root=() log
  if ! command -v dpkg-query >/dev/null; then
    command -v cmake >/dev/null && command -v ninja >/dev/null && return
    fail "this is not Debian; install the equivalents of: $*"
  fi
  missing=$(missing_packages "$@")
  missing=${missing% }
  [ -n "$missing" ] || return 0
  if [ "$(id -u)" != 0 ]; then
    if command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
      as_root=(sudo -n)
    else
      fail "please install these packages first: sudo apt-get install --no-install-recommends $missing"
    fi
  fi
  progress "installing $(wc -w <<<"$missing") packages: $missing"
  log=$(mktemp)
  # shellcheck disable=SC2086
  if ! { "${as_root[@]}" apt-get -q -o DPkg::Lock::Timeout=600 update &&
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=600 \
      install --no-install-recommends $missing; } >"$log" 2>&1 </dev/null; then
    progress_end
    mkdir -p "$root/build" && mv "$log" "$root/build/packages.log"
    fail "could not install packages (see build/packages.log); please run: apt-get install --no-install-recommends $missing"
  fi
  rm -f "$log"
  progress_end
}

# ---- configure and build ----

build_jobs() { # as many as there are cores, but no more than one a gigabyte of free memory
  local cores memory
  cores=$(nproc)
  memory=$(awk '/^MemAvailable/ { print int($2 / 1048576) }' /proc/meminfo 2>/dev/null) || memory=
  [ -n "$memory" ] && [ "$memory" -lt "$cores" ] && cores=$memory
  [ "$cores" -ge 1 ] || cores=1
  echo "$cores"
}

configure() { # preset [NAME=VALUE]: runs CMake where there is a reason to
  local preset=$1 setting=${2:-} dir="$root/build/$1"
  local cache="$dir/CMakeCache.txt"
  if [ -e "$cache" ] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$cache"; then
    rm -rf "$dir" # the checkout was moved or copied
  fi
  if [ -e "$dir/build.ninja" ] && [ ! "$root/CMakePresets.json" -nt "$dir/build.ninja" ]; then
    [ -n "$setting" ] || return 0
    grep -qxF "${setting%%=*}:BOOL=${setting#*=}" "$cache" && return 0
  fi
  mkdir -p "$dir"
  progress "configuring ($preset)"
  if ! (cd "$root" && cmake --preset "$preset" ${setting:+"-D$setting"}) >"$dir/configure.log" 2>&1; then
    progress_end
    cat "$dir/configure.log" >&2
    fail "configuring failed"
  fi
  progress_end
}

# build PRESET SETTING TARGET...: configures and builds; on failure shows the compiler's errors.
build() {
  local preset=$1 setting=$2 dir="$root/build/$1" log="$root/build/$1/build.log"
  shift 2
  configure "$preset" "$setting"
  touch "$dir/.build-began"
  if ! NINJA_STATUS='[%f/%t] ' ninja -C "$dir" -j "$(build_jobs)" "$@" 2>&1 </dev/null |
    show_build "building ($preset)" "$log"; then
    # ninja prints "FAILED: file", the command, then what the compiler said; the command is of no use.
    awk '/^FAILED: /          { print; skip = 1; on = 1; next }
         /^\[[0-9]+\/[0-9]+\] / { on = 0; next }
         /^ninja: error/      { print; next }
         skip                 { skip = 0; next }
         on' "$log" >&2
    if grep -q '^ninja: build stopped: interrupted' "$log"; then
      fail "the build was interrupted; the next call goes on from there"
    fi
    fail "the build failed (everything it said: build/$preset/build.log)"
  fi
  # The stamp carries the time before the build, so that an edit during it is noticed.
  case "$preset $* " in release*" alembert "*) mv "$dir/.build-began" "$stamp" ;; esac
}

# Runs a command while no other ./alembert or ./test of this checkout sets up or builds.
locked() {
  { mkdir -p "$root/build" && : >>"$root/build/.lock"; } 2>/dev/null ||
    fail "a build is needed, and this user may not write to '$root/build'"
  (
    flock -n 9 || {
      progress "waiting for another build of this checkout"
      flock 9
      progress_end
    }
    "$@"
  ) 9>"$root/build/.lock" || exit
}

program_is_current() {
  [ -x "$program" ] && [ -e "$stamp" ] &&
    [ -z "$(cd "$root" && find "${program_sources[@]}" -newer "$stamp" -print -quit)" ]
}

set_up_program() {
  program_is_current && return # another process built it while this one waited
  ensure_packages "${build_packages[@]}"
  build release "" alembert
}

# ---- pages and videos, when the first one is asked for ----

viewer="$root/build/release/share/alembert/viewer/scene.js"
video="$root/build/release/lib/alembert/alembert_video.so"

asks_for_page() { # the program's arguments
  local word
  case "${1:-} ${2:-}" in "view "* | "demo animation" | "demo snakeboard") return 0 ;; esac
  for word in "$@"; do
    case $word in *.html | *.HTML) return 0 ;; esac
  done
  [ "${1:-}" = animate ] && ! asks_for_video "$@"
}

asks_for_video() {
  local word
  case "${1:-} ${2:-}" in "demo animation" | "demo snakeboard") return 0 ;; esac
  for word in "$@"; do
    case $word in *.mp4 | *.gif) return 0 ;; esac
  done
  return 1
}

viewer_is_current() {
  [ -e "$viewer" ] && [ -z "$(find "$root/viewer" -newer "$viewer" -print -quit)" ]
}

# Both leave the rest of the program alone where they fail, as without a network; the program says
# what is missing when it comes to it.
set_up_viewer() {
  viewer_is_current && return
  (ensure_packages "${viewer_packages[@]}" && build release "" viewer) || return 0
}

set_up_video() {
  [ -e "$video" ] && return
  (ensure_packages "${video_packages[@]}" && build release ALEMBERT_VIDEO=ON alembert_video) || return 0
}
