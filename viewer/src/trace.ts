// SPDX-License-Identifier: Apache-2.0
// Where a point has been: a line that fades into the paper, in buffers that are made once.
import { Color, type InterleavedBufferAttribute } from 'three';
import { LineMaterial } from 'three/examples/jsm/lines/LineMaterial.js';
import { LineSegments2 } from 'three/examples/jsm/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/examples/jsm/lines/LineSegmentsGeometry.js';
import { between, type Moving, type Surroundings } from './shapes';

const mostSegments = 600;

export class Trace {
  readonly object: LineSegments2;
  private readonly places = new Float32Array(6 * mostSegments);
  private readonly colours = new Float32Array(6 * mostSegments);
  private readonly geometry = new LineSegmentsGeometry();
  private readonly colour: Color;
  private readonly paper: Color;

  constructor(private readonly moving: Moving, private readonly around: Surroundings, width: number) {
    this.geometry.setPositions(this.places);
    this.geometry.setColors(this.colours);
    this.colour = new Color().setRGB(...moving.shape.colour, 'srgb');
    this.paper = new Color(around.paper);
    this.object = new LineSegments2(this.geometry, new LineMaterial({
      linewidth: width, vertexColors: true, depthTest: !around.planar, transparent: true }));
    this.object.frustumCulled = false;
  }

  /** frames: how far back it goes */
  move(frame: number, frames: number) {
    const first = Math.max(0, frame - frames), length = frame - first;
    const n = Math.max(0, Math.min(mostSegments, Math.ceil(length)));
    const place = (k: number, o: number) => {
      const f = first + (length * k) / Math.max(1, n);
      for (let c = 0; c < 3; ++c) this.places[o + c] = between(this.moving.at[c], f, this.around.frames);
    };
    const fade = (k: number, o: number) => {
      const strength = (k / Math.max(1, n)) ** 1.2;
      this.colours[o] = this.paper.r + strength * (this.colour.r - this.paper.r);
      this.colours[o + 1] = this.paper.g + strength * (this.colour.g - this.paper.g);
      this.colours[o + 2] = this.paper.b + strength * (this.colour.b - this.paper.b);
    };
    for (let k = 0; k < n; ++k) {
      place(k, 6 * k);
      place(k + 1, 6 * k + 3);
      fade(k, 6 * k);
      fade(k + 1, 6 * k + 3);
    }
    this.put('instanceStart', this.places);
    this.put('instanceColorStart', this.colours);
    this.geometry.instanceCount = n;
    this.object.visible = n > 0;
  }

  private put(name: string, values: Float32Array) {
    const buffer = (this.geometry.attributes[name] as InterleavedBufferAttribute).data;
    (buffer.array as Float32Array).set(values);
    buffer.needsUpdate = true;
  }
}
