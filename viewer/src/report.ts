// SPDX-License-Identifier: Apache-2.0
// The tab "Report": what was run, with which settings, and what happened.
import { element, numberText } from './elements';
import type { Payload, Run } from './payload';

const mostRows = 500;
const mostWarnings = 5;  // in sight; the others are a click away

function table(head: string[], rows: string[][]): HTMLElement {
  return element('table', {},
    element('thead', {}, element('tr', {}, ...head.map((h) => element('th', { scope: 'col' }, h)))),
    element('tbody', {}, ...rows.slice(0, mostRows).map((row) =>
      element('tr', {}, ...row.map((cell) => element('td', {}, cell))))));
}

function counted(title: string, n: number): string {
  return n > mostRows ? `${title} (the first ${mostRows} of ${n})` : title;
}

function section(run: Run, several: boolean): HTMLElement {
  const root = element('section', { class: 'report' });
  if (several) root.append(element('h2', {}, run.name));
  const warnings = run.warnings.map((warning) => element('p', { class: 'warning' }, warning));
  root.append(...warnings.slice(0, mostWarnings));
  if (warnings.length > mostWarnings)
    root.append(element('details', {},
      element('summary', {}, `${warnings.length - mostWarnings} more warnings`),
      ...warnings.slice(mostWarnings)));
  for (const part of run.report)
    root.append(element('h3', {}, part.title),
      element('dl', {}, ...part.rows.flatMap(([name, value]) =>
        [element('dt', {}, name), element('dd', {}, value)])));
  if (run.switches.length > 0)
    root.append(element('h3', {}, counted('Changes of states', run.switches.length)),
      table(['time [s]', 'from', 'to', 'quality before', 'after'], run.switches.map((s) =>
        [numberText(s.time), s.from.join(', '), s.to.join(', '), numberText(s.before), numberText(s.after)])));
  if (run.events.length > 0)
    root.append(element('h3', {}, counted('Events', run.events.length)),
      table(['time [s]', 'what'], run.events.map((e) => [numberText(e.time), e.what])));
  if (root.childElementCount === 0)
    root.append(element('p', { class: 'hint' },
      `${run.rows} rows, ${run.variables.length} variables. A page made by "alembert simulate … --html" tells more.`));
  return root;
}

export function showReport(root: HTMLElement, payload: Payload) {
  root.append(...payload.runs.map((run) => section(run, payload.runs.length > 1)),
    element('p', { class: 'hint' }, `Made by ${payload.program}.`));
}
