// SPDX-License-Identifier: Apache-2.0
// What is on the screen as files: a picture, a drawing, numbers.
import { decimate } from './decimate';
import { cssColour, niceTicks, numberText } from './elements';
import { PathPanel } from './path_panel';
import { TimePanel, type Shared } from './time_panel';

type AnyPanel = TimePanel | PathPanel;

function canvasOf(panel: AnyPanel): HTMLCanvasElement {
  return panel instanceof TimePanel ? panel.plot.ctx.canvas : panel.canvas;
}

/** The panels under each other, with their legends. */
export function pngOf(panels: AnyPanel[]): Promise<Blob> {
  const ratio = devicePixelRatio, legend = 24 * ratio;
  const pictures = panels.map(canvasOf);
  const sheet = document.createElement('canvas');
  sheet.width = Math.max(1, ...pictures.map((p) => p.width));
  sheet.height = Math.max(1, pictures.reduce((sum, p) => sum + p.height + legend, 0));
  const ctx = sheet.getContext('2d')!;
  ctx.fillStyle = cssColour('--paper');
  ctx.fillRect(0, 0, sheet.width, sheet.height);
  ctx.font = `${12 * ratio}px system-ui, sans-serif`;
  ctx.textBaseline = 'middle';
  let y = 0;
  for (const [i, picture] of pictures.entries()) {
    const panel = panels[i];
    let x = 70 * ratio;
    for (const s of panel instanceof TimePanel ? panel.series : []) {
      ctx.fillStyle = s.colour;
      ctx.fillRect(x, y + legend / 2 - ratio, 18 * ratio, 2 * ratio);
      ctx.fillStyle = cssColour('--ink');
      ctx.fillText(s.label, x + 23 * ratio, y + legend / 2);
      x += 40 * ratio + ctx.measureText(s.label).width;
    }
    ctx.drawImage(picture, 0, y + legend);
    y += picture.height + legend;
  }
  return new Promise((resolve, reject) =>
    sheet.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/png'));
}

const escaped = (text: string) =>
  text.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]!);

const page = { width: 760, height: 260, left: 70, right: 14, top: 26, bottom: 40 };

interface Curve { x: ArrayLike<number>; y: ArrayLike<number | null>; colour: string; dashed: boolean;
                  label: string }

function curvesOf(panel: AnyPanel, shared: Shared): Curve[] {
  if (panel instanceof PathPanel)
    return panel.paths.map((p) => ({ ...p, label: '' }));
  return panel.series.map((s) => ({
    ...decimate(s.times, s.values, shared.range.from, shared.range.to, page.width), colour: s.colour,
    dashed: s.dashed, label: s.label,
  }));
}

function extent(curves: Curve[], which: 'x' | 'y'): [number, number] {
  let low = Infinity, high = -Infinity;
  for (const curve of curves)
    for (let i = 0; i < curve[which].length; ++i) {
      const v = curve[which][i];
      if (v === null || !Number.isFinite(v)) continue;
      if (v < low) low = v;
      if (v > high) high = v;
    }
  if (!(high >= low)) return [0, 1];
  const more = high > low ? 0.04 * (high - low) : Math.max(1, Math.abs(low)) * 0.5;
  return [low - more, high + more];
}

function svgPanel(panel: AnyPanel, shared: Shared, top: number): string {
  const curves = curvesOf(panel, shared);
  const over = panel instanceof TimePanel;
  let [x0, x1] = over ? [shared.range.from, shared.range.to] : extent(curves, 'x');
  let [y0, y1] = extent(curves, 'y');
  const w = page.width - page.left - page.right, h = page.height - page.top - page.bottom;
  if (!over) {
    const scale = Math.max((x1 - x0) / w, (y1 - y0) / h);
    const cx = (x0 + x1) / 2, cy = (y0 + y1) / 2;
    [x0, x1, y0, y1] = [cx - scale * w / 2, cx + scale * w / 2, cy - scale * h / 2, cy + scale * h / 2];
  }
  const px = (x: number) => (page.left + ((x - x0) / (x1 - x0)) * w).toFixed(2);
  const py = (y: number) => (top + page.top + h - ((y - y0) / (y1 - y0)) * h).toFixed(2);
  const grid = cssColour('--grid'), soft = cssColour('--soft'), ink = cssColour('--ink');
  const out: string[] = [];
  for (const t of niceTicks(x0, x1, w / 80))
    out.push(`<path d="M${px(t)} ${top + page.top}v${h}" stroke="${grid}"/><text x="${px(t)}" y="${
      top + page.top + h + 15}" text-anchor="middle" fill="${soft}">${numberText(t)}</text>`);
  for (const t of niceTicks(y0, y1, h / 40))
    out.push(`<path d="M${page.left} ${py(t)}h${w}" stroke="${grid}"/><text x="${page.left - 6}" y="${
      py(t)}" dy="4" text-anchor="end" fill="${soft}">${numberText(t)}</text>`);
  const id = `clip${top}`;
  out.push(`<clipPath id="${id}"><rect x="${page.left}" y="${top + page.top}" width="${w}" height="${
    h}"/></clipPath><g clip-path="url(#${id})" fill="none" stroke-width="1.5" stroke-linejoin="round">`);
  for (const curve of curves) {
    let path = '', down = false;
    for (let i = 0; i < curve.x.length; ++i) {
      const y = curve.y[i];
      if (y === null || !Number.isFinite(y) || !Number.isFinite(curve.x[i])) { down = false; continue; }
      path += `${down ? 'L' : 'M'}${px(curve.x[i])} ${py(y)}`;
      down = true;
    }
    out.push(`<path d="${path}" stroke="${curve.colour}"${curve.dashed ? ' stroke-dasharray="6 4"' : ''}/>`);
  }
  out.push('</g>');
  let x = page.left;
  for (const curve of curves) {
    if (!curve.label) continue;
    out.push(`<path d="M${x} ${top + 13}h18" stroke="${curve.colour}" stroke-width="2"/><text x="${
      x + 23}" y="${top + 17}" fill="${ink}">${escaped(curve.label)}</text>`);
    x += 45 + curve.label.length * 6.6;
  }
  const label = over ? 'time [s]' : panel.xName;
  out.push(`<text x="${page.left + w / 2}" y="${top + page.height - 6}" text-anchor="middle" fill="${
    soft}">${escaped(label)}</text>`);
  if (!over)
    out.push(`<text transform="translate(14 ${top + page.top + h / 2}) rotate(-90)" text-anchor="middle" fill="${
      soft}">${escaped(panel.yName)}</text>`);
  return out.join('\n');
}

export function svgOf(panels: AnyPanel[], shared: Shared): string {
  const height = panels.length * page.height;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${page.width}" height="${height}" viewBox="0 0 ${
    page.width} ${height}" font-family="sans-serif" font-size="12">\n<rect width="100%" height="100%" fill="${
    cssColour('--paper')}"/>\n` +
    panels.map((panel, i) => svgPanel(panel, shared, i * page.height)).join('\n') + '\n</svg>\n';
}

/** All rows in the range of time that is shown; a run after the other where there are several. */
export function csvOf(panels: AnyPanel[], shared: Shared): string {
  const quoted = (name: string) => (/[",\n]/.test(name) ? `"${name.replace(/"/g, '""')}"` : name);
  const series = panels.flatMap((p) => (p instanceof TimePanel ? p.series : []));
  const groups = new Map<ArrayLike<number>, typeof series>();
  for (const s of series) groups.set(s.times, [...(groups.get(s.times) ?? []), s]);
  let out = '';
  for (const [times, group] of groups) {
    out += ['time', ...group.map((s) => quoted(s.label))].join(',') + '\n';
    for (let i = 0; i < times.length; ++i)
      if (times[i] >= shared.range.from && times[i] <= shared.range.to)
        out += [times[i], ...group.map((s) => s.values[i])].join(',') + '\n';
  }
  return out;
}
