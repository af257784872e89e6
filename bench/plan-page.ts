/**
 * The time until the plan of a large storey is drawn, and its frame rate while it is moved and
 * zoomed, and while its values change.
 *
 *     node bench/plan-page.ts [rooms] [seconds] [updates a minute]
 *
 * The rooms are a grid of outlines, coloured by a temperature each. The drawing time is from the
 * end of the plan's response to the frame after the last room is in the page. Frames are those of
 * `requestAnimationFrame` while a pointer moves the plan a little in each of them, then while a
 * wheel zooms it, then while observations are sent to the server, which the page reads again.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchChromium } from '../test/support/browser/chromium.ts';
import { openPortal } from '../test/support/browser/portal.ts';
import { servers } from '../test/support/servers/servers.ts';
import { letPass } from '../test/support/until.ts';
import { median, quantile } from './support/figures.ts';

const [rooms = 500, seconds = 30, updates = 5_000] = process.argv.slice(2).map(Number);
const ROUNDS = 5;
const COLUMNS = 25;
const [WIDTH, DEPTH] = [4, 5];
const POINT_CLASS = 'Zone_Air_Temperature_Sensor';
/** Interval of the batches of observations. */
const BATCH_MS = 5_000;
const manager = 'manager@acme.test';

const directory = mkdtempSync(join(tmpdir(), 'atrium-bench-plan-'));
const running = servers();
const server = await running.start({ ATRIUM_DATA: directory });

const call = async (method: string, path: string, body?: object) => {
  const answer = await server.call(manager, method, path, body ? { body } : {});
  if (answer.status >= 300) throw new Error(JSON.stringify(answer.body));
  return answer.body;
};

const room = (_: unknown, n: number) => {
  const [x, y] = [(n % COLUMNS) * WIDTH, Math.floor(n / COLUMNS) * DEPTH];
  const code = String(n).padStart(3, '0');
  const ring = [
    [x, y],
    [x + WIDTH, y],
    [x + WIDTH, y + DEPTH],
    [x, y + DEPTH],
  ];
  const point = { code: `T-${code}`, name: 'Temperature', pointClass: POINT_CLASS };
  const points = [{ ...point, valueType: 'number', unit: '°C' }];
  return {
    code,
    name: `Room ${code}`,
    spaceTypeSlug: 'office',
    areaSqm: WIDTH * DEPTH,
    outline: [ring],
    elements: [{ code: `S-${code}`, name: 'Sensor', elementTypeSlug: 'sensor', points }],
  };
};
const { buildingId } = await call('POST', '/api/v1/buildings/import', {
  site: { code: 'BENCH', name: 'Bench' },
  building: {
    code: 'LARGE',
    name: 'Large',
    storeys: [{ code: 'G', name: 'Ground', level: 0, spaces: Array.from({ length: rooms }, room) }],
  },
});
const building = `/api/v1/buildings/${buildingId}`;
const points: string[] = [];
for (let offset = 0; offset < rooms; offset += 1_000) {
  const { items } = await call('GET', `${building}/points?limit=1000&offset=${offset}`);
  points.push(...items.map(({ id }: { id: string }) => id));
}
let sent = 0;
const send = async (count: number) => {
  const observations = Array.from({ length: count }, () => {
    sent += 1;
    return { pointId: points[sent % points.length]!, value: 16 + Math.random() * 12 };
  });
  await call('POST', `${building}/observations`, { observations });
};
await send(Math.max(rooms, 1));

const browser = await launchChromium();
const { page } = await openPortal(browser, server, manager);
const address = `${server.url}/#/buildings/${buildingId}/plan?colour=point:${POINT_CLASS}`;

/** Runs in the page from its beginning, to find when the last room is drawn. */
await page.addInitScript(`
  globalThis.drawn = new Promise((resolve) => {
    new MutationObserver((_, watch) => {
      if (document.querySelectorAll('[data-room]').length < ${rooms}) return;
      watch.disconnect();
      requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now())));
    }).observe(document, { subtree: true, childList: true });
  });
`);
const DELAY = `globalThis.drawn.then((at) => {
  const plans = performance.getEntriesByType('resource').filter(({ name }) =>
    new URL(name).pathname.endsWith('/plan'));
  return { ms: at - plans[0].responseEnd, bytes: plans[0].decodedBodySize };
})`;
const delays: number[] = [];
let bytes = 0;
for (let round = 0; round < ROUNDS; round += 1) {
  await page.goto('about:blank');
  await page.goto(address);
  const seen = await page.evaluate<{ ms: number; bytes: number }>(DELAY);
  delays.push(seen.ms);
  bytes = seen.bytes;
}
console.log(
  `${rooms} rooms, plan of ${(bytes / 1_000).toFixed(0)} kB: drawn after ` +
    `${median(delays).toFixed(0)} ms (${delays.map((ms) => ms.toFixed(0)).join(', ')})`,
);
await page.locator('[data-room][class*="step-"]').first().waitFor();

/** In the browser: the intervals of frames, with an action in each frame. */
const FRAMES = (each: string, ms: number) => `new Promise((resolve) => {
  const svg = document.querySelector('.plan-canvas > svg');
  const { left, top, width, height } = svg.getBoundingClientRect();
  const [x, y] = [left + width / 2, top + height / 2];
  svg.setPointerCapture = () => {};
  const pointer = (type, dx, dy) => svg.dispatchEvent(new PointerEvent(type, {
    pointerId: 7, clientX: x + dx, clientY: y + dy, bubbles: true,
  }));
  let shades = 0;
  const watch = new MutationObserver((list) => { shades += list.length; });
  watch.observe(document.querySelector('.plan-rooms'), { subtree: true, attributes: true });
  const began = performance.now();
  const intervals = [];
  let last = began;
  let n = 0;
  pointer('pointerdown', 0, 0);
  const frame = (now) => {
    intervals.push(now - last);
    last = now;
    n += 1;
    ${each}
    if (now - began < ${ms}) return requestAnimationFrame(frame);
    pointer('pointerup', 0, 0);
    watch.disconnect();
    resolve({ intervals: intervals.slice(1), shades });
  };
  requestAnimationFrame(frame);
})`;
const PAN = `pointer('pointermove', 120 * Math.sin(n / 20), 60 * Math.cos(n / 25));`;
const ZOOM = `svg.dispatchEvent(new WheelEvent('wheel', {
  clientX: x, clientY: y, deltaY: n % 120 < 60 ? -30 : 30, cancelable: true,
}));`;

const printFrames = (what: string, intervals: readonly number[]) => {
  const mean = intervals.reduce((sum, ms) => sum + ms, 0) / intervals.length;
  const [p99, worst] = [quantile(intervals, 0.99), Math.max(...intervals)];
  console.log(
    `${what}: ${(1_000 / mean).toFixed(1)} frames/s, ` +
      `p99 ${p99.toFixed(1)} ms, worst ${worst.toFixed(0)} ms`,
  );
};
interface Seen {
  readonly intervals: readonly number[];
  readonly shades: number;
}
for (const [what, each] of [
  ['moved', PAN],
  ['zoomed', ZOOM],
] as const)
  printFrames(what, (await page.evaluate<Seen>(FRAMES(each, 10_000))).intervals);

const enough = new AbortController();
const sending = (async () => {
  while (!enough.signal.aborted) {
    await send(Math.round((updates * BATCH_MS) / 60_000));
    await letPass(BATCH_MS, 'the next batch');
  }
})();
for (const [what, each] of [
  ['updated', ''],
  ['updated and moved', PAN],
] as const) {
  const before = sent;
  const seen = await page.evaluate<Seen>(FRAMES(each, seconds * 1_000));
  const perMinute = (count: number) => Math.round((count * 60) / seconds).toLocaleString('en');
  printFrames(
    `${what}, ${perMinute(sent - before)} values a minute, ${perMinute(seen.shades)} rooms painted`,
    seen.intervals,
  );
}
enough.abort();
await sending;
await browser.close();
// The server stops its embedded Postgres.
await server.signal('SIGTERM');
await running.release();
rmSync(directory, { recursive: true, force: true });
