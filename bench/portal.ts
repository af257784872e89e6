/**
 * The load time of the portal: bytes of a first visit to the list of tickets, and Chromium's first
 * and largest contentful paint.
 *
 *     node bench/portal.ts [rounds]
 *
 * Three visits: with a fast line and machine, with Lighthouse's throttling of a phone (150 ms and
 * 1.6 Mbit/s, a processor four times slower), and with the same phone again. The server is that of
 * `npm start`, with its demo.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { launchChromium } from '../test/support/browser/chromium.ts';
import { signInAs } from '../test/support/browser/portal.ts';
import { servers } from '../test/support/servers/servers.ts';
import { letPass } from '../test/support/until.ts';
import { median } from './support/figures.ts';

const rounds = Number(process.argv[2] ?? 5);
const LATE_MS = 3_000;
const BITS_PER_BYTE = 8;
/** Lighthouse's throttling of a phone. */
const PHONE = { latency: 150, bitsPerSecond: 1_638_400, slowdown: 4 };

interface Visit {
  readonly kilobytes: number;
  readonly requests: number;
  readonly firstPaintMs: number;
  readonly largestPaintMs: number;
  readonly blockedMs: number;
  readonly shifted: number;
}

/** Runs in the page from its beginning. */
const OBSERVE = `
  globalThis.seen = { first: 0, largest: 0, blocked: 0, shifted: 0 };
  const watch = (type, note) =>
    new PerformanceObserver((list) => list.getEntries().forEach(note))
      .observe({ type, buffered: true });
  watch('paint', (entry) => {
    if (entry.name === 'first-contentful-paint') seen.first = entry.startTime;
  });
  watch('largest-contentful-paint', (entry) => { seen.largest = entry.startTime; });
  watch('longtask', (entry) => { seen.blocked += Math.max(0, entry.duration - 50); });
  watch('layout-shift', (entry) => { if (!entry.hadRecentInput) seen.shifted += entry.value; });
`;

const directory = mkdtempSync(join(tmpdir(), 'atrium-bench-portal-'));
const running = servers();
const server = await running.start({ ATRIUM_DATA: directory });
const browser = await launchChromium();

/** A new browser profile, in which only the sign-in has been made. */
const visitor = async (): Promise<BrowserContext> => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 } });
  await signInAs(context, server, 'agent@acme.test');
  await context.addInitScript(OBSERVE);
  return context;
};

const visit = async (context: BrowserContext, isPhone: boolean): Promise<Visit> => {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  if (isPhone) {
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: PHONE.latency,
      downloadThroughput: PHONE.bitsPerSecond / BITS_PER_BYTE,
      uploadThroughput: PHONE.bitsPerSecond / BITS_PER_BYTE,
    });
    await session.send('Emulation.setCPUThrottlingRate', { rate: PHONE.slowdown });
  }
  let bytes = 0;
  let requests = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
    if (encodedDataLength > 0) requests += 1;
  });
  await page.goto(`${server.url}/#/tickets`);
  await page.locator('a.subject').first().waitFor();
  // The network is never idle: the page waits for changes.
  await letPass(LATE_MS, 'what loads after the rows');
  const seen =
    await page.evaluate<Record<'first' | 'largest' | 'blocked' | 'shifted', number>>('seen');
  await page.close();
  return {
    kilobytes: bytes / 1_000,
    requests,
    firstPaintMs: seen.first,
    largestPaintMs: seen.largest,
    blockedMs: seen.blocked,
    shifted: seen.shifted,
  };
};

const visits = { fast: [] as Visit[], phone: [] as Visit[], 'phone again': [] as Visit[] };
for (let round = 0; round < rounds; round += 1) {
  const fast = await visitor();
  visits.fast.push(await visit(fast, false));
  await fast.close();
  const phone = await visitor();
  visits.phone.push(await visit(phone, true));
  visits['phone again'].push(await visit(phone, true));
  await phone.close();
}

const middle = (of: readonly Visit[], what: keyof Visit, digits = 0) =>
  median(of.map((one) => one[what])).toFixed(digits);
console.table(
  Object.entries(visits).map(([who, of]) => ({
    visitor: who,
    requests: middle(of, 'requests'),
    kB: middle(of, 'kilobytes'),
    'first paint ms': middle(of, 'firstPaintMs'),
    'largest paint ms': middle(of, 'largestPaintMs'),
    'blocked ms': middle(of, 'blockedMs'),
    'layout shift': middle(of, 'shifted', 3),
  })),
);

await browser.close();
await running.release();
rmSync(directory, { recursive: true, force: true });
