/**
 * The portal, for users of every role. `UPDATE_SCREENSHOTS=1` renews the pictures in
 * docs/portal.md.
 */
import { exec } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { hasChromium } from '../support/browser/chromium.ts';
import { takePicture } from '../support/browser/picture.ts';
import { portalServer } from '../support/browser/portal-server.ts';
import { seriousIn, type OpenPortal } from '../support/browser/portal.ts';
import { receiver } from '../support/outbound/receivers.ts';

const shell = promisify(exec);
const PICTURE_HEIGHT = 620;

/** In the page: where the line of the chart begins, as a share of its width; -1: nowhere. */
const DRAWN_AT = `(() => {
  const canvas = document.querySelector('.chart canvas');
  if (canvas === null) return -1;
  const { width, height } = canvas;
  const { data } = canvas.getContext('2d').getImageData(0, 0, width, height);
  const [red, green, blue] = getComputedStyle(document.querySelector('.chart-line'))
    .color.match(/\\d+/g).map(Number);
  for (let x = 0; x < width; x += 1)
    for (let y = 0; y < height; y += 1) {
      const at = (y * width + x) * 4;
      if (data[at] === red && data[at + 1] === green && data[at + 2] === blue) return x / width;
    }
  return -1;
})()`;

describe.skipIf(!hasChromium)('the portal', () => {
  const { server, as, call } = portalServer({ WEBHOOK_ALLOW_PRIVATE: 'true' });

  const manager = (method: string, path: string, body?: object) =>
    call('manager@acme.test', method, path, body);
  const signIn = async ({ page, press }: OpenPortal, email: string) => {
    await press('Sign in');
    await page.getByLabel('E-mail address').fill(email);
    await press('Sign in');
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
  };

  it('signs in at the issuer, mints a key, shows its token once and revokes it', () =>
    as(null, async (portal) => {
      const { page, press } = portal;
      await signIn(portal, 'manager@acme.test');
      await portal.at('#/keys', 'API keys');
      await page.getByText('No keys yet').waitFor();
      await press('Mint a key');
      await page.getByLabel('Label').fill('<b>CAFM</b>');
      await press('Mint');
      const token = await page.getByText(/^atr_/).textContent();
      const answer = await fetch(`${server().url}/api/v1/sandboxes`, {
        headers: { authorization: `Bearer ${token}` },
      });
      expect(answer.status).toBe(200);
      await press('I have saved it');
      expect(await page.getByText(/^atr_/).count()).toBe(0);
      expect(await seriousIn(page)).toEqual([]);

      await page.getByRole('link', { name: '<b>CAFM</b>' }).click();
      await page.getByText('Minted by Acme Manager with scope sandbox').waitFor();
      await page.getByText('GET /api/v1/sandboxes').waitFor();
      await press('Revoke');
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
      await page.getByText('revoked', { exact: true }).waitFor();
      expect(await seriousIn(page)).toEqual([]);

      await portal.at('#/audit?action=key.revoked', 'Audit');
      const rows = page.getByRole('row').filter({ hasText: 'key.revoked' });
      await rows.first().waitFor();
      await expect.poll(() => rows.count()).toBe(1);
      const [file] = await Promise.all([page.waitForEvent('download'), press('CSV')]);
      expect(file.suggestedFilename()).toMatch(/^audit-.*\.csv$/);
      expect(await seriousIn(page)).toEqual([]);
    }));

  const pages = {
    'manager@acme.test': [
      'Tickets',
      'Reports',
      'Service desk',
      'Buildings',
      'Live',
      'Sandboxes',
      'Webhooks',
      'API keys',
      'Erasures',
      'Audit',
    ],
    'developer@acme.test': ['Buildings', 'Live', 'Sandboxes', 'Webhooks', 'API keys'],
    'agent@acme.test': ['Tickets', 'Reports', 'Buildings', 'Live'],
    'auditor@acme.test': [
      'Tickets',
      'Reports',
      'Buildings',
      'Live',
      'Webhooks',
      'API keys',
      'Audit',
    ],
    'viewer@acme.test': ['Tickets', 'Buildings', 'Live'],
    'operator@atrium.test': ['Audit', 'Operations'],
  };

  it.each(Object.entries(pages))('shows %s the pages of the role', (email, names) =>
    as(email, async ({ page }) => {
      const side = page.getByRole('navigation', { name: 'Pages of the portal' });
      await side.waitFor();
      await expect.poll(() => side.locator('li').allTextContents()).toEqual(names);
      await page.getByRole('heading', { level: 1 }).waitFor();
      const may = ['manager', 'agent'].some((role) => email.startsWith(role));
      await expect
        .poll(() => page.getByRole('button', { name: 'New ticket' }).count())
        .toBe(may ? 1 : 0);
    }),
  );

  it('takes a ticket from its form to the board', () =>
    as('agent@acme.test', async (portal) => {
      const { page, press } = portal;
      await portal.at('#/tickets', 'Tickets');
      await page.locator('a.subject').first().waitFor();
      await takePicture(page, 'tickets', PICTURE_HEIGHT);
      await press('New ticket');
      await page.getByLabel('Subject').fill('Too loud at night');
      await page.getByLabel('Description').fill('A fan hums.');
      await page.getByLabel('Category').last().fill('noise');
      await press('Raise');
      await page.getByRole('heading', { name: 'Too loud at night' }).waitFor();
      await page.getByLabel('Note').fill('Heard it.');
      await press('Add note');
      await page.getByText('Acme Agent wrote').waitFor();
      await page.getByText('Heard it.').waitFor();
      await press('Triage');
      await page.getByText('moved it from New to Triaged').waitFor();
      expect(await page.title()).toMatch(/^SR-\d{6} Too loud at night · Atrium$/);
      expect(await seriousIn(page)).toEqual([]);

      await portal.at('#/tickets/board?search=too%20loud', 'Tickets');
      const triaged = page.locator('section', { hasText: 'Triaged' });
      await triaged.getByRole('link', { name: 'Too loud' }).waitFor();
      await expect.poll(() => page.locator('.board-card').count()).toBe(1);
      expect(await seriousIn(page)).toEqual([]);

      await portal.at('#/tickets?search=nothing%20like%20it', 'Tickets');
      await page.getByText('No ticket matches these filters.').waitFor();
    }));

  it("covers a sandbox's life: a key, the form, a call, its events, the end", () =>
    as(null, async (portal) => {
      const { page, press } = portal;
      await signIn(portal, 'developer@acme.test');
      await portal.at('#/keys', 'API keys');
      await press('Mint a key');
      await page.getByLabel('Label').fill('My module');
      await press('Mint');
      const token = await page.getByText(/^atr_/).textContent();
      await press('I have saved it');

      await portal.at('#/sandboxes', 'Sandboxes');
      await page.getByText('No sandboxes').waitFor();
      await press('New sandbox');
      await page.getByLabel('Name').fill('Try <i>it</i>');
      for (const [label, value] of Object.entries({
        Storeys: '1',
        'Gross area in m²': '100',
        'Days of telemetry': '0',
      }))
        await page.getByLabel(label).fill(value);
      await page.getByLabel('Fans that run at night').uncheck();
      await press('Create');
      await page.getByRole('heading', { name: 'Try <i>it</i>' }).waitFor();
      await page.getByText('stuck-damper, drifting-sensor, silent-sensor').waitFor();
      await page.getByRole('heading', { name: 'Clock' }).waitFor();
      await page.getByText('listening').waitFor();

      const command = await page.getByText(/^curl .*buildings$/).textContent();
      const { stdout } = await shell(command!, { env: { ...process.env, ATRIUM_TOKEN: token! } });
      expect(JSON.parse(stdout).items).toHaveLength(1);
      const logged = page.getByText('GET /api/v1/buildings', { exact: true });
      await logged.waitFor();
      await page.getByLabel('Status').selectOption('5');
      await logged.waitFor({ state: 'hidden' });
      await press('+ 1 hour');
      await page.getByText('The sandbox’s clock was moved forward by 1 hour.').waitFor();
      await page.getByText('building.point.updated').first().waitFor();
      const events = page.getByRole('table', { name: 'Events, the latest first' });
      const named = events.getByRole('row').filter({ hasText: ' · ' }).first();
      expect((await named.boundingBox())!.height).toBeLessThan(80);
      await takePicture(page, 'sandbox', PICTURE_HEIGHT);
      expect(await seriousIn(page)).toEqual([]);

      await press('New snapshot');
      await page.getByRole('dialog').getByLabel('Name').fill('As seeded');
      await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
      await page.getByText('As seeded is being created.').waitFor();
      const snapshot = page.getByRole('row').filter({ hasText: 'As seeded' });
      await snapshot.getByText('ready').waitFor();
      await snapshot.scrollIntoViewIfNeeded();
      await takePicture(page, 'snapshots', PICTURE_HEIGHT);
      expect(await seriousIn(page)).toEqual([]);
      await page.getByRole('button', { name: 'New sandbox from As seeded' }).click();
      await page.getByRole('dialog').getByLabel('Name').fill('A branch');
      await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
      await page.getByRole('heading', { name: 'A branch' }).waitFor();
      await page.getByRole('heading', { name: 'Clock' }).waitFor();
      await press('Delete');
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('button', { name: 'Delete As seeded' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await snapshot.waitFor({ state: 'hidden' });

      await page.getByRole('link', { name: 'Try <i>it</i>' }).click();
      await press('Extend');
      await page.getByRole('dialog').getByRole('button', { name: 'Extend' }).click();
      await page.getByText('The sandbox expires 7 days later.').waitFor();
      await press('Delete');
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByText('No sandboxes').waitFor();
    }));

  it('shows a building: spaces by storey, points as lines, layers as heat, faults', () =>
    as('viewer@acme.test', async (portal) => {
      const { page } = portal;
      const { items } = await manager('GET', '/api/v1/buildings');
      const path = `/api/v1/buildings/${items[0].id}`;
      const points = await manager('GET', `${path}/points?limit=2`);
      const spaces = await manager('GET', `${path}/spaces?limit=2`);
      const observations = Array.from({ length: 96 }, (_, at) => ({
        pointId: points.items[0].id,
        value: at === 0 ? 21.25 : 20 + 2 * Math.sin(at / 12),
        timestamp: new Date(Date.now() - at * 900_000).toISOString(),
      }));
      await manager('POST', `${path}/observations`, { observations });
      const values = spaces.items.map(({ id }: { id: string }, at: number) => ({
        key: id,
        value: at === 0 ? 'damp' : 70.5,
      }));
      await manager('PUT', `${path}/data-layers/comfort/values`, { keyBy: 'id', values });

      await portal.at('#/buildings', 'Buildings');
      await page.getByRole('link', { name: 'Harbour House' }).click();
      await page.getByRole('link', { name: 'Second floor' }).click();
      await page.getByText('Board room Spree').waitFor();
      expect(await seriousIn(page)).toEqual([]);
      await page.getByRole('link', { name: 'Points' }).click();
      await page.getByText('21.25').waitFor();
      await expect.poll(() => page.title()).toBe('Points of Harbour House · Atrium');
      await page.getByRole('link', { name: points.items[0].name, exact: true }).first().click();
      await page.locator('.chart canvas').waitFor();
      await expect.poll(() => page.title()).toBe(`${points.items[0].name} · Atrium`);
      await takePicture(page, 'point', PICTURE_HEIGHT);
      expect(await seriousIn(page)).toEqual([]);
      const [, single] = points.items;
      const [latest] = observations;
      const observed = [{ ...latest, pointId: single.id }];
      await manager('POST', `${path}/observations`, { observations: observed });
      await portal.at(`#/buildings/${items[0].id}/points/${single.id}`, 'Harbour House');
      // A single reading is a dot, at the end of the last day.
      await expect
        .poll(() => page.evaluate<number>(DRAWN_AT), { timeout: 5_000 })
        .toBeGreaterThan(0.9);
      await page.getByRole('link', { name: 'Data layers' }).click();
      await page.getByText('70.5', { exact: true }).waitFor();
      await page.getByText('damp').waitFor();
      await expect.poll(() => page.title()).toBe('Data layers of Harbour House · Atrium');
      expect(await seriousIn(page)).toEqual([]);
      await page.getByRole('link', { name: 'Faults' }).click();
      await page.getByText('No faults').waitFor();
    }));

  it("sends a test to a webhook, and shows the receiver's response", async () => {
    const { url } = await receiver((request, response) => {
      request.resume().on('end', () => response.end('Thank you.'));
    });
    await as('manager@acme.test', async (portal) => {
      const { page, press } = portal;
      await portal.at('#/webhooks', 'Webhooks');
      await page.getByText('No webhooks').waitFor();
      await press('New webhook');
      await page.getByLabel('URL').fill(`${url}hook`);
      await page.getByLabel('Description').fill('Of the building');
      await press('Create');
      await page.getByText(/^whsec_/).waitFor();
      await press('I have saved it');
      await page.getByRole('link', { name: '/hook' }).click();
      await press('Send a test');
      await page.getByText('webhook.test', { exact: true }).click();
      await page.locator('pre', { hasText: 'Thank you.' }).waitFor();
      expect(await seriousIn(page)).toEqual([]);
      await press('Delete');
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByText('No webhooks').waitFor();
    });
  });

  it("shows a building's events live", () =>
    as('viewer@acme.test', async (portal) => {
      const { page } = portal;
      await portal.at('#/live', 'Live');
      await page.getByText('listening').waitFor();
      const buildings = await manager('GET', '/api/v1/buildings');
      const path = `/api/v1/buildings/${buildings.items[0].id}`;
      const points = await manager('GET', `${path}/points?limit=1`);
      const observations = [{ pointId: points.items[0].id, value: 33.125 }];
      await manager('POST', `${path}/observations`, { observations });
      await page.getByRole('row').filter({ hasText: '33.125' }).waitFor();
      expect(await seriousIn(page)).toEqual([]);
    }));

  it("shows an operator the log's subscribers, and rebuilds a read model", () =>
    as('operator@atrium.test', async (portal) => {
      const { page, press } = portal;
      await portal.at('#/operations', 'Operations');
      await press('Rebuild sandbox-list');
      await page.getByRole('dialog').getByRole('button', { name: 'Rebuild' }).click();
      await page.getByText('sandbox-list is being rebuilt').waitFor();
      expect(await seriousIn(page)).toEqual([]);
      await page.getByRole('link', { name: 'Processes' }).click();
      await page.getByText('webhook-fan-out').waitFor();
      expect(await seriousIn(page)).toEqual([]);
    }));

  it('is one column with a menu on a phone, and follows the dark theme', () =>
    as(
      'manager@acme.test',
      async ({ page, press, at }) => {
        await at('#/tickets', 'Tickets');
        await page.locator('a.subject').first().waitFor();
        const width = await page.evaluate<number>('document.documentElement.scrollWidth');
        expect(width).toBeLessThanOrEqual(390);
        expect(await seriousIn(page)).toEqual([]);
        await press('Menu');
        await page.getByRole('link', { name: 'API keys' }).click();
        await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();
      },
      { viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
    ));

  it('keeps to a narrow policy', async () => {
    const { headers } = await fetch(`${server().url}/`);
    const policy = headers.get('content-security-policy') ?? '';
    for (const rule of [
      `default-src 'none'`,
      `script-src 'self'`,
      `connect-src 'self';`,
      `frame-ancestors 'none'`,
    ])
      expect(policy).toContain(rule);
    expect(policy).not.toContain('unsafe');
  });
});
