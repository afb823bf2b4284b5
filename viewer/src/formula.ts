// SPDX-License-Identifier: Apache-2.0
// Expressions of variables, typed where variables are searched: "E - E(0)", "sqrt(x^2 + y^2)".
// Names are those of the result, brackets, dots and der() included; NAME(0) is the first value.
import type { Variable } from './payload';
import type { OpenRun } from './runs';

type Values = Float64Array | Float32Array;
type Row = (row: number) => number;

const functions: Record<string, (...values: number[]) => number> = {
  abs: Math.abs, acos: Math.acos, asin: Math.asin, atan: Math.atan, atan2: Math.atan2, cos: Math.cos,
  cosh: Math.cosh, exp: Math.exp, log: Math.log, log10: Math.log10, max: Math.max, min: Math.min,
  sign: Math.sign, sin: Math.sin, sinh: Math.sinh, sqrt: Math.sqrt, tan: Math.tan, tanh: Math.tanh,
};

/** Names that an expression asks for, in order, and how its value comes from theirs. */
interface Formula { names: string[]; value: (columns: Values[]) => Row }

type Node = (columns: Values[]) => Row;

/** Reads by descent; `isName` tells which texts are variables. Throws where it is no expression. */
class Reader {
  names: string[] = [];
  private at = 0;

  constructor(private readonly text: string, private readonly isName: (name: string) => boolean) {}

  whole(): Node {
    const node = this.sum();
    this.space();
    if (this.at < this.text.length) throw new Error('something is left over');
    return node;
  }

  private space() {
    while (this.text[this.at] === ' ') ++this.at;
  }

  private take(sign: string): boolean {
    this.space();
    if (!this.text.startsWith(sign, this.at)) return false;
    this.at += sign.length;
    return true;
  }

  private sum(): Node {
    let left = this.product();
    for (;;) {
      const sign = this.take('+') ? 1 : this.take('-') ? -1 : 0;
      if (sign === 0) return left;
      const a = left, b = this.product();
      left = (c) => { const x = a(c), y = b(c); return (i) => x(i) + sign * y(i); };
    }
  }

  private product(): Node {
    let left = this.signed();
    for (;;) {
      const times = this.take('*');
      if (!times && !this.take('/')) return left;
      const a = left, b = this.signed();
      left = (c) => { const x = a(c), y = b(c); return times ? (i) => x(i) * y(i) : (i) => x(i) / y(i); };
    }
  }

  private signed(): Node {
    if (this.take('-')) {
      const a = this.signed();
      return (c) => { const x = a(c); return (i) => -x(i); };
    }
    return this.power();
  }

  private power(): Node {
    const a = this.primary();
    if (!this.take('^')) return a;
    const b = this.signed();
    return (c) => { const x = a(c), y = b(c); return (i) => x(i) ** y(i); };
  }

  private primary(): Node {
    if (this.take('(')) {
      const inner = this.sum();
      if (!this.take(')')) throw new Error('a bracket is open');
      return inner;
    }
    const number = /^(\d+\.?\d*|\.\d+)(e[+-]?\d+)?/i.exec(this.text.substring(this.at))?.[0];
    if (number) {
      this.at += number.length;
      return () => () => Number(number);
    }
    const name = this.longestName();
    if (name !== '') return this.variable(name);
    const word = /^[a-z_]\w*/i.exec(this.text.substring(this.at))?.[0] ?? '';
    const f = functions[word];
    if (!f) throw new Error(`'${word}' is unknown`);
    this.at += word.length;
    if (!this.take('(')) throw new Error(`${word} needs brackets`);
    const given = [this.sum()];
    while (this.take(',')) given.push(this.sum());
    if (!this.take(')')) throw new Error('a bracket is open');
    return (c) => { const rows = given.map((node) => node(c)); return (i) => f(...rows.map((row) => row(i))); };
  }

  private variable(name: string): Node {
    const k = this.names.includes(name) ? this.names.indexOf(name) : this.names.push(name) - 1;
    if (/^ *\( *0 *\)/.test(this.text.substring(this.at))) {
      this.at = this.text.indexOf(')', this.at) + 1;
      return (c) => { const first = c[k][0]; return () => first; };
    }
    return (c) => { const values = c[k]; return (i) => values[i]; };
  }

  /** The longest variable that begins here and does not end inside of a word. */
  private longestName(): string {
    this.space();
    const rest = this.text.substring(this.at);
    const most = /^[\w.[\],' ()]*/.exec(rest)?.[0].length ?? 0;
    for (let n = most; n > 0; --n) {
      if (/\w/.test(rest[n - 1]) && /[\w.]/.test(rest[n] ?? '')) continue;
      const name = rest.substring(0, n);
      if (!this.isName(name)) continue;
      this.at += n;
      return name;
    }
    return '';
  }
}

function formulaOf(text: string, run: OpenRun): Formula | undefined {
  const reader = new Reader(text, (name) => name === 'time' || run.find(name) !== undefined);
  try {
    const value = reader.whole();
    return reader.names.length > 0 ? { names: reader.names, value } : undefined;
  } catch {
    return undefined;
  }
}

/** The run with every expression of its variables among them. */
export function withFormulas(run: OpenRun): OpenRun {
  const known = new Map<string, Formula | undefined>();
  const formula = (text: string) => {
    if (!known.has(text)) known.set(text, formulaOf(text, run));
    return known.get(text);
  };
  return {
    ...run,
    find: (name): Variable | undefined =>
      run.find(name) ?? (formula(name) ? { name, about: 'an expression', data: null } : undefined),
    values: async (name) => {
      const found = run.find(name) ? undefined : formula(name);
      if (!found) return run.values(name);
      const times = await run.times();
      const columns = await Promise.all(
        found.names.map((n) => (n === 'time' ? Promise.resolve(times) : run.values(n))));
      const row = found.value(columns);
      return Float64Array.from({ length: times.length }, (_, i) => row(i));
    },
  };
}
