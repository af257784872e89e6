/**
 * How agents work through tickets together. `UPDATE_SCREENSHOTS=1` takes the pictures of
 * docs/portal.md again.
 */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium, launchChromium } from '../support/browser/chromium.ts';
import { openPortal, seriousIn, type OpenPortal } from '../support/browser/portal.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { freshDatabase } from '../support/postgres/database.ts';
import type { ServerProcess } from '../support/servers/server.ts';
import { servers } from '../support/servers/servers.ts';

const AGENT = 'agent@acme.test';
const MANAGER = 'manager@acme.test';
const REQUESTS = '/api/service-desk/requests';

describe.skipIf(!hasChromium)('the pages of tickets', () => {
  const running = servers();
  let server: ServerProcess;
  let browser: Browser;
  let buildingId: string;

  beforeAll(async () => {
    const { url } = await freshDatabase();
    server = await running.start({ DATABASE_URL: url, ATRIUM_DATA: temporaryDirectory('triage') });
    browser = await launchChromium();
    buildingId = (await call('GET', '/api/v1/buildings')).items[0].id;
  });
  afterAll(async () => {
    await browser?.close();
    await running.release();
  });

  const call = async (method: string, path: string, body?: object, email = MANAGER) => {
    const answer = await server.call(email, method, path, body ? { body } : {});
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body;
  };
  const raise = (subject: string, over: object = {}) =>
    call('POST', REQUESTS, { buildingId, subject, description: subject, ...over });
  const move = (id: string, state: string) =>
    call('POST', `${REQUESTS}/${id}/transition`, { state });

  /** In a window of its own, which must not complain. */
  const as = async (email: string, use: (portal: OpenPortal) => Promise<void>) => {
    const portal = await openPortal(browser, server, email);
    await use(portal);
    expect(portal.complaints).toEqual([]);
    await portal.page.context().close();
  };
  const rowOf = (page: Page, subject: string) => page.getByRole('row').filter({ hasText: subject });
  const cardsOf = (page: Page, state: string) =>
    page.locator('section', { has: page.getByRole('heading', { name: state }) });

  describe('live', () => {
    it('show a colleague’s change in its row, and new tickets when they are asked for', () =>
      as(AGENT, async ({ page, at }) => {
        const { id } = await raise('Blind is stuck');
        await at('#/tickets?search=blind', 'Tickets');
        await rowOf(page, 'Blind is stuck').getByText('New').waitFor();
        await move(id, 'triaged');
        await rowOf(page, 'Blind is stuck').getByText('Triaged').waitFor();
        await raise('Blind is torn');
        await raise('Heating is off');
        await page.getByRole('button', { name: '1 new' }).click();
        await rowOf(page, 'Blind is torn').waitFor();
        expect(await page.getByRole('button', { name: '1 new' }).count()).toBe(0);
        expect(await seriousIn(page)).toEqual([]);
      }));

    it('move a card to the column of its new state', () =>
      as(AGENT, async ({ page, at }) => {
        const { id } = await raise('Gate squeaks');
        await at('#/tickets/board?search=gate', 'Tickets');
        await cardsOf(page, 'New').getByText('Gate squeaks').waitFor();
        await move(id, 'triaged');
        await cardsOf(page, 'Triaged').getByText('Gate squeaks').waitFor();
        expect(await page.getByText('Gate squeaks').count()).toBe(1);
      }));

    it('say when the server is away, and show afterwards what has happened meanwhile', async () => {
      const portal = await openPortal(browser, server, AGENT);
      const { page, at } = portal;
      const { id } = await raise('Tap drips');
      await at('#/tickets?search=tap', 'Tickets');
      await rowOf(page, 'Tap drips').getByText('New').waitFor();
      await page.context().setOffline(true);
      await page.getByText('No connection').waitFor();
      await move(id, 'triaged');
      await page.context().setOffline(false);
      await rowOf(page, 'Tap drips').getByText('Triaged').waitFor();
      await page.getByText('No connection').waitFor({ state: 'detached' });
      await page.context().close();
    });

    it('read the changes once for all tabs of a browser', () =>
      as(AGENT, async ({ page, at }) => {
        const context = page.context();
        const polls = new Set<Page>();
        context.on('request', (request) => {
          if (request.url().includes('/changes?')) polls.add(request.frame().page());
        });
        const { id } = await raise('Lamp is dark');
        await at('#/tickets?search=lamp', 'Tickets');
        await rowOf(page, 'Lamp is dark').waitFor();
        const others = await Promise.all(Array.from({ length: 5 }, () => context.newPage()));
        for (const other of others) {
          await other.goto(`${server.url}/#/tickets?search=lamp`);
          await rowOf(other, 'Lamp is dark').getByText('New').waitFor();
        }
        polls.clear();
        await move(id, 'triaged');
        for (const one of [page, ...others])
          await rowOf(one, 'Lamp is dark').getByText('Triaged').waitFor();
        expect([...polls]).toEqual([page]);

        // Another one goes on where the first has stopped.
        await page.close();
        await move(id, 'in_progress');
        for (const one of others)
          await rowOf(one, 'Lamp is dark').getByText('In progress').waitFor();
      }));
  });
});
