/**
 * Seconds from the scan of a label to the number of the report, on a slow line and a mid-range
 * phone: 400 ms and 400 kbit/s, a processor four times slower. The requester has signed in before,
 * and the page is not in the browser's cache; then again with a filled cache. Typing takes no time
 * here; a person needs some seconds for a few words.
 *
 *     node bench/report-page.ts [rounds]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { labelAddress } from '../packages/portal/src/pages/labels/label-address.ts';
import { launchChromium } from '../test/support/browser/chromium.ts';
import { signInAs } from '../test/support/browser/portal.ts';
import { PHONE, REQUESTER, takenPhoto } from '../test/support/browser/requester.ts';
import { servers } from '../test/support/servers/servers.ts';
import { median } from './support/figures.ts';

const rounds = Number(process.argv[2] ?? 3);
const LINE = { latency: 400, bitsPerSecond: 400_000 };
const BITS_PER_BYTE = 8;
const SLOWDOWN = 4;
const CAMERA = { width: 2_400, height: 1_800, type: 'image/jpeg' };

const directory = mkdtempSync(join(tmpdir(), 'atrium-bench-report-'));
const running = servers();
const server = await running.start({ ATRIUM_DATA: directory });
const manager = 'manager@acme.test';
const configuration = '/api/service-desk/configuration';
const { body: desk } = await server.call(manager, 'GET', configuration);
await server.call(manager, 'PUT', configuration, {
  body: { ...desk, requesterAccess: 'signed-in' },
});
const { body: buildings } = await server.call(manager, 'GET', '/api/v1/buildings');
const buildingId = buildings.items[0].id;
const { body: rooms } = await server.call(manager, 'GET', `/api/v1/buildings/${buildingId}/spaces`);
const label = labelAddress(server.url, buildingId, { kind: 'space', ...rooms.items[0] });

const browser = await launchChromium();
const seconds = (since: number) => (performance.now() - since) / 1_000;
const seen: Record<string, { form: number; number: number; photo: number; kilobytes: number }[]> = {
  'first scan': [],
  'next scan': [],
};
for (let round = 0; round < rounds; round += 1) {
  const context = await browser.newContext(PHONE);
  await signInAs(context, server, REQUESTER);
  const page = await context.newPage();
  const photo = await takenPhoto(page, 'a pump', CAMERA);
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: LINE.latency,
    downloadThroughput: LINE.bitsPerSecond / BITS_PER_BYTE,
    uploadThroughput: LINE.bitsPerSecond / BITS_PER_BYTE,
  });
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
  let bytes = 0;
  devtools.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
  for (const scans of Object.values(seen)) {
    await page.goto('about:blank');
    bytes = 0;
    const began = performance.now();
    await page.goto(label, { waitUntil: 'commit' });
    const words = page.getByLabel('What is wrong?');
    await words.waitFor();
    const form = seconds(began);
    const kilobytes = bytes / 1_000;
    await words.fill('The pump is loud.');
    await page.getByLabel('Take a photo').setInputFiles(photo);
    await page.getByRole('img', { name: /^Photo 1/ }).waitFor();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page
      .getByText(/^SR-\d+/)
      .first()
      .waitFor();
    const number = seconds(began);
    await page.getByRole('link', { name: /^a-pump/ }).waitFor();
    scans.push({ form, number, photo: seconds(began), kilobytes });
  }
  await context.close();
}
for (const [what, scans] of Object.entries(seen)) {
  const of = (member: 'form' | 'number' | 'photo' | 'kilobytes') =>
    median(scans.map((scan) => scan[member])).toFixed(1);
  console.log(
    `${what}: form after ${of('form')} s (${of('kilobytes')} kB), number after ` +
      `${of('number')} s, photo stored after ${of('photo')} s`,
  );
}
await browser.close();
// The server stops its embedded Postgres.
await server.signal('SIGTERM');
await running.release();
rmSync(directory, { recursive: true, force: true });
