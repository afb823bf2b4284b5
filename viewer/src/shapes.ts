// SPDX-License-Identifier: Apache-2.0
// The shapes of a scene as three.js objects, each with a function that moves it to an instant.
import {
  BoxGeometry, CanvasTexture, Color, ConeGeometry, CylinderGeometry, Group, Matrix4, Mesh,
  MeshBasicMaterial, MeshStandardMaterial, Object3D, SphereGeometry, Sprite, SpriteMaterial,
  SRGBColorSpace, TorusGeometry, Vector3, type BufferGeometry, type Material,
} from 'three';
import { LineMaterial } from 'three/examples/jsm/lines/LineMaterial.js';
import { LineSegments2 } from 'three/examples/jsm/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/examples/jsm/lines/LineSegmentsGeometry.js';
import type { Ref, Shape } from './payload';

export type Track = (frame: number) => number;

/** A shape with its columns at hand. */
export interface Moving {
  shape: Shape;
  at: Track[];
  to: Track[];
  side?: Track[];
  axis: Track[];
  width: Track;
  height: Track;
  label: (string | Track)[];
}

export async function moving(shape: Shape, track: (ref: Ref) => Promise<Track>): Promise<Moving> {
  const three = (refs: Ref[]) => Promise.all(refs.map(track));
  return {
    shape, at: await three(shape.at), to: await three(shape.to),
    side: shape.side ? await three(shape.side) : undefined, axis: await three(shape.axis),
    width: await track(shape.width), height: await track(shape.height),
    label: await Promise.all(shape.label.map((part) =>
      typeof part === 'string' ? Promise.resolve(part) : track(part))),
  };
}

/** Between two frames along a straight line; at the last frame, the last one. */
export function between(track: Track, frame: number, frames: number): number {
  const i = Math.min(frames - 1, Math.floor(frame)), share = frame - i;
  const low = track(i);
  if (share === 0 || i + 1 >= frames) return low;
  return low + share * (track(i + 1) - low);
}

export interface Surroundings { frames: number; size: number; planar: boolean; ink: string; paper: string }

export interface Part {
  object: Object3D;
  /** unit: how long a pixel is at the place, for what keeps its size on the screen */
  move(frame: number, pixel: (place: Vector3) => number): void;
}

const away = new Vector3(0, 0, 1);

function material(colour: [number, number, number], around: Surroundings): Material {
  const color = new Color().setRGB(...colour, 'srgb');
  return around.planar ? new MeshBasicMaterial({ color, depthTest: false, transparent: true })
                       : new MeshStandardMaterial({ color, roughness: 0.55, metalness: 0.05 });
}

function vector(tracks: Track[], frame: number, around: Surroundings, target: Vector3): Vector3 {
  return target.set(between(tracks[0], frame, around.frames), between(tracks[1], frame, around.frames),
                    between(tracks[2], frame, around.frames));
}

/** Puts an object whose own x goes along `direction` and whose y lies nearest to `side`. */
function orient(object: Object3D, direction: Vector3, side: Vector3 | undefined, basis: Matrix4) {
  const x = direction.clone().normalize();
  if (x.lengthSq() === 0) x.set(1, 0, 0);
  const hint = side && side.lengthSq() > 0 ? side.clone() : away.clone().cross(x);
  if (hint.clone().cross(x).lengthSq() < 1e-12) hint.set(0, 1, 0).cross(x);
  if (hint.lengthSq() < 1e-12) hint.set(1, 0, 0);
  const z = x.clone().cross(hint).normalize(), y = z.clone().cross(x);
  object.quaternion.setFromRotationMatrix(basis.makeBasis(x, y, z));
}

const alongX = (geometry: BufferGeometry) => geometry.rotateZ(-Math.PI / 2).translate(0.5, 0, 0);

/** A coil of unit length along x and unit thickness, as a line: stretching it leaves the wire round. */
function coil(moving: Moving, around: Surroundings): LineSegments2 {
  const { turns, colour } = moving.shape;
  const steps = Math.max(8, Math.round(turns * 24));
  const points: number[][] = [[0, 0, 0]];
  for (let i = 0; i <= steps; ++i) {
    const s = i / steps, angle = 2 * Math.PI * turns * s;
    points.push([0.06 + 0.88 * s, 0.5 * Math.sin(angle), 0.5 * Math.cos(angle)]);
  }
  points.push([1, 0, 0]);
  const segments = points.slice(1).flatMap((p, i) => [...points[i], ...p]);
  return new LineSegments2(new LineSegmentsGeometry().setPositions(segments), new LineMaterial({
    color: new Color().setRGB(...colour, 'srgb'), linewidth: 2.5, depthTest: !around.planar, transparent: true }));
}

/** What stretches from `at` to `to`: rod, box, cylinder, cone, spring. */
function stretched(moving: Moving, around: Surroundings): Part {
  const { kind, colour } = moving.shape;
  const paint = material(colour, around);
  const geometry = kind === 'box' ? new BoxGeometry(1, 1, 1).translate(0.5, 0, 0)
    : kind === 'cone' ? alongX(new ConeGeometry(0.5, 1, 32))
    : alongX(new CylinderGeometry(0.5, 0.5, 1, 24));
  const body = kind === 'spring' ? coil(moving, around) : new Mesh(geometry, paint);
  const group = new Group().add(body);
  const ends = kind === 'rod' ? [0, 1].map(() => new Mesh(new SphereGeometry(0.5, 20, 14), paint)) : [];
  if (ends.length > 0) group.add(...ends);
  const from = new Vector3(), to = new Vector3(), side = new Vector3(), basis = new Matrix4();
  return {
    object: group,
    move(frame) {
      vector(moving.at, frame, around, from);
      vector(moving.to, frame, around, to).sub(from);
      const length = to.length();
      const width = between(moving.width, frame, around.frames);
      const height = kind === 'box' ? between(moving.height, frame, around.frames) : width;
      group.position.copy(from);
      orient(group, to, moving.side && vector(moving.side, frame, around, side), basis);
      body.scale.set(Math.max(length, 1e-9), width, height);
      for (const [i, end] of ends.entries()) {
        end.scale.setScalar(width);
        end.position.set(i * length, 0, 0);
      }
    },
  };
}

function arrow(moving: Moving, around: Surroundings): Part {
  const paint = material(moving.shape.colour, around);
  const shaft = new Mesh(alongX(new CylinderGeometry(0.5, 0.5, 1, 16)), paint);
  const tip = new Mesh(alongX(new ConeGeometry(0.5, 1, 24)), paint);
  const group = new Group().add(shaft, tip);
  const from = new Vector3(), along = new Vector3(), basis = new Matrix4();
  return {
    object: group,
    move(frame) {
      vector(moving.at, frame, around, from);
      vector(moving.to, frame, around, along);
      const length = along.length(), width = between(moving.width, frame, around.frames);
      group.visible = length > 1e-6 * around.size;
      group.position.copy(from);
      orient(group, along, undefined, basis);
      const head = Math.min(length, 5 * width);
      shaft.scale.set(Math.max(1e-9, length - head), width, width);
      tip.position.set(length - head, 0, 0);
      tip.scale.set(head, 3 * width, 3 * width);
    },
  };
}

function ball(moving: Moving, around: Surroundings, fixedPixels: number): Part {
  const mesh = new Mesh(new SphereGeometry(0.5, 32, 20), material(moving.shape.colour, around));
  return {
    object: mesh,
    move(frame, pixel) {
      vector(moving.at, frame, around, mesh.position);
      mesh.scale.setScalar(fixedPixels > 0 ? fixedPixels * pixel(mesh.position)
                                           : between(moving.width, frame, around.frames));
    },
  };
}

function wheel(moving: Moving, around: Surroundings): Part {
  const paint = material(moving.shape.colour, around);
  const dark = material(moving.shape.colour.map((c) => c * 0.6) as [number, number, number], around);
  const rim = new Mesh(new TorusGeometry(0.44, 0.06, 12, 48), paint);  // about its own z
  const spokes = new Mesh(new BoxGeometry(0.9, 0.06, 0.3), dark);
  const across = new Mesh(new BoxGeometry(0.06, 0.9, 0.3), paint);
  const group = new Group().add(rim, across, spokes);
  const axis = new Vector3(), side = new Vector3(), basis = new Matrix4();
  return {
    object: group,
    move(frame) {
      vector(moving.at, frame, around, group.position);
      vector(moving.axis, frame, around, axis).normalize();
      if (axis.lengthSq() === 0) axis.set(0, 0, 1);
      if (moving.side) vector(moving.side, frame, around, side);
      else side.set(1, 0, 0).addScaledVector(axis, -axis.x);
      if (side.lengthSq() < 1e-9) side.set(0, 1, 0);
      side.normalize();
      const third = axis.clone().cross(side).normalize();
      group.quaternion.setFromRotationMatrix(basis.makeBasis(third.clone().cross(axis), third, axis));
      const width = between(moving.width, frame, around.frames);
      group.scale.set(width, width, Math.max(1e-9, between(moving.height, frame, around.frames) / 0.12));
    },
  };
}

function words(moving: Moving, around: Surroundings): Part {
  const canvas = document.createElement('canvas');
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  const sprite = new Sprite(new SpriteMaterial({ map: texture, depthTest: false, transparent: true }));
  sprite.center.set(0, 0.5);
  let shown: string | undefined;
  const font = '500 30px system-ui, sans-serif', margin = 28;  // beside what it is about
  const write = (text: string) => {
    shown = text;
    const ctx = canvas.getContext('2d')!;
    ctx.font = font;
    canvas.width = Math.ceil(ctx.measureText(text).width) + margin + 8;
    canvas.height = 44;
    ctx.font = font;
    ctx.fillStyle = around.ink;
    ctx.textBaseline = 'middle';
    ctx.fillText(text, margin, 23);
    texture.dispose();  // its size may have changed
    texture.needsUpdate = true;
  };
  return {
    object: sprite,
    move(frame, pixel) {
      vector(moving.at, frame, around, sprite.position);
      const text = moving.label.map((part) => typeof part === 'string' ? part
        : String(Number(between(part, frame, around.frames).toPrecision(3)))).join('');
      if (text !== shown) write(text);
      const unit = pixel(sprite.position) * 0.5;
      sprite.scale.set(canvas.width * unit, canvas.height * unit, 1);
    },
  };
}

export function makePart(moving: Moving, around: Surroundings): Part | undefined {
  switch (moving.shape.kind) {
    case 'rod': case 'box': case 'cylinder': case 'cone': case 'spring': return stretched(moving, around);
    case 'arrow': return arrow(moving, around);
    case 'point': return ball(moving, around, 11);
    case 'sphere': return ball(moving, around, 0);
    case 'wheel': return wheel(moving, around);
    case 'text': return words(moving, around);
    default: return undefined;  // traces are drawn by trace.ts
  }
}
