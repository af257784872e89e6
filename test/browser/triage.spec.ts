/**
 * How agents work through tickets together. `UPDATE_SCREENSHOTS=1` renews the pictures in
 * docs/portal.md.
 */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasChromium } from '../support/browser/chromium.ts';
import { takePicture } from '../support/browser/picture.ts';
import { portalServer } from '../support/browser/portal-server.ts';
import { seriousIn, type OpenPortal } from '../support/browser/portal.ts';

const AGENT = 'agent@acme.test';
const MANAGER = 'manager@acme.test';
const VIEWER = 'viewer@acme.test';
const AUDITOR = 'auditor@acme.test';
const REQUESTS = '/api/service-desk/requests';
const VIEWS = '/api/service-desk/views';
/** Of a proxy, while the server is away. */
const BAD_GATEWAY = { status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' };

describe.skipIf(!hasChromium)('the pages of tickets', () => {
  const { server, open, as, call: callAs, colleague, raise: raised } = portalServer();

  const call = (method: string, path: string, body?: object) => callAs(MANAGER, method, path, body);
  const raise = (subject: string, over: object = {}) =>
    raised({ subject, description: subject, ...over });
  const move = (id: string, state: string) =>
    call('POST', `${REQUESTS}/${id}/transition`, { state });

  const rowOf = (page: Page, subject: string) => page.getByRole('row').filter({ hasText: subject });
  /** Waits for the list of a search: the one shown before it has the same heading. */
  const listed = async (page: Page, subject: string, count: number): Promise<void> => {
    const shown = async () => [
      await page.locator('tr[data-ticket]').count(),
      await rowOf(page, subject).count(),
    ];
    await expect.poll(shown).toEqual([count, count]);
  };
  const cardsOf = (page: Page, state: string) =>
    page.locator('section', { has: page.getByRole('heading', { name: state }) });

  describe('live', () => {
    it('show a colleague’s change in its row, and new tickets when they are asked for', () =>
      as(AGENT, async (portal) => {
        const { page, at } = portal;
        const { id } = await raise('Blind is stuck');
        await at('#/tickets?search=blind', 'Tickets');
        await rowOf(page, 'Blind is stuck').getByText('New').waitFor();
        await move(id, 'triaged');
        await rowOf(page, 'Blind is stuck').getByText('Triaged').waitFor();
        await raise('Blind is torn');
        await raise('Heating is off');
        await page.getByRole('button', { name: '1 new' }).waitFor();
        await takePicture(page, 'live');
        await page.getByRole('button', { name: '1 new' }).click();
        await rowOf(page, 'Blind is torn').waitFor();
        await expect.poll(() => page.getByRole('button', { name: '1 new' }).count()).toBe(0);
        expect(await seriousIn(page)).toEqual([]);
      }));

    it('count only tickets that have joined the list, not changes on its other pages', () =>
      as(AGENT, async ({ page, at }) => {
        const { id } = await raise('Crane on the last page');
        for (let n = 0; n < 25; n += 1) await raise(`Crane ${n}`);
        await at('#/tickets?search=crane&view=all&sort=-createdAt', 'Tickets');
        await page.getByText('1–25 of 26').waitFor();
        await colleague('PATCH', id, { priority: 'critical' });
        await move(id, 'triaged');
        await raise('Crane stands still');
        await page.getByRole('button', { name: '1 new' }).waitFor();
        expect(await page.locator('.unseen').innerText()).toBe('1 new');
      }));

    it('move a card to the column of its new state', () =>
      as(AGENT, async ({ page, at }) => {
        const { id } = await raise('Gate squeaks');
        await at('#/tickets/board?search=gate', 'Tickets');
        await cardsOf(page, 'New').getByText('Gate squeaks').waitFor();
        await move(id, 'triaged');
        await cardsOf(page, 'Triaged').getByText('Gate squeaks').waitFor();
        await expect.poll(() => page.getByText('Gate squeaks').count()).toBe(1);
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

    it('show that the server is unreachable, and catch up afterwards', async () => {
      const portal = await open(AGENT);
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
          await other.goto(`${server().url}/#/tickets?search=lamp`);
          await rowOf(other, 'Lamp is dark').getByText('New').waitFor();
        }
        polls.clear();
        await move(id, 'triaged');
        for (const one of [page, ...others])
          await rowOf(one, 'Lamp is dark').getByText('Triaged').waitFor();
        expect([...polls]).toEqual([page]);

        // A second page continues where the first has stopped.
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
      as(AGENT, async (portal) => {
        const { page, at } = portal;
        const raised = [];
        for (let n = 0; n < 10; n += 1) raised.push(await raise(`Triage number ${n}`));
        await at('#/tickets?search=triage%20number&state=new', 'Tickets');
        await expect.poll(() => page.locator('tr[data-ticket]').count()).toBe(raised.length);
        const { press, count } = keyboardOf(page);
        for (let n = 9; n >= 0; n -= 1) {
          await press('j', 's', 'Enter', 'p', 'h', 'Enter', 'a');
          if (n === 5) await takePicture(page, 'triage');
          await press('Enter');
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

    it('change no ticket of the list that is being replaced', () =>
      as(AGENT, async ({ page, at }) => {
        await raise('Turnstile slams');
        await raise('Shutter slams');
        await at('#/tickets?search=turnstile', 'Tickets');
        // Of the search alone, and not of the list before it.
        await expect.poll(() => page.locator('tr[data-ticket]').count()).toBe(1);
        await rowOf(page, 'Turnstile slams').waitFor();
        const commands: string[] = [];
        page.on('request', (request) => {
          if (request.method() !== 'GET') commands.push(request.url());
        });
        const answered = Promise.withResolvers<void>();
        await page.route(/requests\?.*search=shutter/, async (route) => {
          await answered.promise;
          await route.continue();
        });
        await page.goto(`${server().url}/#/tickets?search=shutter`);
        await page.locator('[aria-busy="true"] tr[data-ticket]').waitFor();
        await page.keyboard.press('j');
        for (const key of ['s', 'p', 'a', 'n', 'x']) await page.keyboard.press(key);
        await page.getByText('The tickets are still loading.').waitFor();
        expect(await page.getByRole('dialog').count()).toBe(0);
        await page.getByRole('checkbox', { name: 'Select all on this page' }).click();
        expect(await page.locator('tr[aria-selected="true"]').count()).toBe(0);
        answered.resolve();
        await rowOf(page, 'Shutter slams').waitFor();
        await page.keyboard.press('j');
        await page.keyboard.press('s');
        await page.getByRole('dialog', { name: /^State: SR-/ }).waitFor();
        await page.keyboard.press('Enter');
        await expect.poll(() => commands.length).toBe(1);
        await rowOf(page, 'Shutter slams').getByText('Triaged').waitFor();
      }));

    it('find, open and raise tickets, and have no effect while typing', () =>
      as(AGENT, async ({ page, at }) => {
        const { number } = await raise('Sauna is cold');
        await at('#/tickets?state=new', 'Tickets');
        await rowOf(page, 'Sauna is cold').waitFor();
        await page.keyboard.press('/');
        await page.keyboard.type('sauna cold');
        await expect.poll(() => page.url()).toContain('search=sauna');
        expect(await page.getByRole('dialog').count()).toBe(0);
        // Of the search alone: keys change no list that is being replaced.
        await expect.poll(() => page.locator('tr[data-ticket]').count()).toBe(1);
        await rowOf(page, 'Sauna is cold').waitFor();
        await page.keyboard.press('Enter');
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

        const pressed = Promise.withResolvers<void>();
        await page.route(/requests\?.*search=SR-/, async (route) => {
          await pressed.promise;
          await route.continue();
        });
        await page.keyboard.press('Control+k');
        await page.keyboard.type(number);
        await page.getByText('Nothing found').waitFor();
        await page.keyboard.press('ArrowDown');
        pressed.resolve();
        await page.getByRole('option', { name: 'Sauna is cold', selected: true }).waitFor();
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
        await expect.poll(() => cardsOf(page, 'New').getByText('Canopy leaks').count()).toBe(0);
        await expect
          .poll(async () => (await call('GET', `${REQUESTS}/${id}`)).state)
          .toBe('waiting');
      }));
  });

  describe('several at once', () => {
    const selected = (page: Page) => page.getByRole('region', { name: 'Selected tickets' });
    const progress = (page: Page) => page.getByRole('region', { name: 'Progress' });
    const prioritiesOf = async (search: string) => {
      const { items } = await call('GET', `${REQUESTS}?search=${search}&limit=200`);
      return [...new Set(items.map(({ priority }: { priority: string }) => priority))];
    };

    it('are changed, refusals are named, and the others can be undone', () =>
      as(AGENT, async (portal) => {
        const { page, at, press } = portal;
        const made: { readonly id: string; readonly number: string }[] = [];
        for (let n = 0; n < 5; n += 1) made.push(await raise(`Bulky ${n}`));
        await move(made[2]!.id, 'cancelled');
        await at('#/tickets?search=bulky', 'Tickets');
        await listed(page, 'Bulky', 5);
        const box = (n: number) => page.getByLabel(`Select ${made[n]!.number}`);
        await box(4).click();
        await box(0).click({ modifiers: ['Shift'] });
        await selected(page).getByText('5 selected').waitFor();
        await page.keyboard.press('s');
        await page.getByRole('option', { name: 'Triage' }).click();
        await progress(page).getByText('4 of 5, 1 refused').waitFor();
        await page.getByText('Refused tickets').click();
        await page
          .getByText(`${made[2]!.number}: its state does not allow this transition`)
          .waitFor();
        await rowOf(page, 'Bulky 4').getByText('Triaged').waitFor();
        await takePicture(page, 'bulk');
        expect(await seriousIn(page)).toEqual([]);
        // No way leads back to new.
        expect(await page.getByRole('button', { name: 'Undo', exact: true }).count()).toBe(0);

        await box(4).click();
        await box(3).click();
        await page.keyboard.press('p');
        await page.getByRole('option', { name: 'critical' }).click();
        await progress(page).getByText('2 of 2').waitFor();
        await expect.poll(() => prioritiesOf('bulky')).toContain('critical');
        await press('Undo');
        await progress(page).getByText('Undone').waitFor();
        await expect.poll(() => prioritiesOf('bulky')).toEqual(['medium']);
      }));

    it('are given back what a colleague had set before, and keep what one has set since', () =>
      as(AGENT, async ({ page, at, press }) => {
        const made = [];
        for (let n = 0; n < 3; n += 1) made.push(await raise(`Given ${n}`, { priority: 'low' }));
        const [before, untouched, since] = made.map(({ id }) => `${REQUESTS}/${id}`);
        await at('#/tickets?search=given', 'Tickets');
        await listed(page, 'Given', 3);
        await page.getByLabel('Select all on this page').click();
        await selected(page).getByText('3 selected').waitFor();
        await call('PATCH', before!, { priority: 'critical' });
        await rowOf(page, 'Given 0').getByText('critical').waitFor();
        await page.keyboard.press('p');
        await page.getByRole('option', { name: 'medium' }).click();
        await progress(page).getByText('3 of 3').waitFor();
        await call('PATCH', since!, { priority: 'high' });
        await rowOf(page, 'Given 2').getByText('high').waitFor();
        await press('Undo');
        await progress(page).getByText('Undone: Priority medium: 2 of 2').waitFor();
        const priorities = [before, untouched, since].map(
          async (path) => (await call('GET', path!)).priority,
        );
        expect(await Promise.all(priorities)).toEqual(['critical', 'low', 'high']);
      }));

    it('keep a note and the selection until it is sent, and send it once', async () => {
      const { page, at, press } = await open(AGENT);
      const made = [await raise('Noted 0'), await raise('Noted 1')];
      await at('#/tickets?search=noted', 'Tickets');
      await listed(page, 'Noted', 2);
      for (const { number } of made) await page.getByLabel(`Select ${number}`).click();
      const keys = new Set<string | undefined>();
      const bulk = `**${REQUESTS}/bulk`;
      await page.route(bulk, (route) => {
        keys.add(route.request().headers()['idempotency-key']);
        return route.abort();
      });
      await page.keyboard.press('n');
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Note').fill('For both of them.');
      await press('Add note');
      await dialog.getByRole('alert').waitFor();
      expect(await dialog.getByLabel('Note').inputValue()).toBe('For both of them.');
      await selected(page).getByText('2 selected').waitFor();
      await page.unroute(bulk);
      const [request] = await Promise.all([page.waitForRequest(bulk), press('Add note')]);
      await progress(page).getByText('2 of 2').waitFor();
      expect([...keys]).toEqual([request.headers()['idempotency-key']]);
      await dialog.waitFor({ state: 'detached' });
      expect(await selected(page).count()).toBe(0);

      // Another action is repeated from its panel.
      await page.route(bulk, (route) => route.abort());
      await page.getByLabel(`Select ${made[0]!.number}`).click();
      await page.keyboard.press('p');
      await page.getByRole('option', { name: 'critical' }).click();
      await progress(page).getByRole('alert').waitFor();
      await page.unroute(bulk);
      await press('Try again');
      await progress(page).getByText('1 of 1').waitFor();
      await page.context().close();
    });

    it('go on after a page of a proxy, and keep their outcome in an empty list', async () => {
      const { page, at, press } = await open(AGENT);
      await raise('Proxied');
      await at('#/tickets?search=proxied&priority=medium', 'Tickets');
      await listed(page, 'Proxied', 1);
      const bulk = `**${REQUESTS}/bulk`;
      await page.route(bulk, (route) => route.fulfill(BAD_GATEWAY), { times: 1 });
      await page.getByLabel('Select all on this page').click();
      await page.keyboard.press('p');
      await page.getByRole('option', { name: 'high' }).click();
      await progress(page).getByText('1 of 1').waitFor();
      await page.getByLabel('Order').selectOption('createdAt');
      await page.getByText('No ticket matches these filters.').waitFor();
      await press('Undo');
      await progress(page).getByText('Undone: Priority high: 1 of 1').waitFor();
      await page.getByRole('button', { name: '1 new' }).click();
      await listed(page, 'Proxied', 1);
      await page.route(bulk, (route) => route.fulfill(BAD_GATEWAY));
      await page.getByLabel('Select all on this page').click();
      await page.keyboard.press('p');
      await page.getByRole('option', { name: 'high' }).click();
      await progress(page)
        .getByRole('alert')
        .getByText('The server does not answer at the moment: try again.')
        .waitFor();
      expect(await progress(page).getByText('request').count()).toBe(0);
      await page.context().close();
    });

    it('are all of a search, beyond the page', () =>
      as(AGENT, async ({ page, at, press }) => {
        await Promise.all(Array.from({ length: 30 }, (_, n) => raise(`Crowd ${n}`)));
        // Rows of a list that is shown stay where they are: a late ticket would not be counted.
        await expect
          .poll(async () => (await call('GET', `${REQUESTS}?search=crowd`)).total)
          .toBe(30);
        await at('#/tickets?search=crowd', 'Tickets');
        await listed(page, 'Crowd', 25);
        await page.getByLabel('Select all on this page').click();
        await selected(page).getByText('25 selected').waitFor();
        // The tickets of another page stay selected.
        await press('Next');
        await listed(page, 'Crowd', 5);
        await page.getByLabel('Select all on this page').click();
        await selected(page).getByText('30 selected').waitFor();
        await page.getByLabel('Select all on this page').click();
        await selected(page).getByText('25 selected').waitFor();
        await press('All 30 of this search');
        await selected(page).getByText('30 selected').waitFor();
        await press('Category');
        await page.getByRole('dialog').getByLabel('Category').fill('crowded');
        await press('Set category');
        await progress(page).getByText('30 of 30').waitFor();
        await expect
          .poll(async () => (await call('GET', `${REQUESTS}?category=crowded`)).total)
          .toBe(30);
      }));
  });

  describe('views', () => {
    it('begin with open tickets, soonest due, and sort by any ordered column', async () => {
      // Before the list is first read: rows of a list that is shown stay where they are.
      await raise('Roof is on fire', { priority: 'critical' });
      const { id } = await raise('Roof was on fire');
      await move(id, 'cancelled');
      await as(AGENT, async ({ page, at }) => {
        await at('#/tickets', 'Tickets');
        await rowOf(page, 'Roof is on fire').waitFor();
        expect(await rowOf(page, 'Roof was on fire').count()).toBe(0);
        await page.getByRole('columnheader', { name: 'Due', exact: false }).waitFor();
        const order = () => page.locator('th[aria-sort="ascending"]').innerText();
        expect(await order()).toContain('Due');
        await page.getByRole('button', { name: 'Priority', exact: true }).first().click();
        await expect.poll(() => page.url()).toContain('sort=-priority');
        await page.getByRole('link', { name: 'All' }).click();
        await rowOf(page, 'Roof was on fire').waitFor();
      });
    });

    it('are saved, shared, changed and deleted, and count their tickets', async () => {
      await raise('Pump hums', { category: 'pumps', priority: 'high' });
      await as(AGENT, async ({ page, at, press }) => {
        await at('#/tickets?category=pumps&sort=-priority', 'Tickets');
        await rowOf(page, 'Pump hums').waitFor();
        await press('Save view');
        await page.getByLabel('Name').fill('Pumps of all');
        await page.getByLabel('Shared').check();
        await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
        await page.getByRole('link', { name: 'Pumps of all 1' }).waitFor();
        expect(await seriousIn(page)).toEqual([]);
        await press('Filters');
        await page.getByLabel('high').check();
        await press('Save view');
        await page.getByLabel('Name').fill('Only mine');
        await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
        await page.getByRole('link', { name: 'Only mine 1' }).waitFor();
      });
      await as(MANAGER, async ({ page, at, press }) => {
        await at('#/tickets', 'Tickets');
        await page.getByRole('link', { name: 'Pumps' }).click();
        await rowOf(page, 'Pump hums').waitFor();
        expect(await page.getByRole('link', { name: 'Only mine' }).count()).toBe(0);
        await press('Filters');
        await page.getByLabel('low').check();
        await press('Update view');
        await page.getByText('is changed.').waitFor();
        await press('Delete view');
        await page.getByText('gone for everybody').waitFor();
        await press('Delete the view');
        await page.getByRole('link', { name: 'Pumps' }).waitFor({ state: 'detached' });
      });
    });

    it('keep what a colleague has changed meanwhile, and name a change of the same', async () => {
      const view = { name: 'Ours', shared: true, filters: { category: 'pumps' }, sort: 'dueAt' };
      const { viewId } = await callAs(AGENT, 'POST', VIEWS, view);
      const change = (body: object) => call('PATCH', `${VIEWS}/${viewId}`, body);
      const stored = () => call('GET', `${VIEWS}/${viewId}`);
      await as(AGENT, async ({ page, at, press, complaints }) => {
        await at('#/tickets', 'Tickets');
        await page.getByRole('link', { name: 'Ours' }).click();
        await page.waitForURL(/category=pumps/);
        await change({ sort: 'priority' });
        await press('Filters');
        await page.getByLabel('low').check();
        await press('Update view');
        await page.getByText('Ours is changed.').waitFor();
        const low = { category: 'pumps', priority: 'low' };
        expect(await stored()).toMatchObject({ filters: low, sort: 'priority' });
        await page.waitForURL(/sort=priority/);
        const update = page.getByRole('button', { name: 'Update view' });
        await update.waitFor({ state: 'detached' });

        await change({ filters: { category: 'gas' }, sort: '-priority' });
        await page.getByLabel('high').check();
        await press('Update view');
        await page.getByText('Ours was changed meanwhile.').waitFor();
        expect(await seriousIn(page)).toEqual([]);
        expect(await stored()).toMatchObject({ filters: { category: 'gas' }, sort: '-priority' });
        await page.waitForURL(/sort=-priority/);
        await press('Update view');
        await update.waitFor({ state: 'detached' });
        const both = { category: 'pumps', priority: 'low,high' };
        expect(await stored()).toMatchObject({ filters: both, sort: '-priority' });
        // The browser says itself that an answer was a 412.
        complaints.length = 0;
      });
      await callAs(AGENT, 'DELETE', `${VIEWS}/${viewId}`);
    });

    it('keep what a colleague has changed while a ticket of theirs was open', async () => {
      const { id } = await raise('Valve sticks', { category: 'valves' });
      const view = { name: 'Valves', shared: true, filters: { category: 'valves' }, sort: 'dueAt' };
      const { viewId } = await callAs(AGENT, 'POST', VIEWS, view);
      const change = (body: object) => call('PATCH', `${VIEWS}/${viewId}`, body);
      const stored = () => call('GET', `${VIEWS}/${viewId}`);
      await as(AGENT, async ({ page, at, press, complaints }) => {
        const update = page.getByRole('button', { name: 'Update view' });
        const follow = async () => {
          await at('#/tickets', 'Tickets');
          await page.getByRole('link', { name: 'Valves' }).click();
          await rowOf(page, 'Valve sticks').waitFor();
        };
        const openTicketWhile = async (body: object) => {
          await at(`#/tickets/${id}`, 'Valve sticks');
          await change(body);
          const reloaded = page.waitForResponse((answer) => answer.url().endsWith(VIEWS));
          await page.goBack();
          await reloaded;
          await page.locator('a[aria-current="page"]', { hasText: 'Valves' }).waitFor();
        };
        await follow();
        await page.getByLabel('Order').selectOption('-createdAt');
        await update.waitFor();
        await openTicketWhile({ filters: { category: 'valves', priority: 'low,medium' } });
        await press('Update view');
        await page.getByText('Valves is changed.').waitFor();
        const filters = { category: 'valves', priority: 'low,medium' };
        expect(await stored()).toMatchObject({ filters, sort: '-createdAt' });
        await update.waitFor({ state: 'detached' });

        await follow();
        await openTicketWhile({ sort: 'priority' });
        expect(await update.count()).toBe(0);
        // The browser says itself that an answer was a 412.
        complaints.length = 0;
      });
      // In a window that has not followed its tab.
      await as(AGENT, async ({ page, at, press }) => {
        await at(`#/tickets?view=${viewId}&category=valves&sort=priority`, 'Tickets');
        await press('Update view');
        await page
          .getByText('This address may be older than Valves, which has other filters')
          .waitFor();
        expect((await stored()).filters).toHaveProperty('priority');
        await press('Update view');
        await page.getByText('Valves is changed.').waitFor();
        expect((await stored()).filters).toEqual({ category: 'valves' });
      });
      await callAs(AGENT, 'DELETE', `${VIEWS}/${viewId}`);
    });

    it('leave the page as it is when they are changed after one has gone on', async () => {
      const view = { name: 'Slow', shared: true, filters: { category: 'slow' }, sort: 'dueAt' };
      const { viewId } = await callAs(AGENT, 'POST', VIEWS, view);
      await as(AGENT, async ({ page, at, press, complaints }) => {
        await at('#/tickets', 'Tickets');
        await page.getByRole('link', { name: 'Slow' }).click();
        await page.waitForURL(/category=slow/);
        await page.getByLabel('Order').selectOption('-createdAt');
        await call('PATCH', `${VIEWS}/${viewId}`, { filters: { category: 'slower' } });
        const waiting = Promise.withResolvers<void>();
        await page.route(`**${VIEWS}/${viewId}`, async (route) => {
          await waiting.promise;
          await route.continue();
        });
        await press('Update view');
        await page.getByRole('link', { name: 'All' }).click();
        await page.waitForURL(/view=all/);
        waiting.resolve();
        await page.getByText('Slow is changed.').waitFor();
        expect(page.url()).toContain('view=all');
        complaints.length = 0;
      });
      const stored = await call('GET', `${VIEWS}/${viewId}`);
      expect(stored).toMatchObject({ filters: { category: 'slower' }, sort: '-createdAt' });
      await callAs(AGENT, 'DELETE', `${VIEWS}/${viewId}`);
    });

    it('say which page is the last beyond it', () =>
      as(AGENT, async ({ page, at }) => {
        await raise('Paged', { category: 'paged' });
        await at('#/tickets?category=paged&page=9', 'Tickets');
        await page.getByText('There is no page 9').waitFor();
        await page.getByRole('link', { name: 'Page 1 is the last' }).click();
        await rowOf(page, 'Paged').waitFor();
      }));

    it('are exported as they are', () =>
      as(AGENT, async ({ page, at, press, complaints }) => {
        await raise('Export this', { category: 'exported' });
        await at('#/tickets?category=exported', 'Tickets');
        await rowOf(page, 'Export this').waitFor();
        await press('Filters');
        const path = '**/requests/export?*';
        await page.route(path, (route) => route.fulfill(BAD_GATEWAY), { times: 1 });
        await press('Export as CSV');
        await page.getByText('The server does not answer at the moment: try again.').waitFor();
        // The browser logs the answer.
        complaints.length = 0;
        const [file] = await Promise.all([page.waitForEvent('download'), press('Export as CSV')]);
        expect(file.suggestedFilename()).toMatch(/^tickets-.*\.csv$/);
      }));

    it('name the people and teams that tickets are assigned to, and list one’s own', () =>
      as(AGENT, async ({ page, at }) => {
        const { id } = await raise('Whose is it');
        await at('#/tickets?search=whose', 'Tickets');
        await rowOf(page, 'Whose is it').getByText('nobody').click();
        await page.getByRole('option', { name: 'Assign to me' }).click();
        await rowOf(page, 'Whose is it').getByText('Acme Agent').waitFor();
        await expect
          .poll(async () => (await call('GET', `${REQUESTS}/${id}`)).assignedUserId)
          .not.toBeNull();
        await page.getByRole('link', { name: 'My tickets' }).click();
        await rowOf(page, 'Whose is it').waitFor();
      }));

    /** As a manager, up to the refusal. */
    const saveLowOnes = async ({ page, at, press }: OpenPortal) => {
      await at('#/tickets?priority=low', 'Tickets');
      await press('Save view');
      const dialog = page.getByRole('dialog', { name: 'Save view' });
      await dialog.getByLabel('Name').fill('Low ones');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.getByText('VIEW_LIMIT_REACHED').waitFor();
      return dialog;
    };

    it('are at most 50 of a person, whatever others have', async () => {
      const own: string[] = [];
      while (own.length < 50)
        own.push((await call('POST', VIEWS, { name: `Own ${own.length}` })).viewId);
      const portal = await open(MANAGER);
      const dialog = await saveLowOnes(portal);
      await dialog.getByText('You have 50 views').waitFor();
      await dialog.getByText('Loading').waitFor({ state: 'detached' });
      expect(await dialog.getByText('Private views of others').count()).toBe(0);
      await portal.page.context().close();
      for (const viewId of own) await call('DELETE', `${VIEWS}/${viewId}`);
    });

    it('are saved after a manager has made room among the private views of others', async () => {
      const { items, others } = await call('GET', VIEWS);
      for (let n = items.length + others.length; n < 100; n += 1)
        await callAs(n % 2 === 0 ? VIEWER : AUDITOR, 'POST', VIEWS, { name: `Hidden ${n}` });
      const portal = await open(MANAGER);
      const { page, press } = portal;
      const dialog = await saveLowOnes(portal);
      await dialog.getByRole('heading', { name: 'Private views of others (100)' }).waitFor();
      await dialog.getByText('80 more were changed later.').waitFor();
      expect(await dialog.getByRole('row').count()).toBe(21);
      expect(await dialog.getByText('Hidden').count()).toBe(0);
      expect(await seriousIn(page)).toEqual([]);
      // Its author is faster.
      await page.route(
        `**${VIEWS}/*`,
        async (route) => {
          await callAs(VIEWER, 'DELETE', new URL(route.request().url()).pathname);
          await route.continue();
        },
        { times: 1 },
      );
      await dialog
        .getByRole('button', { name: 'Delete the view of Acme Viewer' })
        .first()
        .press('Enter');
      await press('Delete the view');
      // A screen reader hears nothing outside the dialog.
      await dialog
        .getByRole('status')
        .getByText('A private view of Acme Viewer is deleted.')
        .waitFor();
      await dialog.getByRole('heading', { name: 'Private views of others (99)' }).waitFor();
      expect(await page.evaluate('document.activeElement.caption.textContent')).toBe(
        'Private views of others',
      );
      expect(await dialog.getByRole('alert').count()).toBe(0);
      expect(await dialog.getByLabel('Name').inputValue()).toBe('Low ones');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('link', { name: 'Low ones' }).waitFor();
      await page.context().close();
    });
  });

  describe('accessibility', () => {
    /** Width, height, and how high a ticket is at most. */
    const screens = [
      [1280, 860, 80],
      [390, 844, 90],
    ].flatMap(([width, height, row]) =>
      (['light', 'dark'] as const).map((theme) => [width!, height!, row!, theme] as const),
    );

    it.each(screens)(
      'are usable at %d × %d (rows of %d), %s',
      async (width, height, row, theme) => {
        const options = { viewport: { width, height }, colorScheme: theme };
        const portal = await open(AGENT, options);
        const { page, at } = portal;
        await at('#/tickets', 'Tickets');
        const first = page.locator('tr[data-ticket]').first();
        await first.waitFor();
        expect(await seriousIn(page)).toEqual([]);
        const box = (await first.boundingBox())!;
        expect(box.y + box.height).toBeLessThan(height);
        expect(box.height).toBeLessThanOrEqual(row);
        const scrollWidth = await page.evaluate<number>('document.documentElement.scrollWidth');
        expect(scrollWidth).toBeLessThanOrEqual(width);
        await page.getByRole('button', { name: 'Filters' }).click();
        await page.keyboard.press('j');
        await page.keyboard.press('x');
        expect(await seriousIn(page)).toEqual([]);
        await page.keyboard.press('Escape');
        await page.keyboard.press('p');
        await page.getByRole('option', { name: 'critical' }).waitFor();
        expect(await seriousIn(page)).toEqual([]);
        await page.keyboard.press('Escape');
        await at('#/tickets/board', 'Tickets');
        await page.locator('.board-card').first().waitFor();
        expect(await seriousIn(page)).toEqual([]);
        expect(portal.complaints).toEqual([]);
        await page.context().close();
      },
    );
  });
});
