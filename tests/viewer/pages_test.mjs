// SPDX-License-Identifier: Apache-2.0
// Pages in Chromium, opened from the disk: every tab, search, zoom, keys, export, compare, play; no
// console messages, no requests but for the page itself.
import { chromium } from 'playwright-core';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';

const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--enable-unsafe-swiftshader', '--use-angle=swiftshader'],
});
let failed = 0;
function expect(condition, what) {
  if (condition) return;
  console.log('FAILED: ' + what);
  failed = 1;
}

async function open(name, scheme = 'light', timed = false) {
  const page = await browser.newPage({ viewport: { width: 1200, height: 760 }, colorScheme: scheme });
  const meter = timed ? await page.context().newCDPSession(page) : undefined;
  await meter?.send('Performance.enable', { timeDomain: 'threadTicks' });
  const requests = [];
  page.on('console', (m) => expect(['log', 'info', 'debug'].includes(m.type()) || /WebGL|GPU|GL Driver/.test(m.text()),
    `${name}: console ${m.type()}: ${m.text()}`));
  page.on('pageerror', (e) => expect(false, `${name}: ${e.message}`));
  page.on('request', (r) => requests.push(r.url()));
  const begin = Date.now();
  await page.goto('file://' + process.cwd() + '/' + name);
  await page.waitForFunction(() => document.documentElement.dataset.ready === 'yes');
  page.took = Date.now() - begin;
  if (meter)  // of the processor, so that other programs do not count
    page.busy = (await meter.send('Performance.getMetrics')).metrics.find((m) => m.name === 'TaskDuration').value;
  page.requests = requests;
  return page;
}

/** How much slower than a quiet machine this one is now: limits of time are for quiet ones. */
const slowness = (page) => page.evaluate(() => {
  const begin = performance.now();
  let sum = 0;
  for (let i = 0; i < 1e8; ++i) sum += i & 3;
  return Math.max(1, (performance.now() - begin) / (sum > 0 ? 120 : 1));
});

const tab = (page, name) => page.click(`nav button:has-text("${name}")`);

/** How many different colours a picture of the element has, of a grid of points. */
async function colours(page, selector) {
  const picture = await page.locator(selector).first().screenshot();
  return page.evaluate(async (bytes) => {
    const bitmap = await createImageBitmap(new Blob([new Uint8Array(bytes)]));
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    const ctx = canvas.getContext('2d');
    ctx.drawImage(bitmap, 0, 0);
    const { data } = ctx.getImageData(0, 0, bitmap.width, bitmap.height);
    const seen = new Set();
    for (let i = 0; i < data.length; i += 4) seen.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
    return seen.size;
  }, [...picture]);
}

/** Mean colours of 48 x 30 fields of the upper part of the window, three bytes each. */
async function fieldsOf(page, height) {
  const picture = await page.screenshot({ clip: { x: 0, y: 0, width: 1200, height } });
  return Buffer.from(await page.evaluate(async (bytes) => {
    const bitmap = await createImageBitmap(new Blob([new Uint8Array(bytes)]));
    const ctx = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
    ctx.drawImage(bitmap, 0, 0);
    const { data } = ctx.getImageData(0, 0, bitmap.width, bitmap.height);
    const sums = new Array(48 * 30 * 4).fill(0);
    for (let y = 0, i = 0; y < bitmap.height; ++y)
      for (let x = 0; x < bitmap.width; ++x, i += 4) {
        const at = 4 * (Math.floor(y * 30 / bitmap.height) * 48 + Math.floor(x * 48 / bitmap.width));
        for (let c = 0; c < 3; ++c) sums[at + c] += data[i + c];
        ++sums[at + 3];
      }
    const means = [];
    for (let at = 0; at < sums.length; at += 4)
      for (let c = 0; c < 3; ++c) means.push(Math.round(sums[at + c] / sums[at + 3]));
    return means;
  }, [...picture]));
}

/**
 * What is seen is what was looked at once: fields differ by a few shades where fonts are drawn
 * otherwise, not more. KEEP_SCREENS=FOLDER takes the present ones and leaves pictures there to look at.
 */
async function looksAsBefore(page, name, height = 760) {
  const file = `${process.env.SCREENS}/${name}.txt`;
  await page.mouse.move(0, 0);
  const now = await fieldsOf(page, height);
  if (process.env.KEEP_SCREENS) {
    writeFileSync(file, now.toString('base64').replace(/.{120}/g, '$&\n') + '\n');
    writeFileSync(`${process.env.KEEP_SCREENS}/${name}.png`, await page.screenshot());
  }
  expect(existsSync(file), `there is no ${file}`);
  const before = Buffer.from(readFileSync(file, 'latin1'), 'base64');
  let sum = 0, far = 0;
  for (let i = 0; i < now.length; ++i) {
    const difference = Math.abs(now[i] - before[i]);
    sum += difference;
    if (difference > 48) ++far;
  }
  expect(before.length === now.length && sum / now.length < 3 && far < now.length / 100,
    `${name} looks otherwise: mean difference ${(sum / now.length).toFixed(2)}, ${far} fields far off`);
}

async function saved(page, label) {
  const [download] = await Promise.all([page.waitForEvent('download'), page.click(`button:has-text("${label}")`)]);
  return readFileSync(await download.path());
}

// ---- plots: search, panels, keys, zoom, files ----
{
  const page = await open('double.html');
  expect(await page.title() === 'DoublePendulum', 'the title is the model');
  expect(await page.locator('.panel').count() === 1, 'one panel at first, as --plot asks for');
  expect(await colours(page, '.panel canvas') > 10, 'the first plot is drawn');
  await page.keyboard.press('/');
  await page.keyboard.type('force first');
  expect(await page.locator('.variables li').count() === 1, 'search finds a variable by its description');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelector('.legend').textContent.includes('F1 [N]'));
  // An expression: both places of the first mass together are its rod, all the time.
  await page.click('button:has-text("+ panel")');
  await page.fill('input[type=search]', 'sqrt(x1^2 + y1^2) - time*0');
  expect(await page.locator('.variables li').count() === 1, 'an expression is offered');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelectorAll('.panel')[1]?.textContent.includes('sqrt(x1^2'));
  const rod = (await saved(page, 'CSV')).toString().trim().split('\n').slice(1)
    .map((line) => Number(line.split(',').pop())).filter((v) => !Number.isNaN(v));
  expect(rod.length > 100 && rod.every((v) => Math.abs(v - rod[0]) < 1e-6), `an expression is computed: ${rod[0]}`);
  await page.fill('input[type=search]', 'sqrt(x1');
  expect(await page.locator('.variables li').count() === 0, 'half an expression is none');
  await page.locator('.panel').nth(1).locator('button[title="Remove this panel"]').click();
  await page.click('button:has-text("+ panel")');
  await page.fill('input[type=search]', 'x1');
  await page.locator('.variables li').first().click();
  await page.waitForFunction(() => document.querySelectorAll('.panel')[1]?.textContent.includes('x1'));
  const box = await page.locator('.u-over').first().boundingBox();
  await page.mouse.move(box.x + box.width * 0.2, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.4, box.y + 40, { steps: 4 });
  await page.mouse.up();
  const part = (await saved(page, 'CSV')).toString().trim().split('\n');
  expect(part[0].startsWith('time,') && part.length > 300 && part.length < 500, `a fifth of the rows after the zoom: ${part.length}`);
  await page.locator('.chart').first().focus();
  await page.keyboard.press('0');
  for (let i = 0; i < 5; ++i) await page.keyboard.press('Shift+ArrowRight');
  expect((await page.locator('.legend').first().textContent()).includes('t ='), 'arrow keys move the cursor');
  expect((await page.locator('.legend').nth(1).textContent()).includes('t ='), 'the cursor of the other panel follows');
  expect((await saved(page, 'CSV')).toString().trim().split('\n').length > 1900, 'key 0 shows everything again');
  const png = await saved(page, 'PNG');
  expect(png.subarray(1, 4).toString() === 'PNG' && png.length > 5000, 'PNG export');
  const svg = (await saved(page, 'SVG')).toString();
  expect(svg.startsWith('<svg') && svg.includes('F1 [N]') && (svg.match(/<path d="M[^"]*L/g) ?? []).length >= 4, 'SVG export');

  // ---- structure ----
  await tab(page, 'Structure');
  expect((await page.locator('.facts').textContent()).includes('Index'), 'facts about the structure');
  await page.locator('.matrix canvas').nth(1).focus();
  await page.keyboard.press('ArrowDown');
  expect(/Equation 2: .*Unknown 1: .*block/.test(await page.locator('.said').nth(1).textContent()), 'a cell is told in words');
  expect(await colours(page, '.matrix canvas') > 2, 'the matrix is drawn');

  // ---- report ----
  await tab(page, 'Report');
  const report = await page.locator('.room.report').textContent();
  expect(report.includes('Steps') && report.includes('Tolerance') && report.includes('l1'), 'statistics, settings, parameters');

  // ---- animation ----
  await tab(page, 'Animation');
  await page.waitForSelector('.stage canvas');
  await page.waitForTimeout(300);
  expect(await colours(page, '.stage') > 20, 'the scene is drawn');
  await looksAsBefore(page, 'animation');
  const before = Number(await page.locator('.stage').getAttribute('data-time'));
  await page.locator('.stage').focus();
  await page.keyboard.press(' ');
  await page.waitForFunction((t) => Number(document.querySelector('.stage').dataset.time) > t + 0.3, before, { timeout: 20000 });
  await page.keyboard.press(' ');
  await page.keyboard.press('End');
  expect(Math.abs(Number(await page.locator('.stage').getAttribute('data-time')) - 20) < 0.05, 'End goes to the end');
  await page.click('button:has-text("2D/3D")');
  expect(await colours(page, '.stage') > 20, 'the scene in perspective is drawn');

  // ---- dark ----
  await page.click('button[title="Light or dark"]');
  await tab(page, 'Plots');
  const paper = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  expect(paper === 'rgb(20, 23, 28)', `dark paper: ${paper}`);
  await page.keyboard.press('Alt+4');
  expect(await page.locator('.room.report').isVisible(), 'Alt+4 opens the report');
  expect(page.requests.length === 1, `no requests but for the page: ${page.requests}`);
  await page.close();
}

// ---- events, and a system that prefers dark ----
{
  const page = await open('ball.html', 'dark');
  expect(await page.evaluate(() => document.documentElement.dataset.theme) === 'dark', 'the system theme counts');
  await looksAsBefore(page, 'plots-dark');
  await tab(page, 'Report');
  expect((await page.locator('.room.report').textContent()).includes('Events'), 'events are listed');
  await tab(page, 'Animation');
  expect((await page.locator('.room.animation').textContent()).includes('nothing about what it looks like'), 'no scene is told');
  await page.close();
}

// ---- two runs ----
{
  const page = await open('ab.html');
  const legend = await page.locator('.stack').textContent();
  expect(legend.includes('a.csv') && legend.includes('b.csv') && legend.includes('x^2 + y^2 - 1'), 'both runs, and an expression');
  await looksAsBefore(page, 'two-runs', 390);  // below is noise of rounding
  await page.setInputFiles('input[type=file]', 'b.csv');
  await page.waitForFunction(() => document.body.textContent.includes('dashed lines'));
  await page.close();
}

// ---- all of it without a mouse ----
{
  const page = await open('double.html');
  const press = async (key, times = 1) => { for (let i = 0; i < times; ++i) await page.keyboard.press(key); };
  /** Tab, until the element that has the focus fits; a few dozen stops at most. */
  const reach = async (selector) => {
    for (let i = 0; i < 40; ++i) {
      if (await page.evaluate((s) => document.activeElement.matches(s), selector)) return;
      await press('Tab');
    }
    expect(false, `${selector} is not reached by the Tab key`);
  };
  const saveBy = async (label) => {
    await reach(`button[title^="${label}"]`);
    const [download] = await Promise.all([page.waitForEvent('download'), press('Enter')]);
    return readFileSync(await download.path(), 'latin1');
  };
  await press('/');
  await page.keyboard.type('force');
  await press('ArrowDown', 2);
  await press('Enter');
  await page.waitForFunction(() => document.querySelector('.legend').textContent.includes('F2 [N]'));
  const whole = (await saveBy('Save the numbers')).trim().split('\n');
  await reach('.chart');
  await press('End');
  const legend = page.locator('.legend').first();
  expect(/t = 20\b/.test(await legend.textContent()), 'End moves the cursor to the end');
  await press('Home');
  await press('+', 5);
  await press('PageDown');
  await press('/');
  const part = (await saveBy('Save the numbers')).trim().split('\n');
  expect(part.length < whole.length / 4 && Number(part[1].split(',')[0]) > 1, 'zoom and going on by keys');
  await press('/');
  await reach('button[title^="Add a panel"]');
  await press(' ');
  expect(await page.locator('.panel').count() === 2, 'a panel is added by the space bar');

  await press('Alt+2');
  await page.waitForSelector('.stage canvas');
  const time = () => page.locator('.stage').getAttribute('data-time').then(Number);
  await page.waitForFunction(() => document.querySelector('.stage').dataset.time !== undefined);
  await press('ArrowRight', 3);
  expect(Math.abs(await time() - 0.6) < 1e-6, `arrow keys step: ${await time()}`);
  await reach('button[title^="Seen along z"]');
  const flat = await page.locator('.stage').screenshot();
  await press(' ');
  const space = await page.locator('.stage').screenshot();
  expect(!flat.equals(space) && Math.abs(await time() - 0.6) < 1e-6, 'the space bar on a button is for the button');
  await press('d', 2);
  const turned = await page.locator('.stage').screenshot();
  expect(!space.equals(turned), 'd turns the camera');
  await press('r');
  expect(space.equals(await page.locator('.stage').screenshot()), 'r turns it back');

  await press('Alt+3');
  await reach('.matrix canvas');
  await press('ArrowRight', 2);
  expect((await page.locator('.said').first().textContent()).includes('Unknown 3'), 'arrow keys go from cell to cell');
  const width = () => page.locator('.matrix canvas').first().evaluate((c) => c.clientWidth);
  const narrow = await width();
  await press('+');
  expect(await width() > 1.2 * narrow, '+ makes the matrix larger');
  await looksAsBefore(page, 'structure', 440);
  await reach('[role=tab]');
  await press('ArrowRight');
  expect(await page.locator('.room.report').isVisible(), 'arrow keys go from tab to tab');
  await page.close();
}

// ---- a million values ----
{
  const page = await open('million.html', 'light', true);
  const slow = await slowness(page);
  expect(page.took < 2000 * slow, `a million values open within 2 s: ${page.took} ms, slowness ${slow}`);
  expect(page.busy < 1, `and with less than a second of the processor: ${page.busy} s`);
  console.log(`a page of 1.5 million values opened in ${page.took} ms, ${page.busy.toFixed(2)} s of its processor, and weighs ${statSync('million.html').size} bytes`);
  expect((await page.locator('.variables').textContent()).includes('</script><b>"q"'), 'odd names are shown as they are');
  expect(await page.locator('b').count() === 0, 'and make no elements');
  const box = await page.locator('.u-over').first().boundingBox();
  const took = await page.evaluate(async () => {
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    const chart = document.querySelector('.chart');
    const begin = performance.now();
    for (let i = 0; i < 10; ++i) {
      chart.dispatchEvent(new KeyboardEvent('keydown', { key: i < 5 ? '+' : '-' }));
      await frame();
    }
    return (performance.now() - begin) / 10;
  });
  console.log(`a zoom of it takes ${took.toFixed(1)} ms`);
  expect(took < 400 * slow, `zooming stays fluid: ${took} ms, slowness ${slow}`);
  expect(box.width > 300, 'the plot fills the page');
  await page.close();
}

await browser.close();
if (!failed) console.log('pages: all checks passed');
process.exit(failed);
