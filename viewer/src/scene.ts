// SPDX-License-Identifier: Apache-2.0
// The tab "Animation": the scene in motion. A bundle of its own, unpacked when the tab is opened.
import {
  AmbientLight, BufferGeometry, Color, DirectionalLight, Float32BufferAttribute, LineBasicMaterial,
  LineSegments, OrthographicCamera, PerspectiveCamera, Scene, Vector3, WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import type { Animation, MakeAnimation } from './main';
import { makePart, moving, type Moving, type Part } from './shapes';
import { Trace } from './trace';

const speeds = [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 10, 50, 200];

export const makeAnimation: MakeAnimation = async (root, data, { payload, elements }) => {
  const { element, button, cssColour, niceTicks, numberText } = elements;
  const systems: Moving[][] = [];
  for (const shapes of data.systems)
    systems.push(await Promise.all(shapes.map((shape) => moving(shape, payload.track))));
  const duration = data.step * Math.max(0, data.frames - 1);
  const size = Math.max(...data.high.map((h, i) => h - data.low[i]), 1e-9);
  const centre = new Vector3(...data.low.map((l, i) => (l + data.high[i]) / 2));

  const renderer = new WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
  renderer.setPixelRatio(Math.min(2, devicePixelRatio));
  renderer.domElement.setAttribute('role', 'img');
  renderer.domElement.setAttribute('aria-label', `Animation ${data.title}`);
  const stage = element('div', { class: 'stage', tabindex: 0, role: 'group',
    'aria-label': 'The scene. Space plays, arrow keys step, w a s d turn the camera, + and - zoom, r resets.' },
    renderer.domElement);
  const clock = element('div', { class: 'clock' });
  stage.append(clock);

  let time = 0, playing = false, visible = false, planar = data.planar, last = 0;
  let speed = data.speed, back = -1;  // seconds of trace; negative: as each shape says
  let scene = new Scene();
  let parts: { part: Part; system: number }[] = [];
  let traces: { trace: Trace; seconds: number; system: number }[] = [];
  let shownSystems = systems.length;
  let camera: OrthographicCamera | PerspectiveCamera;
  let controls: OrbitControls | undefined;

  const scrub = element('input', {
    type: 'range', class: 'scrub', min: 0, max: 1000, value: 0, step: 'any', 'aria-label': 'Time',
    oninput: () => { time = (Number(scrub.value) / 1000) * duration; draw(); } });
  const play = button('▶', 'Play or pause (space)', () => setPlaying(!playing));
  const speedChoice = element('select', { 'aria-label': 'Speed', onchange: () => { speed = Number(speedChoice.value); } },
    ...[...new Set([...speeds, data.speed])].sort((a, b) => a - b).map((s) =>
      element('option', { value: s, selected: s === data.speed }, `${s}×`)));
  const hasTraces = systems.some((s) => s.some((m) => m.shape.kind === 'trace'));
  const length = element('input', { type: 'range', min: 0, max: 1000, value: 0, 'aria-label': 'Length of traces',
    oninput: () => { back = (Number(length.value) / 1000) ** 2 * duration; draw(); } });
  const longest = Math.max(0, ...systems.flat().filter((m) => m.shape.kind === 'trace')
    .map((m) => m.shape.seconds || duration));
  length.value = String(1000 * Math.sqrt(Math.min(1, longest / Math.max(duration, 1e-12))));
  const howMany = element('input', { type: 'range', min: 1, max: systems.length, value: systems.length,
    'aria-label': 'How many systems', oninput: () => { shownSystems = Number(howMany.value); draw(); } });
  root.append(stage, element('div', { class: 'controls', role: 'toolbar', 'aria-label': 'Animation' },
    play, scrub, element('label', {}, 'speed', speedChoice),
    ...(hasTraces ? [element('label', {}, 'traces', length)] : []),
    ...(systems.length > 1 ? [element('label', {}, 'systems', howMany)] : []),
    button('2D/3D', 'Seen along z, or in perspective', () => { planar = !planar; build(); draw(); }),
    button('Reset', 'The camera as at the start (r)', () => { aim(); draw(); }),
    button('PNG', 'Save this picture', () => {
      draw();
      renderer.domElement.toBlob((blob) => blob && elements.save('animation.png', blob, 'image/png'));
    })));

  function setPlaying(on: boolean) {
    playing = on && duration > 0;
    if (playing && time >= duration) time = 0;
    play.textContent = playing ? '❚❚' : '▶';
    last = performance.now();
    if (playing) requestAnimationFrame(tick);
  }

  function tick(now: number) {
    if (!playing || !visible) return;
    time += ((now - last) / 1000) * speed;
    last = now;
    if (time >= duration) {
      time = duration;
      setPlaying(false);
    }
    draw();
    requestAnimationFrame(tick);
  }

  /** Faint lines at round numbers, on the plane of the motion or on the ground. */
  function ground(): LineSegments {
    const step = niceTicks(0, size, 6)[1] || size;
    const places: number[] = [], reach = 30;
    const c = [centre.x, centre.y, centre.z].map((v) => Math.round(v / step) * step);
    for (let i = -reach; i <= reach; ++i)
      for (const sideways of [false, true]) {
        const ends = [[i, -reach], [i, reach]].map(([a, b]) => (sideways ? [b, a] : [a, b]));
        for (const [a, b] of ends)
          if (planar) places.push(c[0] + a * step, c[1] + b * step, 0);
          else if (data.up === 'y') places.push(c[0] + a * step, data.low[1], c[2] + b * step);
          else places.push(c[0] + a * step, c[1] + b * step, data.low[2]);
      }
    const geometry = new BufferGeometry().setAttribute('position', new Float32BufferAttribute(places, 3));
    const grid = new LineSegments(geometry, new LineBasicMaterial({
      color: new Color(cssColour('--grid')), depthTest: !planar, transparent: true }));
    grid.renderOrder = -1000;
    return grid;
  }

  function build() {
    scene = new Scene();
    scene.background = new Color(cssColour('--sky'));
    scene.add(new AmbientLight(0xffffff, 1.6));
    const sun = new DirectionalLight(0xffffff, 2.2);
    sun.position.set(0.5, 1, 0.9);
    scene.add(sun, ground());
    const around = { frames: data.frames, size, planar, ink: cssColour('--ink'), paper: cssColour('--sky') };
    parts = [];
    traces = [];
    let order = 0;
    for (const [system, shapes] of systems.entries())
      for (const one of shapes) {
        if (one.shape.kind === 'trace') {
          const trace = new Trace(one, around, systems.length > 4 ? 1.5 : 2.5);
          trace.object.renderOrder = -500 + system;
          traces.push({ trace, seconds: one.shape.seconds || duration, system });
          scene.add(trace.object);
          continue;
        }
        const part = makePart(one, around);
        if (!part) continue;
        // An order of a group would be one among groups only.
        part.object.traverse((o) => { o.renderOrder = 'isGroup' in o ? 0 : ++order; });
        parts.push({ part, system });
        scene.add(part.object);
      }
    aim();
  }

  function aim() {
    controls?.dispose();
    const { clientWidth: width, clientHeight: height } = stage;
    const ratio = Math.max(1, width) / Math.max(1, height);
    if (planar) {
      const w = (data.high[0] - data.low[0]) * 1.15 + size * 0.05, h = (data.high[1] - data.low[1]) * 1.15 + size * 0.05;
      const half = Math.max(w / ratio, h) / 2;
      camera = new OrthographicCamera(-half * ratio, half * ratio, half, -half, 0, 20 * size);
      camera.position.copy(centre).add(new Vector3(0, 0, 10 * size));
    } else {
      camera = new PerspectiveCamera(35, ratio, size / 1000, size * 100);
      if (data.up === 'z') camera.up.set(0, 0, 1);
      const from = data.up === 'z' ? new Vector3(1, -1.6, 0.8) : new Vector3(1, 0.7, 1.7);
      camera.position.copy(centre).addScaledVector(from.normalize(), size * 2.2);
    }
    camera.lookAt(centre);
    controls = new OrbitControls(camera, renderer.domElement);
    controls.target.copy(centre);
    controls.enableRotate = !planar;
    controls.addEventListener('change', () => draw());
    controls.update();
  }

  const toCamera = new Vector3();
  function pixel(place: Vector3): number {
    const height = Math.max(1, stage.clientHeight);
    if (camera instanceof OrthographicCamera) return (camera.top - camera.bottom) / camera.zoom / height;
    const distance = toCamera.copy(place).sub(camera.position).length();
    return (2 * distance * Math.tan((camera.fov * Math.PI) / 360)) / height;
  }

  function draw() {
    const frame = Math.min(data.frames - 1, time / Math.max(data.step, 1e-300));
    for (const { part, system } of parts) {
      part.object.visible = system < shownSystems;
      if (part.object.visible) part.move(frame, pixel);
    }
    for (const { trace, seconds, system } of traces) {
      const reach = back < 0 ? seconds : back;
      trace.move(frame, system < shownSystems ? reach / data.step : 0);
    }
    renderer.render(scene, camera);
    clock.textContent = `t = ${numberText(Number((data.start + time).toFixed(duration < 1 ? 5 : 2)))} s`;
    if (document.activeElement !== scrub || playing) scrub.value = String((time / Math.max(duration, 1e-300)) * 1000);
    stage.dataset.time = String(data.start + time);
  }

  function resize() {
    const { clientWidth: width, clientHeight: height } = stage;
    if (width === 0 || height === 0) return;
    renderer.setSize(width, height, false);
    renderer.domElement.style.width = '100%';
    renderer.domElement.style.height = '100%';
    aim();
    draw();
  }

  /** Around what is seen, in eighths of a right angle; of a planar view, along the plane. */
  function turn(right: number, up: number) {
    const away = camera.position.clone().sub(controls!.target);
    if (camera instanceof OrthographicCamera) {
      const step = (camera.top - camera.bottom) / camera.zoom / 20;
      const by = new Vector3(right * step, up * step, 0);
      camera.position.add(by);
      controls!.target.add(by);
    } else {
      const angle = Math.PI / 16;
      away.applyAxisAngle(camera.up, right * angle);
      const tilted = away.clone().applyAxisAngle(camera.up.clone().cross(away).normalize(), -up * angle);
      const toPole = tilted.angleTo(camera.up);
      if (toPole > 0.1 && toPole < Math.PI - 0.1) away.copy(tilted);
      camera.position.copy(controls!.target).add(away);
    }
    controls!.update();
    draw();
  }
  const turns: Record<string, [number, number]> = { a: [-1, 0], d: [1, 0], w: [0, 1], s: [0, -1] };

  function key(event: KeyboardEvent) {
    const target = event.target as HTMLElement;
    if (!visible || target.tagName === 'SELECT' || event.altKey || event.ctrlKey || event.metaKey) return;
    // Buttons and sliders have keys of their own.
    if (target.tagName === 'BUTTON' && (event.key === ' ' || event.key === 'Enter')) return;
    if (target.tagName === 'INPUT' && target !== scrub && (event.key === 'Home' || event.key === 'End')) return;
    const step = (event.shiftKey ? 0.1 : 0.01) * duration;
    const go = (to: number) => { time = Math.max(0, Math.min(duration, to)); draw(); };
    if (event.key === ' ') setPlaying(!playing);
    else if (event.key === 'Home') go(0);
    else if (event.key === 'End') go(duration);
    else if (event.key === 'r') { aim(); draw(); }
    else if (turns[event.key]) turn(...turns[event.key]);
    else if ((event.key === '+' || event.key === '-') && camera) {
      camera.zoom *= event.key === '+' ? 1.2 : 1 / 1.2;
      camera.updateProjectionMatrix();
      draw();
    } else if (event.target instanceof HTMLInputElement || (event.target as HTMLElement).role === 'tab') return;
    else if (event.key === 'ArrowRight') go(time + step);
    else if (event.key === 'ArrowLeft') go(time - step);
    else return;
    event.preventDefault();
  }

  document.addEventListener('keydown', key);
  new ResizeObserver(resize).observe(stage);
  build();
  const animation: Animation = {
    shown(on) {
      visible = on;
      if (on) { resize(); last = performance.now(); if (playing) requestAnimationFrame(tick); }
    },
    themed() { build(); draw(); },
  };
  return animation;
};

