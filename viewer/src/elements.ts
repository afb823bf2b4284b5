// SPDX-License-Identifier: Apache-2.0
// Small things of the page: elements in one call, colours, numbers as text, files to keep.

type Attributes = Record<string, string | number | boolean | ((event: any) => void) | undefined>;

/** An element; what starts with "on" is a listener; children are elements or plain text. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K, attributes: Attributes = {}, ...children: (Node | string)[]): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === 'function') made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value === true ? '' : String(value));
  }
  made.append(...children);
  return made;
}

export function button(label: string, title: string, act: () => void): HTMLButtonElement {
  return element('button', { type: 'button', title, 'aria-label': title, onclick: act }, label);
}

/** Okabe and Ito's colours, as in static figures; the last one is for what has no colour left. */
export const palette = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#7f7f7f'];

export const colourOf = (i: number) => palette[i % palette.length];

export function isDark(): boolean {
  return document.documentElement.dataset.theme === 'dark';
}

export function cssColour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** Six significant digits, or as many as told, without a tail of zeros. */
export function numberText(value: number | null | undefined, digits = 6): string {
  if (value === null || value === undefined || Number.isNaN(value)) return '–';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-4) return value.toExponential(digits - 2).replace(/\.?0+e/, 'e');
  return String(Number(value.toPrecision(digits)));
}

/** Numbers at an axis. Where they would all look alike, the first is told, and by how much others are more. */
export function tickTexts(ticks: number[]): string[] {
  const step = ticks.length > 1 ? ticks[1] - ticks[0] : 0;
  const size = Math.max(...ticks.map(Math.abs));
  if (!(step > 0 && size / step > 1e5)) return ticks.map((t) => numberText(t));
  return ticks.map((t, i) => (i === 0 ? numberText(t, 10) : '+' + numberText(i * step, 3)));
}

/** Marks at 1, 2 or 5 times a power of ten, `count` or fewer. */
export function niceTicks(low: number, high: number, count: number): number[] {
  const span = high - low;
  if (!(span > 0) || !Number.isFinite(span)) return [low];
  const rough = span / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough * 0.999) ?? 10 * power;
  const ticks: number[] = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * span; ++k)
    ticks.push(Number((k * step).toPrecision(12)));
  return ticks;
}

export function save(name: string, content: BlobPart | Blob, type: string) {
  const blob = content instanceof Blob ? content : new Blob([content], { type });
  const link = element('a', { download: name, href: URL.createObjectURL(blob) });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

export function fileName(title: string, ending: string): string {
  return (title.replace(/[^A-Za-z0-9._-]+/g, '_') || 'alembert') + ending;
}
