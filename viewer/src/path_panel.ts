// SPDX-License-Identifier: Apache-2.0
// One quantity over another, with equal axes: paths in the plane.
import { colourOf, cssColour, element, niceTicks, numberText } from './elements';
import { withUnit, type Shared } from './time_panel';

interface Path { x: ArrayLike<number>; y: ArrayLike<number>; times: ArrayLike<number>; colour: string;
                 dashed: boolean }

const margin = { left: 66, right: 12, top: 10, bottom: 44 };

export class PathPanel {
  readonly canvas = element('canvas');
  readonly root = element('div', { class: 'chart', tabindex: 0, role: 'figure' }, this.canvas);
  readonly paths: Path[] = [];
  private xLabel = '';
  private yLabel = '';
  private height = 360;
  private width = 800;

  private constructor(readonly xName: string, readonly yName: string,
                      private readonly shared: Shared) {}

  static async make(x: string, y: string, shared: Shared): Promise<PathPanel> {
    const panel = new PathPanel(x, y, shared);
    for (const [r, run] of shared.runs.entries()) {
      const vx = run.find(x), vy = run.find(y);
      if (!vx || !vy) continue;
      panel.xLabel = withUnit(x, vx.unit);
      panel.yLabel = withUnit(y, vy.unit);
      panel.paths.push({ x: await run.values(x), y: await run.values(y), times: await run.times(),
                         colour: colourOf(r), dashed: r > 0 });
    }
    panel.root.setAttribute('aria-label', `Path: ${y} over ${x}`);
    return panel;
  }

  resize(width: number, height: number) {
    this.width = Math.max(200, width);
    this.height = Math.max(height, 360);
    this.refresh();
  }

  /** Smallest and largest, widened so that a unit is as long on both axes. */
  private box() {
    let x0 = Infinity, x1 = -Infinity, y0 = Infinity, y1 = -Infinity;
    for (const path of this.paths)
      for (let i = 0; i < path.x.length; ++i) {
        const x = path.x[i], y = path.y[i];
        if (!Number.isFinite(x) || !Number.isFinite(y)) continue;
        if (x < x0) x0 = x;
        if (x > x1) x1 = x;
        if (y < y0) y0 = y;
        if (y > y1) y1 = y;
      }
    if (!(x1 >= x0)) [x0, x1, y0, y1] = [0, 1, 0, 1];
    const w = this.width - margin.left - margin.right, h = this.height - margin.top - margin.bottom;
    const scale = Math.max((x1 - x0) / w, (y1 - y0) / h, 1e-300) * 1.06;
    const cx = (x0 + x1) / 2, cy = (y0 + y1) / 2;
    return { x0: cx - (scale * w) / 2, y0: cy - (scale * h) / 2, scale, w, h };
  }

  refresh() {
    const ratio = devicePixelRatio;
    this.canvas.width = this.width * ratio;
    this.canvas.height = this.height * ratio;
    this.canvas.style.width = this.width + 'px';
    this.canvas.style.height = this.height + 'px';
    const ctx = this.canvas.getContext('2d')!;
    ctx.scale(ratio, ratio);
    const { x0, y0, scale, w, h } = this.box();
    const px = (x: number) => margin.left + (x - x0) / scale;
    const py = (y: number) => margin.top + h - (y - y0) / scale;
    ctx.font = '12px system-ui, sans-serif';
    ctx.fillStyle = cssColour('--soft');
    ctx.strokeStyle = cssColour('--grid');
    ctx.lineWidth = 1;
    ctx.textAlign = 'center';
    ctx.textBaseline = 'top';
    for (const t of niceTicks(x0, x0 + scale * w, w / 80)) {
      ctx.beginPath(); ctx.moveTo(px(t), margin.top); ctx.lineTo(px(t), margin.top + h); ctx.stroke();
      ctx.fillText(numberText(t), px(t), margin.top + h + 5);
    }
    ctx.textAlign = 'right';
    ctx.textBaseline = 'middle';
    for (const t of niceTicks(y0, y0 + scale * h, h / 45)) {
      ctx.beginPath(); ctx.moveTo(margin.left, py(t)); ctx.lineTo(margin.left + w, py(t)); ctx.stroke();
      ctx.fillText(numberText(t), margin.left - 6, py(t));
    }
    ctx.textAlign = 'center';
    ctx.fillText(this.xLabel, margin.left + w / 2, margin.top + h + 30);
    ctx.save();
    ctx.translate(12, margin.top + h / 2);
    ctx.rotate(-Math.PI / 2);
    ctx.fillText(this.yLabel, 0, 0);
    ctx.restore();
    ctx.save();
    ctx.beginPath(); ctx.rect(margin.left, margin.top, w, h); ctx.clip();
    for (const path of this.paths) this.stroke(ctx, path, px, py);
    ctx.restore();
  }

  /** Points nearer than half a pixel to the last one drawn are left out. */
  private stroke(ctx: CanvasRenderingContext2D, path: Path, px: (x: number) => number,
                 py: (y: number) => number) {
    const { from, to } = this.shared.range;
    ctx.strokeStyle = path.colour;
    ctx.lineWidth = 1.5;
    ctx.setLineDash(path.dashed ? [6, 4] : []);
    ctx.beginPath();
    let down = false, lx = 0, ly = 0;
    for (let i = 0; i < path.x.length; ++i) {
      const x = px(path.x[i]), y = py(path.y[i]);
      if (!Number.isFinite(x) || !Number.isFinite(y) || path.times[i] < from || path.times[i] > to) {
        down = false;
        continue;
      }
      if (!down) ctx.moveTo(x, y);
      else if (Math.abs(x - lx) + Math.abs(y - ly) < 0.5) continue;
      else ctx.lineTo(x, y);
      [down, lx, ly] = [true, x, y];
    }
    ctx.stroke();
  }
}
