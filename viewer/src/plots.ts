// SPDX-License-Identifier: Apache-2.0
// The tab "Plots": a list of variables to search, panels under each other, runs to compare.
import { button, element, fileName, save } from './elements';
import { csvOf, pngOf, svgOf } from './export';
import { PathPanel } from './path_panel';
import { withFormulas } from './formula';
import type { Payload } from './payload';
import { openRun, runOfCsv, type OpenRun } from './runs';
import { seriesOf, TimePanel, type Range, type Shared } from './time_panel';

const mostListed = 300;  // variables in the list at once; the rest is a word away

type Content = { kind: 'time'; names: string[] } | { kind: 'path'; x: string; y: string };

interface Card { content: Content; root: HTMLElement; body: HTMLElement; chips: HTMLElement;
                 panel?: TimePanel | PathPanel }

export class Plots implements Shared {
  runs: OpenRun[];
  range: Range = { from: 0, to: 1 };
  marks = true;
  private whole: Range = { from: 0, to: 1 };
  private cards: Card[] = [];
  private active = 0;
  private readonly list = element('ul', { class: 'variables', role: 'listbox',
                                          'aria-label': 'Variables' });
  private readonly count = element('p', { class: 'hint', role: 'status' });
  private readonly stack = element('div', { class: 'stack' });
  readonly search = element('input', {
    type: 'search', placeholder: 'Search variables ( / )', 'aria-label': 'Search variables',
    oninput: () => this.showList(),
    onkeydown: (event: KeyboardEvent) => this.searchKey(event),
  });
  private readonly message = element('p', { class: 'hint', role: 'alert' });

  constructor(root: HTMLElement, private readonly payload: Payload) {
    this.runs = payload.runs.map((run) => withFormulas(openRun(run)));
    const contents: Content[] = [
      ...payload.paths.map(([x, y]) => ({ kind: 'path' as const, x, y })),
      ...payload.panels.map((names) => ({ kind: 'time' as const, names })),
    ];
    if (contents.length === 0) contents.push({ kind: 'time', names: [] });
    const file = element('input', {
      type: 'file', accept: '.csv', multiple: true, class: 'hidden',
      onchange: () => this.openFiles(file.files),
    });
    root.append(
      element('aside', {}, this.search, this.count, this.list,
        element('p', { class: 'hint' }, 'Enter or click adds to the marked panel, or takes away. Expressions work too: E - E(0), sqrt(x^2 + y^2).')),
      element('section', { class: 'plots' },
        element('div', { class: 'tools', role: 'toolbar', 'aria-label': 'Plot tools' },
          button('+ panel', 'Add a panel', () => this.add({ kind: 'time', names: [] })),
          button('x–y', 'The first two variables of the marked panel, one over the other',
                 () => this.addPath()),
          button('All', 'Show the whole range of time', () => this.zoom({ from: NaN, to: NaN })),
          button('Events', 'Marks of events on or off', () => {
            this.marks = !this.marks;
            this.refresh();
          }),
          button('Compare…', 'Open another result (.csv) beside this one', () => file.click()),
          element('span', { class: 'gap' }),
          button('PNG', 'Save the panels as a picture', () => void this.savePng()),
          button('SVG', 'Save the panels as a drawing',
                 () => save(fileName(payload.title, '.svg'), svgOf(this.panels(), this), 'image/svg+xml')),
          button('CSV', 'Save the numbers of what is shown',
                 () => save(fileName(payload.title, '.csv'), csvOf(this.panels(), this), 'text/csv')),
          file),
        this.message, this.stack));
    root.addEventListener('dragover', (event) => event.preventDefault());
    root.addEventListener('drop', (event) => {
      event.preventDefault();
      void this.openFiles(event.dataTransfer?.files ?? null);
    });
    this.showList();
    void this.start(contents);
    new ResizeObserver(() => this.resize()).observe(this.stack);
  }

  private async start(contents: Content[]) {
    await this.measure();
    this.range = { ...this.whole };
    await Promise.all(contents.map((content) => this.add(content)));
    this.mark(0);
    document.documentElement.dataset.ready = 'yes';
  }

  private async measure() {
    let from = Infinity, to = -Infinity;
    for (const run of this.runs) {
      const times = await run.times();
      if (times.length === 0) continue;
      from = Math.min(from, times[0]);
      to = Math.max(to, times[times.length - 1]);
    }
    if (!(to > from)) [from, to] = Number.isFinite(from) ? [from - 0.5, from + 0.5] : [0, 1];
    this.whole = { from, to };
  }

  panels(): (TimePanel | PathPanel)[] {
    return this.cards.flatMap((card) => (card.panel ? [card.panel] : []));
  }

  // ---- zoom, shared by all panels; NaN: everything ----

  zoom(range: Range) {
    const span = this.whole.to - this.whole.from;
    if (!(range.to - range.from > span * 1e-12)) range = this.whole;
    const from = Math.max(this.whole.from, range.from), to = Math.min(this.whole.to, range.to);
    this.range = to > from ? { from, to } : { ...this.whole };
    this.refresh();
  }

  shift(by: number) {
    const { from, to } = this.range;
    const most = by > 0 ? this.whole.to - to : this.whole.from - from;
    const way = by > 0 ? Math.min(by, most) : Math.max(by, most);
    this.zoom({ from: from + way, to: to + way });
  }

  refresh() {
    for (const panel of this.panels()) panel.refresh();
  }

  private size() {
    const shown = Math.max(1, this.cards.length);
    return { width: this.stack.clientWidth - 4,
             height: Math.max(190, Math.min(420, (innerHeight - 150) / shown - 70)) };
  }

  resize() {
    const { width, height } = this.size();
    for (const panel of this.panels()) panel.resize(width, height);
  }

  async rebuild() {
    for (const card of this.cards) await this.fill(card);
  }

  // ---- panels ----

  private async add(content: Content) {
    const chips = element('div', { class: 'chips' });
    const body = element('div', { class: 'body' });
    const card: Card = {
      content, body, chips,
      root: element('article', { class: 'panel' },
        element('header', {}, chips, button('×', 'Remove this panel', () => this.remove(card))), body),
    };
    card.root.addEventListener('focusin', () => this.mark(this.cards.indexOf(card)));
    card.root.addEventListener('mousedown', () => this.mark(this.cards.indexOf(card)));
    this.cards.push(card);
    this.stack.append(card.root);
    await this.fill(card);
    this.mark(this.cards.length - 1);
  }

  private addPath() {
    const content = this.cards[this.active]?.content;
    if (content?.kind === 'time' && content.names.length >= 2)
      void this.add({ kind: 'path', x: content.names[0], y: content.names[1] });
    else this.message.textContent = 'x–y needs a marked panel with two variables.';
  }

  private remove(card: Card) {
    this.cards = this.cards.filter((c) => c !== card);
    card.root.remove();
    this.mark(Math.min(this.active, this.cards.length - 1));
    this.resize();
  }

  private mark(i: number) {
    this.active = Math.max(0, i);
    for (const [k, card] of this.cards.entries()) card.root.classList.toggle('active', k === this.active);
    this.showChosen();
  }

  private async fill(card: Card) {
    const { content } = card, { width, height } = this.size();
    card.panel = content.kind === 'time'
      ? new TimePanel(await seriesOf(content.names, this.runs), this, width < 50 ? 800 : width, height)
      : await PathPanel.make(content.x, content.y, this);
    const names = content.kind === 'time' ? content.names : [];
    card.chips.replaceChildren(
      ...names.map((name) => button(name + ' ×', `Remove ${name}`, () => void this.toggle(name, card))),
      content.kind === 'path' ? element('b', {}, `${content.y} over ${content.x}`)
        : names.length === 0 ? element('span', { class: 'hint' }, 'Choose variables on the left.') : '');
    card.body.replaceChildren(card.panel.root);
    this.resize();
  }

  private async toggle(name: string, card: Card | undefined) {
    if (!card || card.content.kind !== 'time') {
      await this.add({ kind: 'time', names: [name] });
    } else {
      const { names } = card.content;
      card.content.names = names.includes(name) ? names.filter((n) => n !== name) : [...names, name];
      await this.fill(card);
    }
    this.showChosen();
  }

  // ---- the list of variables ----

  private matches(): string[] {
    const words = this.search.value.toLowerCase().split(/\s+/).filter((w) => w !== '');
    const names = new Map<string, string>();
    for (const run of this.runs)
      for (const v of run.run.variables)
        if (!names.has(v.name)) names.set(v.name, (v.name + ' ' + (v.about ?? '')).toLowerCase());
    const found = [...names].filter(([, text]) => words.every((w) => text.includes(w))).map(([n]) => n);
    // What is no name may be an expression of names.
    const typed = this.search.value.trim();
    if (!names.has(typed) && this.runs.some((run) => run.find(typed))) found.unshift(typed);
    return found;
  }

  private showList() {
    const found = this.matches();
    this.count.textContent = `${found.length} variable${found.length === 1 ? '' : 's'}` +
      (found.length > mostListed ? `, the first ${mostListed} shown` : '');
    this.list.replaceChildren(...found.slice(0, mostListed).map((name, i) => {
      const variable = this.runs.map((r) => r.find(name)).find((v) => v);
      return element('li', {
        // One stop of the Tab key for the whole list; arrow keys go on from there.
        role: 'option', tabindex: i === 0 ? 0 : -1, 'data-name': name, title: variable?.about ?? name,
        onclick: () => void this.toggle(name, this.cards[this.active]),
        onkeydown: (event: KeyboardEvent) => this.itemKey(event, name),
      }, element('span', {}, name), element('small', {}, variable?.unit ?? ''));
    }));
    this.showChosen();
  }

  private showChosen() {
    const content = this.cards[this.active]?.content;
    const names = content?.kind === 'time' ? content.names : [];
    for (const item of this.list.children)
      item.setAttribute('aria-selected', String(names.includes((item as HTMLElement).dataset.name!)));
  }

  private searchKey(event: KeyboardEvent) {
    if (event.key === 'ArrowDown') (this.list.firstElementChild as HTMLElement | null)?.focus();
    else if (event.key === 'Enter') (this.list.firstElementChild as HTMLElement | null)?.click();
    else if (event.key === 'Escape') { this.search.value = ''; this.showList(); }
    else return;
    event.preventDefault();
  }

  private itemKey(event: KeyboardEvent, name: string) {
    const item = event.currentTarget as HTMLElement;
    if (event.key === 'ArrowDown') (item.nextElementSibling as HTMLElement | null)?.focus();
    else if (event.key === 'ArrowUp') ((item.previousElementSibling ?? this.search) as HTMLElement).focus();
    else if (event.key === 'Enter' || event.key === ' ') void this.toggle(name, this.cards[this.active]);
    else return;
    event.preventDefault();
  }

  // ---- other runs, and files to keep ----

  private async openFiles(files: FileList | null) {
    for (const file of files ?? []) {
      try {
        this.runs.push(withFormulas(runOfCsv(file.name, await file.text())));
        this.message.textContent = `${file.name}: dashed lines.`;
      } catch (error) {
        this.message.textContent = (error as Error).message;
      }
    }
    await this.measure();
    this.range = { ...this.whole };
    this.showList();
    await this.rebuild();
  }

  private async savePng() {
    save(fileName(this.payload.title, '.png'), await pngOf(this.panels()), 'image/png');
  }
}
