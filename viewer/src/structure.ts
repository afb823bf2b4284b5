// SPDX-License-Identifier: Apache-2.0
// The tab "Structure": which unknown is in which equation, as written and in solve order, blocks and
// tears, what was differentiated, and which choice of states was in use when.
import { button, colourOf, cssColour, element, numberText } from './elements';
import type { Block, Incidence, Payload, Run, Structure } from './payload';

const mostNamed = 12;  // in a line

function shortList(names: string[]): string {
  return names.length <= mostNamed + 2 ? names.join(', ')
    : `${names.slice(0, mostNamed).join(', ')} and ${names.length - mostNamed} more`;
}

/** A matrix on a canvas. The cell under the pointer, or moved to by arrow keys, is told in words. */
class Matrix {
  readonly canvas = element('canvas', { tabindex: 0, role: 'img' });
  private readonly mark = element('div', { class: 'cell-mark' });  // moves without drawing anew
  readonly said = element('p', { class: 'said', role: 'status' }, '\u00a0');
  readonly root: HTMLElement;
  private zoom = 1;
  private focus = { row: 0, column: 0 };
  private readonly sets: Set<number>[];

  constructor(title: string, private readonly matrix: Incidence, private readonly blocks: Block[]) {
    this.sets = matrix.entries.map((row) => new Set(row));
    this.canvas.setAttribute('aria-label', `${title}: ${matrix.equations.length} equations, ${
      matrix.unknowns.length} unknowns. Arrow keys move from cell to cell, + and - change the size.`);
    const scroller = element('div', { class: 'scroller' }, this.canvas, this.mark);
    this.root = element('figure', { class: 'matrix' },
      element('figcaption', {}, element('b', {}, title), element('span', { class: 'gap' }),
        button('−', 'Smaller', () => this.scale(1 / 1.5)), button('+', 'Larger', () => this.scale(1.5))),
      scroller, this.said);
    this.canvas.addEventListener('mousemove', (event) => {
      const cell = this.cell();
      this.point(Math.floor(event.offsetY / cell), Math.floor(event.offsetX / cell));
    });
    this.canvas.addEventListener('keydown', (event) => this.key(event));
    this.draw();
  }

  private get n() {
    return Math.max(1, this.matrix.equations.length, this.matrix.unknowns.length);
  }

  private cell() {
    return Math.max(440 / 12000, Math.min(26, 440 / this.n)) * this.zoom;
  }

  private scale(by: number) {
    const most = 12000 / (this.cell() / this.zoom * this.n);
    this.zoom = Math.max(1, Math.min(most, this.zoom * by));
    this.draw();
  }

  private blockOfRow(row: number): { block: Block; first: number; index: number } | undefined {
    let first = 0;
    for (const [index, block] of this.blocks.entries()) {
      if (row < first + block.equations.length) return { block, first, index };
      first += block.equations.length;
    }
    return undefined;
  }

  private key(event: KeyboardEvent) {
    const step = event.shiftKey ? 10 : 1;
    if (event.key === '+' || event.key === '=' || event.key === '-') {
      event.preventDefault();
      this.scale(event.key === '-' ? 1 / 1.5 : 1.5);
      return;
    }
    const by = { ArrowUp: [-step, 0], ArrowDown: [step, 0], ArrowLeft: [0, -step], ArrowRight: [0, step] }[event.key];
    if (!by) return;
    event.preventDefault();
    this.point(this.focus.row + by[0], this.focus.column + by[1]);
    this.mark.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }

  private point(row: number, column: number) {
    row = Math.max(0, Math.min(this.matrix.equations.length - 1, row));
    column = Math.max(0, Math.min(this.matrix.unknowns.length - 1, column));
    this.focus = { row, column };
    const there = this.sets[row]?.has(column);
    let text = `Equation ${row + 1}: ${this.matrix.equations[row] ?? ''} · Unknown ${column + 1}: ${
      this.matrix.unknowns[column] ?? ''} — ${there ? 'the unknown is in it' : 'not in it'}`;
    const place = this.blockOfRow(row);
    if (place) {
      const { block, first, index } = place;
      text += ` · block ${index + 1}: ${block.kind}, ${block.equations.length} by ${block.equations.length}`;
      if (block.torn > 0) text += `, torn at ${shortList(block.unknowns.slice(0, block.torn))}`;
      if (column >= first && column < first + block.torn) text += ' (a tear)';
    }
    this.said.textContent = text;
    this.placeMark();
  }

  private placeMark() {
    const cell = this.cell(), size = Math.max(4, cell);
    Object.assign(this.mark.style, {
      left: `${this.focus.column * cell}px`, top: `${this.focus.row * cell}px`,
      width: `${size}px`, height: `${size}px` });
  }

  private draw() {
    const cell = this.cell(), ratio = devicePixelRatio;
    const width = Math.ceil(cell * Math.max(1, this.matrix.unknowns.length));
    const height = Math.ceil(cell * Math.max(1, this.matrix.equations.length));
    this.canvas.width = width * ratio;
    this.canvas.height = height * ratio;
    this.canvas.style.width = width + 'px';
    this.canvas.style.height = height + 'px';
    const ctx = this.canvas.getContext('2d')!;
    ctx.scale(ratio, ratio);
    ctx.fillStyle = cssColour('--paper');
    ctx.fillRect(0, 0, width, height);
    let first = 0;
    for (const block of this.blocks) {
      const size = block.equations.length;
      if (size > 1) {
        ctx.fillStyle = cssColour('--block');
        ctx.fillRect(first * cell, first * cell, size * cell, size * cell);
        ctx.fillStyle = cssColour('--tear');
        ctx.fillRect(first * cell, first * cell, block.torn * cell, size * cell);
      }
      first += size;
    }
    if (cell >= 7) this.grid(ctx, cell, width, height);
    const dot = Math.max(1, cell * 0.62), inset = (cell - dot) / 2;
    for (const [row, columns] of this.matrix.entries.entries())
      for (const column of columns) {
        const diagonal = this.blocks.length > 0 && row === column;
        ctx.fillStyle = diagonal ? colourOf(1) : colourOf(0);
        ctx.fillRect(column * cell + inset, row * cell + inset, dot, dot);
      }
    this.placeMark();
  }

  private grid(ctx: CanvasRenderingContext2D, cell: number, width: number, height: number) {
    ctx.strokeStyle = cssColour('--grid');
    ctx.lineWidth = 1;
    ctx.beginPath();
    for (let x = 0; x <= width; x += cell) { ctx.moveTo(x, 0); ctx.lineTo(x, height); }
    for (let y = 0; y <= height; y += cell) { ctx.moveTo(0, y); ctx.lineTo(width, y); }
    ctx.stroke();
  }
}

/** A strip of colours: which states were in use when. */
function chartsOverTime(run: Run, states: string[], end: number, start: number): HTMLElement {
  const met: { key: string; states: string[] }[] = [];  // charts, in the order of their use
  const colour = (chart: string[]) => {
    const key = chart.join(', ');
    let i = met.findIndex((one) => one.key === key);
    if (i < 0) i = met.push({ key, states: chart }) - 1;
    return colourOf(i);
  };
  const strip = element('div', { class: 'strip', role: 'img',
                                 'aria-label': `States in use; ${run.switches.length} changes` });
  let from = start, chart = run.switches[0]?.from ?? states;
  const add = (to: number) => {
    if (to > from)
      strip.append(element('i', {
        style: `flex-grow: ${(to - from) / (end - start)}; background: ${colour(chart)}`,
        title: `${numberText(from)} s to ${numberText(to)} s: ${shortList(chart)}` }));
    from = to;
  };
  for (const change of run.switches) {
    add(change.time);
    chart = change.to;
  }
  add(end);
  return element('figure', { class: 'charts' },
    element('figcaption', {}, element('b', {}, 'States in use over time')), strip,
    element('div', { class: 'ends' }, element('span', {}, numberText(start) + ' s'),
      element('span', {}, numberText(end) + ' s')),
    element('p', { class: 'legend' }, ...met.map((one, i) => element('span', {},
      element('i', { style: `border-top: 8px solid ${colourOf(i)}` }), shortList(one.states) || 'none'))));
}

function list(title: string, items: string[]): HTMLElement {
  return element('div', {}, element('h3', {}, title),
    items.length === 0 ? element('p', { class: 'hint' }, 'none')
      : element('ul', { class: 'lines' }, ...items.slice(0, 400).map((i) => element('li', {}, i))));
}

const blockText = (b: Block, i: number) =>
  `${i + 1}. ${b.kind}: ${shortList(b.unknowns)}  ⟵  ${
    b.equations.length > mostNamed ? `${b.equations.length} equations` : b.equations.join(';  ')}` +
  (b.torn > 0 ? `  (torn at ${shortList(b.unknowns.slice(0, b.torn))})` : '');

function show(root: HTMLElement, structure: Structure, run: Run | undefined, range: [number, number]) {
  root.append(
    element('dl', { class: 'facts' }, ...structure.facts.flatMap(([name, value]) =>
      [element('dt', {}, name), element('dd', {}, value)])),
    element('div', { class: 'matrices' },
      new Matrix('As written', structure.written, []).root,
      new Matrix('In solve order', structure.ordered, structure.blocks).root));
  if (run && range[1] > range[0]) root.append(chartsOverTime(run, structure.states, range[1], range[0]));
  root.append(element('div', { class: 'columns' },
    list('Differentiated', structure.differentiated.map((d) =>
      `${d.equation}  — ${d.times === 1 ? 'once' : d.times === 2 ? 'twice' : d.times + ' times'}${
        d.origin ? '  (' + d.origin + ')' : ''}`)),
    list('States', structure.states),
    list('Blocks, in solve order', structure.blocks.map(blockText))));
}

export async function showStructure(root: HTMLElement, payload: Payload,
                                    times: Promise<ArrayLike<number>> | undefined) {
  if (!payload.structure) {
    root.append(element('p', { class: 'hint' },
      'This page was made from a result alone. "alembert simulate MODEL.mo --html PAGE.html" adds the structure.'));
    return;
  }
  const t = await times;
  show(root, payload.structure, payload.runs[0], t && t.length > 0 ? [t[0], t[t.length - 1]] : [0, 0]);
}
