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

    it('show a colleague’s change on the ticket’s page', () =>
      as(AGENT, async ({ page, at }) => {
        const { id } = await raise('Window is open');
        await at(`#/tickets/${id}`, 'Window is open');
        await move(id, 'triaged');
        await page.getByText('Triaged', { exact: true }).first().waitFor();
        await call('PATCH', `${REQUESTS}/${id}`, { subject: 'Window is shut' });
        await page.getByRole('heading', { name: 'Window is shut' }).waitFor();
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

  describe('keys', () => {
    /** Presses keys one after the other, and counts them. */
    const keyboardOf = (page: Page) => {
      let count = 0;
      return {
        count: () => count,
        async press(...keys: readonly string[]) {
          for (const key of keys) await page.keyboard.press(key);
          count += keys.length;
        },
      };
    };

    it('triage ten tickets: state, priority and assignee, without the mouse', () =>
      as(AGENT, async ({ page, at }) => {
        const raised = [];
        for (let n = 0; n < 10; n += 1) raised.push(await raise(`Triage number ${n}`));
        await at('#/tickets?search=triage%20number&state=new', 'Tickets');
        await rowOf(page, 'Triage number 0').waitFor();
        const { press, count } = keyboardOf(page);
        for (let n = 9; n >= 0; n -= 1) {
          await press('j', 's', 'Enter', 'p', 'h', 'Enter', 'a', 'Enter');
          await rowOf(page, `Triage number ${n}`).getByText('Acme Agent').waitFor();
        }
        expect(count()).toBe(80);
        // First assignments are held for as long as they can be undone.
        const mine = async () => {
          const path = `${REQUESTS}?search=triage%20number&state=triaged&priority=high`;
          const { items } = await call('GET', path);
          return items.filter((one: { assignedUserId: string | null }) => one.assignedUserId);
        };
        await expect.poll(async () => (await mine()).length).toBe(raised.length);
      }));

    it('find, open and raise tickets, and do nothing while somebody types', () =>
      as(AGENT, async ({ page, at }) => {
        const { number } = await raise('Sauna is cold');
        await at('#/tickets?state=new', 'Tickets');
        await rowOf(page, 'Sauna is cold').waitFor();
        await page.keyboard.press('/');
        await page.keyboard.type('sauna cold');
        await expect.poll(() => page.url()).toContain('search=sauna');
        expect(await page.getByRole('dialog').count()).toBe(0);
        await rowOf(page, 'Sauna is cold').waitFor();
        await page.keyboard.press('Tab');
        await page.keyboard.press('j');
        await page.keyboard.press('Enter');
        await page.getByRole('heading', { name: 'Sauna is cold' }).waitFor();
        await page.keyboard.press('g');
        await page.keyboard.press('b');
        await page.getByRole('heading', { name: 'Buildings' }).waitFor();
        await page.keyboard.press('g');
        await page.keyboard.press('t');
        await page.getByRole('heading', { name: 'Tickets' }).waitFor();
        await page.locator('a.subject').first().waitFor();
        await page.keyboard.press('c');
        await page.getByRole('dialog', { name: 'New ticket' }).waitFor();
        await page.keyboard.press('Escape');

        await page.keyboard.press('Control+k');
        await page.keyboard.type(number);
        await page.getByRole('option', { name: 'Sauna is cold' }).waitFor();
        expect(await seriousIn(page)).toEqual([]);
        await page.keyboard.press('Enter');
        await page.getByRole('heading', { name: 'Sauna is cold' }).waitFor();
        await page.keyboard.press('?');
        const help = page.getByRole('dialog', { name: 'Keys' });
        await help.getByText('Buildings').waitFor();
        expect(await seriousIn(page)).toEqual([]);
        await help.getByLabel('Single letters are keys').uncheck();
        await page.keyboard.press('Escape');
        await page.keyboard.press('g');
        await page.keyboard.press('b');
        await page.keyboard.press('Control+k');
        await page.getByRole('dialog', { name: 'Go to or do' }).waitFor();
        expect(page.url()).toContain('#/tickets/');
      }));

    it('move a card on the board, only to states that it may go to, and keep it in focus', () =>
      as(AGENT, async ({ page, at }) => {
        const { id } = await raise('Canopy leaks');
        await at('#/tickets/board?search=canopy', 'Tickets');
        await cardsOf(page, 'New').getByText('Canopy leaks').waitFor();
        await page.keyboard.press('j');
        await page.keyboard.press('Shift+ArrowRight');
        await cardsOf(page, 'Triaged').getByText('Canopy leaks').waitFor();
        await expect
          .poll(() => page.evaluate<string>('document.activeElement.dataset.ticket'))
          .toBe(id);
        const card = page.locator('.board-card');
        await card.dragTo(cardsOf(page, 'New'));
        await card.dragTo(cardsOf(page, 'Waiting'));
        await cardsOf(page, 'Waiting').getByText('Canopy leaks').waitFor();
        expect(await cardsOf(page, 'New').getByText('Canopy leaks').count()).toBe(0);
        await expect
          .poll(async () => (await call('GET', `${REQUESTS}/${id}`)).state)
          .toBe('waiting');
      }));
  });
});
