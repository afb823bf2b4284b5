// SPDX-License-Identifier: Apache-2.0
// One panel over time: uPlot with as many points as the screen shows. All panels of the page share
// the range of time and the cursor.
import uPlot from 'uplot';
import { decimate, lowerBound } from './decimate';
import { colourOf, cssColour, element, numberText, tickTexts } from './elements';
import type { OpenRun } from './runs';

export interface Range { from: number; to: number }

export interface Series {
  label: string;
  colour: string;
  dashed: boolean;
  times: ArrayLike<number>;
  values: ArrayLike<number>;
}

/** What the panels share. */
export interface Shared {
  runs: OpenRun[];
  range: Range;
  marks: boolean;
  zoom(range: Range): void;
  /** Later, or earlier, by so much; as far as there is something. */
  shift(by: number): void;
}

export function withUnit(name: string, unit: string | undefined): string {
  return unit ? `${name} [${unit}]` : name;
}

export async function seriesOf(names: string[], runs: OpenRun[]): Promise<Series[]> {
  // All columns are unpacked at once: the browser has threads for it.
  const series: Promise<Series>[] = [];
  for (const [r, run] of runs.entries())
    for (const [i, name] of names.entries()) {
      const variable = run.find(name);
      if (!variable) continue;
      series.push(Promise.all([run.times(), run.values(name)]).then(([times, values]) => ({
        label: withUnit(name, variable.unit) + (runs.length > 1 ? ` · ${run.run.name}` : ''),
        colour: colourOf(i), dashed: r > 0, times, values,
      })));
    }
  return Promise.all(series);
}

function alignedData(series: Series[], range: Range, pixels: number): uPlot.AlignedData {
  const lines = series.map((s) => {
    const line = decimate(s.times, s.values, range.from, range.to, pixels);
    return [line.x, line.y] as uPlot.AlignedData;
  });
  if (lines.length === 0) return [[range.from, range.to]];
  // Two rows of the same time are the sides of an event: join would keep one of them.
  const same = lines.every((l) => l[0].length === lines[0][0].length &&
                                  (l[0] as number[]).every((x, i) => x === lines[0][0][i]));
  if (same) return [lines[0][0], ...lines.map((l) => l[1])] as uPlot.AlignedData;
  return uPlot.join(lines.map((l) => spread(l)));
}

/** Repeated times moved apart by a rounding error, so that a join keeps both. */
function spread(line: uPlot.AlignedData): uPlot.AlignedData {
  const x = (line[0] as number[]).slice();
  for (let i = 1; i < x.length; ++i)
    if (x[i] <= x[i - 1]) x[i] = x[i - 1] + Math.max(Math.abs(x[i - 1]), 1e-300) * 2 ** -52;
  return [x, line[1]];
}

function valueAt(series: Series, time: number): number | undefined {
  const i = lowerBound(series.times, time);
  if (i >= series.times.length) return undefined;
  if (i === 0 || series.times[i] === time) return series.values[i];
  const share = (time - series.times[i - 1]) / (series.times[i] - series.times[i - 1]);
  return series.values[i - 1] + share * (series.values[i] - series.values[i - 1]);
}

/** All values, with some room; a constant stands in the middle. */
function withMargin(low: number | null, high: number | null): [number, number] {
  if (low === null || high === null) return [0, 1];
  const span = high - low, size = Math.max(Math.abs(low), Math.abs(high));
  if (span > 1e-14 * size && Number.isFinite(span)) return [low - 0.06 * span, high + 0.06 * span];
  const room = size > 0 && Number.isFinite(size) ? 0.1 * size : 1;
  return [low - room, high + room];
}

/** Of the part of a chart in which lines are, about: for how many columns values are sought. */
function plotWidth(width: number): number {
  return Math.max(200, width - 80);
}

export class TimePanel {
  readonly root = element('div', { class: 'chart', tabindex: 0, role: 'figure' });
  plot: uPlot;
  private shown: Range;
  private readonly readout = element('div', { class: 'legend', 'aria-live': 'off' });

  constructor(readonly series: Series[], private readonly shared: Shared, width: number,
              height: number) {
    this.shown = { ...shared.range };
    this.root.setAttribute('aria-label', 'Plot of ' + series.map((s) => s.label).join(', ') +
      ' over time. Arrow keys, Home and End move the cursor, + and - zoom, Page Up and Page Down go ' +
      'back and on, 0 shows everything.');
    this.plot = this.make(width, height);
    this.root.append(this.readout);
    this.showValues();
    this.root.addEventListener('keydown', (event) => this.key(event));
  }

  private make(width: number, height: number): uPlot {
    const axis: uPlot.Axis = {
      stroke: cssColour('--soft'), font: '12px system-ui, sans-serif',
      grid: { stroke: cssColour('--grid'), width: 1 }, ticks: { stroke: cssColour('--grid'), width: 1 },
    };
    return new uPlot({
      width, height,
      scales: { x: { time: false, range: () => [this.shared.range.from, this.shared.range.to] },
                y: { range: (_u, low, high) => withMargin(low, high) } },
      axes: [{ ...axis, values: (_u, ticks) => tickTexts(ticks), label: 'time [s]', labelSize: 20, labelFont: '12px system-ui, sans-serif' },
             { ...axis, size: (_u, texts) => Math.max(76, 22 + 7 * Math.max(...(texts ?? ['']).map((t) => t.length))),
               values: (_u, ticks) => tickTexts(ticks) }],
      series: [{}, ...this.series.map((s) => ({
        label: s.label, stroke: s.colour, width: 1.5, dash: s.dashed ? [6, 4] : undefined,
        points: { show: s.times.length < 60 },
      }))],
      legend: { show: false },
      cursor: {
        sync: { key: 'alembert', setSeries: false }, drag: { x: true, y: false, setScale: false },
        points: { size: 7 },
      },
      hooks: {
        setSelect: [(u) => {
          if (u.select.width < 3) return;
          this.shared.zoom({ from: u.posToVal(u.select.left, 'x'),
                             to: u.posToVal(u.select.left + u.select.width, 'x') });
          u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
        }],
        setCursor: [() => this.showValues()],
        drawClear: [(u) => this.drawMarks(u)],
        ready: [(u) => u.over.addEventListener('dblclick', () => this.shared.zoom({ from: NaN, to: NaN }))],
      },
    }, alignedData(this.series, this.shown, plotWidth(width)), this.root);
  }

  resize(width: number, height: number) {
    if (width < 50 || (width === this.plot.width && height === this.plot.height)) return;
    const wider = width !== this.plot.width;
    this.plot.setSize({ width, height });
    if (wider) this.refresh();
  }

  refresh() {
    this.shown = { ...this.shared.range };
    this.plot.setData(alignedData(this.series, this.shown, plotWidth(this.plot.width)), false);
    this.plot.setScale('x', { min: this.shown.from, max: this.shown.to });
  }

  get cursorTime(): number | undefined {
    const left = this.plot?.cursor.left;
    return left === undefined || left === null || left < 0 ? undefined
                                                           : this.plot.posToVal(left, 'x');
  }

  private showValues() {
    const time = this.cursorTime;
    this.readout.replaceChildren(
      ...this.series.map((s) => element('span', {},
        element('i', { style: `border-top: 3px ${s.dashed ? 'dashed' : 'solid'} ${s.colour}` }),
        s.label, time === undefined ? '' : ' = ' + numberText(valueAt(s, time), 9))),
      time === undefined ? '' : element('span', { class: 'at' }, 't = ' + numberText(time)));
  }

  private drawMarks(u: uPlot) {
    if (!this.shared.marks) return;
    const marks = this.shared.runs[0]?.run.events ?? [];
    const { ctx } = u;
    ctx.save();
    ctx.strokeStyle = cssColour('--mark');
    ctx.lineWidth = devicePixelRatio;
    ctx.setLineDash([3 * devicePixelRatio, 3 * devicePixelRatio]);
    ctx.beginPath();
    let last = -10;
    for (const mark of marks) {
      if (mark.time < this.shown.from || mark.time > this.shown.to) continue;
      const x = Math.round(u.valToPos(mark.time, 'x', true)) + 0.5;
      if (x - last < 2) continue;
      last = x;
      ctx.moveTo(x, u.bbox.top);
      ctx.lineTo(x, u.bbox.top + u.bbox.height);
    }
    ctx.stroke();
    ctx.restore();
  }

  private key(event: KeyboardEvent) {
    const width = this.plot.bbox.width / devicePixelRatio;
    const left = this.plot.cursor.left ?? -1;
    // The third argument, which uPlot's types do not have, moves the cursors of other panels too.
    const setCursor = this.plot.setCursor as (at: object, fire: boolean, publish: boolean) => void;
    const move = (by: number) => setCursor(
      { left: Math.min(width, Math.max(0, (left < 0 ? width / 2 : left) + by)), top: 10 }, true, true);
    const { from, to } = this.shared.range;
    const centre = this.cursorTime ?? (from + to) / 2;
    const zoom = (by: number) =>
      this.shared.zoom({ from: centre - (centre - from) * by, to: centre + (to - centre) * by });
    const pan = (sign: number) => this.shared.shift(sign * (to - from) * 0.5);
    const big = event.shiftKey ? 20 : 2;
    switch (event.key) {
      case 'Home': move(-width); break;
      case 'End': move(width); break;
      case 'PageUp': pan(-1); break;
      case 'PageDown': pan(1); break;
      case 'ArrowLeft': move(-big); break;
      case 'ArrowRight': move(big); break;
      case '+': case '=': zoom(0.7); break;
      case '-': zoom(1 / 0.7); break;
      case '0': this.shared.zoom({ from: NaN, to: NaN }); break;
      default: return;
    }
    event.preventDefault();
  }
}
