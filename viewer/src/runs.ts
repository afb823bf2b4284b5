// SPDX-License-Identifier: Apache-2.0
// Runs on the page: those it came with, and results (.csv) that a person opens beside them.
import { column, type Run, type Variable } from './payload';

type Values = Float64Array | Float32Array;

export interface OpenRun {
  run: Run;
  find(name: string): Variable | undefined;
  times(): Promise<Values>;
  values(name: string): Promise<Values>;
}

export function openRun(run: Run): OpenRun {
  const index = new Map(run.variables.map((v) => [v.name, v]));
  return {
    run,
    find: (name) => index.get(name),
    times: () => column(run.time, run.rows),
    values: (name) => column(index.get(name)?.data ?? null, run.rows),
  };
}

/** Fields of one line of a CSV file, as RFC 4180 has them. */
function fields(line: string): string[] {
  const found: string[] = [];
  const pattern = /("(?:[^"]|"")*"|[^,]*)(,|$)/g;
  for (let match = pattern.exec(line); match; match = pattern.exec(line)) {
    const field = match[1];
    found.push(field.startsWith('"') ? field.slice(1, -1).replace(/""/g, '"') : field);
    if (match[2] === '') break;
  }
  return found;
}

/** A result file as a run; throws an Error whose message is for people. */
export function runOfCsv(name: string, text: string): OpenRun {
  const lines = text.split(/\r?\n/).filter((line) => line !== '');
  if (lines.length < 2) throw new Error(`${name} has no rows.`);
  const names = fields(lines[0]);
  if (names[0] !== 'time') throw new Error(`${name} is no result: its first column is not "time".`);
  const columns = names.map(() => new Float64Array(lines.length - 1));
  for (let row = 1; row < lines.length; ++row) {
    const numbers = lines[row].split(',');
    for (let c = 0; c < names.length; ++c) columns[c][row - 1] = Number(numbers[c] ?? NaN);
  }
  const index = new Map(names.map((n, i) => [n, i]));
  const variables = names.slice(1).map((n) => ({ name: n, data: null }));
  const run: Run = {
    name, rows: lines.length - 1, time: null, variables, events: [], switches: [], report: [],
    warnings: [],
  };
  return {
    run,
    find: (n) => (n !== 'time' && index.has(n) ? { name: n, data: null } : undefined),
    times: () => Promise.resolve(columns[0]),
    values: (n) => Promise.resolve(columns[index.get(n) ?? 0]),
  };
}
