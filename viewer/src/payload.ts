// SPDX-License-Identifier: Apache-2.0
// What the program puts into a page (src/alembert/visual/page.cpp), and how to read it.
// Columns are base64 of zlib-compressed doubles or floats, byte planes first ("shuffled", which
// compresses better); they are decoded when first looked at.

/** A column: one number for all rows, or a piece of the text of data. null: not a number. */
export type Ref = number | null | { o: number; n: number; k: 'd' | 'f' };

export interface Variable { name: string; unit?: string; about?: string; data: Ref }
export interface EventMark { time: number; what: string }
export interface Switch { time: number; from: string[]; to: string[]; before: number; after: number }
export interface ReportTable { title: string; rows: [string, string][] }

export interface Run {
  name: string;
  rows: number;
  time: Ref;
  variables: Variable[];
  events: EventMark[];
  switches: Switch[];
  report: ReportTable[];
  warnings: string[];
}

export interface Incidence { equations: string[]; unknowns: string[]; entries: number[][] }
export interface Block { kind: string; unknowns: string[]; equations: string[]; torn: number }
export interface Structure {
  facts: [string, string][];
  written: Incidence;
  ordered: Incidence;
  blocks: Block[];
  differentiated: { equation: string; times: number; origin: string }[];
  states: string[];
  charts: string[][];
}

export interface Shape {
  kind: string;
  name: string;
  at: Ref[];
  to: Ref[];
  side?: Ref[];
  axis: Ref[];
  width: Ref;
  height: Ref;
  turns: number;
  seconds: number;
  label: (string | Ref)[];
  colour: [number, number, number];
}
export interface SceneData {
  title: string;
  planar: boolean;
  up: 'y' | 'z';
  start: number;
  step: number;
  frames: number;
  speed: number;
  low: [number, number, number];
  high: [number, number, number];
  systems: Shape[][];
}

export interface Payload {
  program: string;
  title: string;
  tab: string;
  runs: Run[];
  panels: string[][];
  paths: [string, string][];
  structure?: Structure;
  scene?: SceneData;
}

function text(id: string): string {
  return document.getElementById(id)?.textContent ?? '';
}

export function readPayload(): Payload {
  return JSON.parse(text('alembert-page')) as Payload;
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const native = (Uint8Array as unknown as { fromBase64?: (s: string) => Uint8Array<ArrayBuffer> })
    .fromBase64;
  if (native) return native(base64);
  const letters = atob(base64);
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; ++i) bytes[i] = letters.charCodeAt(i);
  return bytes;
}

async function inflate(base64: string): Promise<Uint8Array> {
  const stream = new Blob([bytesOf(base64)]).stream()
    .pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** The code of the animation, which a page without one does not carry. */
export async function inflateText(id: string): Promise<string> {
  return new TextDecoder().decode(await inflate(text(id).trim()));
}

let data: string | undefined;
const known = new Map<number, Promise<Float64Array | Float32Array>>();

async function decode(offset: number, length: number, kind: 'd' | 'f') {
  data ??= text('alembert-data');
  const planes = await inflate(data.substring(offset, offset + length));
  const width = kind === 'd' ? 8 : 4;
  const n = planes.length / width;
  const bytes = new Uint8Array(planes.length);
  for (let b = 0; b < width; ++b)
    for (let i = 0, from = b * n, to = b; i < n; ++i, ++from, to += width) bytes[to] = planes[from];
  return kind === 'd' ? new Float64Array(bytes.buffer) : new Float32Array(bytes.buffer);
}

/** All values of a column. */
export function column(ref: Ref, rows: number): Promise<Float64Array | Float32Array> {
  if (ref === null || typeof ref === 'number')
    return Promise.resolve(new Float64Array(rows).fill(ref ?? NaN));
  let found = known.get(ref.o);
  if (!found) known.set(ref.o, (found = decode(ref.o, ref.n, ref.k)));
  return found;
}

/** The same as a function of the row, without filling an array for a constant. */
export async function track(ref: Ref): Promise<(row: number) => number> {
  if (ref === null || typeof ref === 'number') return () => ref ?? NaN;
  const values = await column(ref, 0);
  return (row) => values[row];
}
