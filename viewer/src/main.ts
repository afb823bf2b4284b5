// SPDX-License-Identifier: Apache-2.0
// The page: tabs, theme, keys. The animation's code is unpacked when its tab is first opened.
import uplotStyle from 'uplot/dist/uPlot.min.css';
import { button, element } from './elements';
import { inflateText, readPayload, type SceneData } from './payload';
import * as payloadModule from './payload';
import * as elementsModule from './elements';
import { Plots } from './plots';
import { showReport } from './report';
import { showStructure } from './structure';
import style from './style.css';

export interface Animation { shown(visible: boolean): void; themed(): void }
export type MakeAnimation = (root: HTMLElement, scene: SceneData, tools: {
  payload: typeof payloadModule; elements: typeof elementsModule }) => Promise<Animation>;

const payload = readPayload();
const tabs = ['Plots', 'Animation', 'Structure', 'Report'] as const;
type Tab = (typeof tabs)[number];

document.head.append(element('style', {}, uplotStyle + style));
document.title = payload.title;

function setTheme(theme: string) {
  document.documentElement.dataset.theme = theme;
}
setTheme(matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');

const rooms = new Map<Tab, HTMLElement>();
const handles = new Map<Tab, HTMLButtonElement>();
let current: Tab = 'Plots';
let animation: Promise<Animation | undefined> | undefined;
let plots: Plots;

async function makeAnimation(root: HTMLElement): Promise<Animation | undefined> {
  if (!payload.scene) {
    root.append(element('p', { class: 'hint' },
      'This model says nothing about what it looks like. docs/guide/seeing.md shows how to give it a scene.'));
    return undefined;
  }
  try {
    const code = await inflateText('alembert-scene-code');
    const make = new Function(code + '\nreturn alembertScene.makeAnimation;')() as MakeAnimation;
    return await make(root, payload.scene, { payload: payloadModule, elements: elementsModule });
  } catch (error) {
    root.append(element('p', { class: 'warning' },
      `The animation cannot be shown: ${(error as Error).message}. It needs WebGL.`));
    return undefined;
  }
}

async function open(tab: Tab) {
  const before = await (current === 'Animation' ? animation : undefined);
  before?.shown(false);
  current = tab;
  for (const name of tabs) {
    rooms.get(name)!.hidden = name !== tab;
    handles.get(name)!.setAttribute('aria-selected', String(name === tab));
    handles.get(name)!.tabIndex = name === tab ? 0 : -1;
  }
  if (tab === 'Animation') (await (animation ??= makeAnimation(rooms.get(tab)!)))?.shown(true);
  if (tab === 'Plots') plots.resize();
  if (tab === 'Structure' && !rooms.get(tab)!.hasChildNodes()) await buildStructure();
}

function buildStructure(): Promise<void> {
  const room = rooms.get('Structure')!;
  room.replaceChildren();
  return showStructure(room, payload, plots.runs[0]?.times());
}

function tabKey(event: KeyboardEvent) {
  const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? tabs.length - 1 : 0;
  if (by === 0) return;
  const next = tabs[(tabs.indexOf(current) + by) % tabs.length];
  void open(next);
  handles.get(next)!.focus();
}

function build() {
  const bar = element('nav', { role: 'tablist', 'aria-label': 'Views', onkeydown: tabKey });
  const main = element('main', {});
  for (const [i, name] of tabs.entries()) {
    const handle = element('button', {
      type: 'button', role: 'tab', title: `${name} (Alt+${i + 1})`, 'aria-controls': `tab-${name}`,
      onclick: () => void open(name) }, name);
    const room = element('div', { id: `tab-${name}`, class: `room ${name.toLowerCase()}`,
                                  role: 'tabpanel', hidden: true });
    handles.set(name, handle);
    rooms.set(name, room);
    bar.append(handle);
    main.append(room);
  }
  const theme = button('◐', 'Light or dark', () => void changeTheme());
  document.body.append(element('header', { class: 'top' }, element('h1', {}, payload.title), bar,
    element('span', { class: 'gap' }), theme), main);
  plots = new Plots(rooms.get('Plots')!, payload);
  showReport(rooms.get('Report')!, payload);
}

async function changeTheme() {
  setTheme(elementsModule.isDark() ? 'light' : 'dark');
  await plots.rebuild();
  if (rooms.get('Structure')!.hasChildNodes()) await buildStructure();
  (await animation)?.themed();
}

document.addEventListener('keydown', (event) => {
  const typing = event.target instanceof HTMLInputElement && event.target.type === 'search';
  if (event.altKey && event.key >= '1' && event.key <= '4') {
    void open(tabs[Number(event.key) - 1]);
    event.preventDefault();
  } else if (event.key === '/' && !typing) {
    void open('Plots');
    plots.search.focus();
    event.preventDefault();
  }
});

build();
void open(tabs.find((t) => t === payload.tab) ?? 'Plots');
