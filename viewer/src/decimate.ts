// SPDX-License-Identifier: Apache-2.0
// A line of a million points as the few that a screen can show: in each pixel column the smallest
// and the largest value, in the order in which they come. What is not finite stays a gap.

export interface Line { x: number[]; y: (number | null)[] }

/** First index whose time is not less than t. */
export function lowerBound(times: ArrayLike<number>, t: number): number {
  let low = 0, high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] < t) low = middle + 1; else high = middle;
  }
  return low;
}

export function decimate(times: ArrayLike<number>, values: ArrayLike<number>, from: number,
                         to: number, pixels: number): Line {
  // One point more on each side, so that lines go on to the edge.
  const first = Math.max(0, lowerBound(times, from) - 1);
  const last = Math.min(times.length - 1, lowerBound(times, to) + 1);
  const line: Line = { x: [], y: [] };
  const push = (i: number) => {
    line.x.push(times[i]);
    line.y.push(Number.isFinite(values[i]) ? values[i] : null);
  };
  if (last - first + 1 <= 4 * pixels) {
    for (let i = first; i <= last; ++i) push(i);
    return line;
  }
  const size = (last - first + 1) / pixels;
  for (let p = 0; p < pixels; ++p) {
    const begin = first + Math.floor(p * size);
    const end = Math.min(last + 1, first + Math.floor((p + 1) * size));
    if (begin >= end) continue;
    let low = begin, high = begin, gap = -1;
    for (let i = begin; i < end; ++i) {
      const v = values[i];
      if (!Number.isFinite(v)) gap = i;
      else {
        if (!(v >= values[low])) low = i;
        if (!(v <= values[high])) high = i;
      }
    }
    const kept = [...new Set(gap >= 0 ? [low, high, gap] : [low, high])].sort((a, b) => a - b);
    for (const i of kept) push(i);
  }
  return line;
}
