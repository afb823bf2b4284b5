#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Films: ffprobe agrees on frames, size and duration; frames differ and are not blank.
set -uo pipefail
program=$1 root=$2
skip() { echo "SKIPPED: $1"; exit 0; }
[ -e "${program%/bin/*}/lib/alembert/alembert_video.so" ] || skip 'films, as the module alembert_video is not built (no libav)'
command -v ffprobe >/dev/null && command -v ffmpeg >/dev/null || skip 'films, as ffprobe (Debian: ffmpeg) is missing'
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0
fail() { echo "FAILED: $1"; failed=1; }

probe() { # FILE FIELD
  ffprobe -v error -count_frames -select_streams v:0 -show_entries "stream=$2" -of csv=p=0 "$1" | tr -d '\n'
}
expect() { # what expected actual
  [ "$2" = "$3" ] || fail "$1: expected '$2', have '$3'"
}
blank_check() { # FILE: a frame in the middle has shapes on it, and differs from the first one
  ffmpeg -v error -y -i "$1" -vf "select='eq(n,0)+eq(n,30)',scale=160:90,format=gray" -f rawvideo frames.raw </dev/null
  head -c 14400 frames.raw >first.raw
  tail -c 14400 frames.raw >later.raw
  [ "$(od -An -v -tu1 -w1 later.raw | sort -u | wc -l)" -gt 10 ] || fail "$1: a frame is blank"
  cmp -s first.raw later.raw && fail "$1: nothing moves"
}

"$program" animate "$root/models/double_pendulum.mo" --stop 2 --output d.mp4 --size 640x360 --fps 30 --quiet >out.txt 2>&1 ||
  { cat out.txt; fail 'animate to mp4'; }
expect 'frames of the mp4' 61 "$(probe d.mp4 nb_read_frames)"
expect 'width of the mp4' 640 "$(probe d.mp4 width)"
expect 'height of the mp4' 360 "$(probe d.mp4 height)"
expect 'frame rate of the mp4' 30/1 "$(probe d.mp4 r_frame_rate)"
expect 'codec of the mp4' h264 "$(probe d.mp4 codec_name)"
duration=$(ffprobe -v error -show_entries format=duration -of csv=p=0 d.mp4)
awk -v d="$duration" 'BEGIN { exit !(d > 2.0 && d < 2.07) }' || fail "duration of the mp4: $duration"
blank_check d.mp4

"$program" animate "$root/models/pendulum.mo" --stop 2 --output p.gif --size 320x180 --fps 20 --dark --quiet >out.txt 2>&1 ||
  { cat out.txt; fail 'animate to gif'; }
expect 'frames of the gif' 41 "$(probe p.gif nb_read_frames)"
expect 'width of the gif' 320 "$(probe p.gif width)"
blank_check p.gif

"$program" animate "$root/models/pendulum.mo" --output nowhere/p.mp4 --quiet >out.txt 2>&1
[ $? = 2 ] && grep -q 'R015' out.txt || fail 'a film into a missing folder is told'
"$program" animate "$root/models/bouncing_ball.mo" --output b.mp4 --quiet >out.txt 2>&1
[ $? = 2 ] && grep -q 'what it looks like' out.txt || fail 'a model without a scene is told'
ls -A | grep -q '^\.' && fail "unfinished files are left: $(ls -A)"
[ "$failed" = 0 ] && echo 'films: all checks passed'
exit "$failed"
