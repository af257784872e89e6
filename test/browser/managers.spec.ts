/** The pages of managers, auditors, developers and operators: what they lost or could not read. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { webhookEventTypes } from '../../src/domain/webhooks/subscription/events.ts';
import { hasChromium, launchChromium } from '../support/browser/chromium.ts';
import { openPortal, seriousIn, type OpenPortal } from '../support/browser/portal.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { receiver } from '../support/outbound/receivers.ts';
import { freshDatabase } from '../support/postgres/database.ts';
import type { ServerProcess } from '../support/servers/server.ts';
import { servers } from '../support/servers/servers.ts';

const MANAGER = 'manager@acme.test';

describe.skipIf(!hasChromium)('the pages of managers', () => {
  const running = servers();
  let server: ServerProcess;
  let browser: Browser;

  beforeAll(async () => {
    const { url } = await freshDatabase();
    server = await running.start({
      DATABASE_URL: url,
      ATRIUM_DATA: temporaryDirectory('managers'),
      WEBHOOK_ALLOW_PRIVATE: 'true',
    });
    browser = await launchChromium();
    // Rows that are wider than their columns.
    const long = 'A name that is much longer than any column of a table would like it to be';
    await manager('POST', '/api/v1/keys', { label: long, scope: 'full' });
    await manager('POST', '/api/v1/webhooks', {
      url: 'http://127.0.0.1:49151/a/path/that/is/longer/than/any/column/of/a/table',
      events: webhookEventTypes,
    });
  });
  afterAll(async () => {
    await browser?.close();
    await running.release();
  });

  const as = async (
    email: string,
    use: (portal: OpenPortal) => Promise<void>,
    options: BrowserContextOptions = {},
  ) => {
    const portal = await openPortal(browser, server, email, options);
    await use(portal);
    expect(portal.complaints).toEqual([]);
    await portal.page.context().close();
  };
  const manager = async (method: string, path: string, body?: unknown) =>
    (await server.call(MANAGER, method, path, body === undefined ? {} : { body })).body;
  const inDialog = (page: Page, name: string) =>
    page.getByRole('dialog').getByRole('button', { name, exact: true });

  describe('a secret that is shown once', () => {
    it('stays when Escape is pressed or its dialog is closed, and says what closing means', () =>
      as(MANAGER, async ({ page, press, at }) => {
        await at('#/keys', 'API keys');
        await press('Mint a key');
        await page.getByLabel('Label').fill('once');
        await press('Mint');
        const token = page.getByText(/^atr_/);
        await token.waitFor();
        // Chromium closes a dialog on the second Escape, whatever the page says to the first.
        for (let times = 0; times < 3; times += 1) await page.keyboard.press('Escape');
        await page.getByText('It is not shown again.').waitFor();
        expect(await token.isVisible()).toBe(true);
        await press('Keep it open');
        await inDialog(page, 'Close').click();
        await page.getByText('It is not shown again.').waitFor();
        await page.mouse.click(5, 5);
        expect(await token.isVisible()).toBe(true);
        expect(await seriousIn(page)).toEqual([]);
        await press('I have kept it');
        await token.waitFor({ state: 'detached' });
      }));

    it('is made for a webhook only when it was asked for', async () => {
      const { url } = await receiver((request, response) => {
        request.resume().on('end', () => response.end());
      });
      const { webhookId } = await manager('POST', '/api/v1/webhooks', {
        url: `${url}rotated`,
        events: ['building.point.updated'],
      });
      await as(MANAGER, async ({ page, press, at }) => {
        let rotations = 0;
        page.on('request', (request) => {
          if (request.url().endsWith('/rotate-secret')) rotations += 1;
        });
        await at(`#/webhooks/${webhookId}`, /rotated/);
        await press('New secret');
        await page.getByRole('heading', { name: 'Make a new secret?' }).waitFor();
        await inDialog(page, 'Cancel').click();
        expect(rotations).toBe(0);
        await press('New secret');
        await inDialog(page, 'Make a new secret').click();
        await page.getByText(/^whsec_/).waitFor();
        expect(rotations).toBe(1);
        await press('I have kept it');
      });
    });
  });

  it('offers a webhook only events that are sent, and says at the URL why it is refused', () =>
    as(MANAGER, async ({ page, press, at, complaints }) => {
      await at('#/webhooks', 'Webhooks');
      await press('New webhook');
      const offered = await page.getByRole('dialog').getByRole('checkbox').count();
      expect(offered).toBe(2);
      await page.getByLabel('URL').fill('http://user:secret@example.com/');
      await press('Create');
      const url = page.getByLabel('URL');
      await page.locator('[aria-invalid]').waitFor();
      expect(await url.getAttribute('aria-invalid')).toBe('true');
      await page.getByText('Must have no user name or password in it').waitFor();
      // The browser says itself that an answer was a 400.
      complaints.length = 0;
    }));

  it('tells a person whose role does not open a page so, and which roles do', () =>
    as('viewer@acme.test', async ({ page }) => {
      await page.goto(`${server.url}/#/keys`);
      await page.getByText('Your role does not open API keys').waitFor();
      await page.getByText('manager, developer, or auditor').waitFor();
      await page.goto(`${server.url}/#/nonsense`);
      await page.getByText('There is no such page').waitFor();
      expect(await seriousIn(page)).toEqual([]);
    }));

  it('leads from a page past the end of a list to its last, and from no number to its first', () =>
    as(MANAGER, async ({ page, at }) => {
      await at('#/buildings?page=9999', 'Buildings');
      await page.getByRole('link', { name: 'Page 1 is the last' }).click();
      await page.getByRole('link', { name: 'Harbour House' }).waitFor();
      await at('#/buildings?page=nonsense', 'Buildings');
      await page.getByRole('link', { name: 'Harbour House' }).waitFor();
    }));

  it('says of a time before a key was minted that there was no key', async () => {
    const { keyId } = await manager('POST', '/api/v1/keys', { label: 'Later', scope: 'sandbox' });
    await as(MANAGER, async ({ page, at, complaints }) => {
      await at(`#/keys/${keyId}`, 'Later');
      await page.getByLabel('As of').fill('2020-01-01T00:00');
      await page.getByText('There was no such key yet').waitFor();
      expect(await page.locator('.trouble').count()).toBe(0);
      await page.getByLabel('As of').fill('2090-01-01T00:00');
      await page.getByText('Is in the future').waitFor();
      expect(await page.locator('.trouble').count()).toBe(0);
      // The browser says itself that an answer was a 400.
      complaints.length = 0;
    });
  });

  it('names the points of live events, with their values, and no ids', () =>
    as('viewer@acme.test', async ({ page, at }) => {
      await at('#/live', 'Live');
      await page.getByText('listening').waitFor();
      const { items } = await manager('GET', '/api/v1/buildings');
      const path = `/api/v1/buildings/${items[0].id}`;
      const points = await manager('GET', `${path}/points?limit=1`);
      const [{ id, name }] = points.items;
      await manager('POST', `${path}/observations`, {
        observations: [{ pointId: id, value: 41.5 }],
      });
      const row = page.getByRole('row').filter({ hasText: '41.5' });
      await row.getByRole('link', { name, exact: true }).waitFor();
      expect(await row.innerText()).not.toContain(id);
      expect(await seriousIn(page)).toEqual([]);
    }));

  describe('the audit', () => {
    it('keeps the times of its filter apart, and in their fields once it is filtered', () =>
      as(MANAGER, async ({ page, press, at }) => {
        await at('#/audit', 'Audit');
        for (const width of [1280, 1000, 768]) {
          await page.setViewportSize({ width, height: 860 });
          const [from, to] = await Promise.all(
            ['From', 'To'].map((name) => page.getByLabel(name, { exact: true }).boundingBox()),
          );
          const isApart = from!.x + from!.width <= to!.x || from!.y + from!.height <= to!.y;
          expect(isApart, `at ${width}`).toBe(true);
        }
        await page.getByLabel('From', { exact: true }).fill('2026-01-01T08:00');
        await press('Filter');
        await page.waitForURL(/from=2026/);
        const from = page.getByLabel('From', { exact: true });
        await expect.poll(() => from.inputValue()).toBe('2026-01-01T08:00');
      }));

    it('shows all records where its address names no time', () =>
      as(MANAGER, async ({ page, at }) => {
        await at('#/audit?from=yesterday', 'Audit');
        await page.getByRole('table', { name: 'Audit records' }).waitFor();
        expect(await page.locator('.trouble').count()).toBe(0);
      }));
  });

  const places = [
    [MANAGER, '#/audit', 'Audit'],
    [MANAGER, '#/keys', 'API keys'],
    [MANAGER, '#/webhooks', 'Webhooks'],
    [MANAGER, '#/live', 'Live'],
    [MANAGER, '#/sandboxes', 'Sandboxes'],
    [MANAGER, '#/buildings', 'Buildings'],
    ['operator@atrium.test', '#/operations', 'Operations'],
    ['operator@atrium.test', '#/operations/processes', 'Operations'],
  ] as const;
  // 640 pixels are 1280 at 200 %.
  const widths = [1280, 768, 640, 390];

  it.each(places)('fits %s %s into every width, in both themes', async (email, hash, heading) => {
    for (const colorScheme of ['light', 'dark'] as const)
      await as(
        email,
        async ({ page, at }) => {
          await at(hash, heading);
          await page.locator('main .loading').waitFor({ state: 'detached' });
          for (const width of widths) {
            await page.setViewportSize({ width, height: 860 });
            const needed = await page.evaluate<number>('document.documentElement.scrollWidth');
            expect(needed, `${hash} at ${width}`).toBeLessThanOrEqual(width);
          }
          expect(await seriousIn(page)).toEqual([]);
        },
        { colorScheme },
      );
  });
});
