/** The pages of managers, auditors, developers and operators: lost input and legibility. */
import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { webhookEventTypes } from '../../src/domain/webhooks/subscription/events.ts';
import { hasChromium } from '../support/browser/chromium.ts';
import { loseAnswer } from '../support/browser/lost-answers.ts';
import { portalServer } from '../support/browser/portal-server.ts';
import { seriousIn, type OpenPortal } from '../support/browser/portal.ts';
import { receiver } from '../support/outbound/receivers.ts';

const MANAGER = 'manager@acme.test';

describe.skipIf(!hasChromium)('the pages of managers', () => {
  const { server, open, as, call } = portalServer({ WEBHOOK_ALLOW_PRIVATE: 'true' });

  beforeAll(async () => {
    // Rows that are wider than their columns.
    const long = 'A name that is much longer than any column of a table would like it to be';
    await manager('POST', '/api/v1/keys', { label: long, scope: 'full' });
    await manager('POST', '/api/v1/webhooks', {
      url: 'http://127.0.0.1:49151/a/path/that/is/longer/than/any/column/of/a/table',
      events: webhookEventTypes,
    });
  });

  const manager = (method: string, path: string, body?: unknown) =>
    call(MANAGER, method, path, body);
  const inDialog = (page: Page, name: string) =>
    page.getByRole('dialog').getByRole('button', { name, exact: true });

  describe('a secret that is shown once', () => {
    it('stays when Escape is pressed or its dialog is closed, with a warning', () =>
      as(MANAGER, async ({ page, press, at }) => {
        await at('#/keys', 'API keys');
        await press('Mint a key');
        await page.getByLabel('Label').fill('sap_pm_interface_production_plant_1000_service_desk');
        await press('Mint');
        const token = page.getByText(/^atr_/);
        await token.waitFor();
        for (const width of [360, 1280]) {
          await page.setViewportSize({ width, height: 740 });
          const hidden = 'document.querySelector("dialog").scrollWidth - innerWidth';
          expect(await page.evaluate(hidden), `at ${width}`).toBeLessThan(0);
          const { x } = (await token.boundingBox())!;
          expect(x, `at ${width}`).toBeGreaterThan(0);
        }
        // Chromium closes a dialog on the second Escape, even when the page cancels the first.
        for (let times = 0; times < 3; times += 1) await page.keyboard.press('Escape');
        await page.getByText('It will not be shown again.').waitFor();
        await expect.poll(() => token.isVisible()).toBe(true);
        await press('Keep it open');
        await inDialog(page, 'Close').click();
        await page.getByText('It will not be shown again.').waitFor();
        await page.mouse.click(5, 5);
        await expect.poll(() => token.isVisible()).toBe(true);
        expect(await seriousIn(page)).toEqual([]);
        await press('I have saved it');
        await token.waitFor({ state: 'detached' });
      }));

    it('is minted once where its answer was lost, and said to be lost', async () => {
      const { page, press, at } = await open(MANAGER);
      await at('#/tickets', 'Tickets');
      await at('#/keys', 'API keys');
      await press('Mint a key');
      await page.getByLabel('Label').fill('lost');
      const connect = await loseAnswer(page, /\/keys$/, { isAway: true });
      await press('Mint');
      await page.getByText('The server cannot be reached.').waitFor();
      await connect();
      await press('Mint');
      await page.getByRole('heading', { name: 'The token of “lost” was lost' }).waitFor();
      const lost = async () => {
        const { items } = await manager('GET', '/api/v1/keys');
        const keys = items.filter(({ label }: { label: string }) => label === 'lost');
        return keys.map(({ status }: { status: string }) => status);
      };
      expect(await lost()).toEqual(['active']);
      expect(await seriousIn(page)).toEqual([]);
      await press('Revoke this key');
      await page.getByRole('heading', { name: 'Mint a key' }).waitFor();
      expect(await lost()).toEqual(['revoked']);
      await press('Mint');
      const token = page.getByText(/^atr_/);
      await token.waitFor();
      await page.goBack();
      await page.getByRole('heading', { name: 'Have you kept it?' }).waitFor();
      expect(await seriousIn(page)).toEqual([]);
      await press('Stay here');
      await expect.poll(() => page.url()).toContain('#/keys');
      expect(await token.isVisible()).toBe(true);
      await page.goBack();
      await press('Leave');
      await page.getByRole('heading', { name: 'Tickets', level: 1 }).waitFor();
      await page.context().close();
    });

    it('of a webhook is made anew where its answer was lost', async () => {
      const { page, press, at } = await open(MANAGER);
      await at('#/webhooks', 'Webhooks');
      await press('New webhook');
      await page.getByLabel('URL').fill('http://127.0.0.1:49151/lost');
      await loseAnswer(page, /\/webhooks$/, { isAway: false });
      await press('Create');
      await page.getByRole('heading', { name: 'The secret of this webhook was lost' }).waitFor();
      const { items } = await manager('GET', '/api/v1/webhooks');
      expect(items.filter(({ url }: { url: string }) => url.endsWith('/lost'))).toHaveLength(1);
      await loseAnswer(page, /\/rotate-secret$/, { isAway: false });
      const repeated = page.waitForResponse((answer) => answer.url().endsWith('/rotate-secret'));
      await press('Make another secret');
      await repeated;
      await page.getByRole('heading', { name: 'The secret of this webhook was lost' }).waitFor();
      await press('Make another secret');
      await page.getByText(/^whsec_[^…]+$/).waitFor();
      await press('I have saved it');
      await page.context().close();
    });

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
        await page.getByRole('heading', { name: 'Create a new secret?' }).waitFor();
        await inDialog(page, 'Cancel').click();
        expect(rotations).toBe(0);
        await press('New secret');
        await inDialog(page, 'Create a new secret').click();
        // Not its beginning, which the list of secrets shows.
        await page.getByText(/^whsec_[^…]+$/).waitFor();
        expect(rotations).toBe(1);
        await press('I have saved it');
      });
    });
  });

  it('offers a webhook only events that are sent, and shows at the URL why it is refused', () =>
    as(MANAGER, async ({ page, press, at, complaints }) => {
      await at('#/webhooks', 'Webhooks');
      await press('New webhook');
      await expect.poll(() => page.getByRole('dialog').getByRole('checkbox').count()).toBe(2);
      await page.getByLabel('URL').fill('http://user:secret@example.com/');
      await press('Create');
      const url = page.getByLabel('URL');
      await page.locator('[aria-invalid]').waitFor();
      await expect.poll(() => url.getAttribute('aria-invalid')).toBe('true');
      await page.getByText('Must have no user name or password in it').waitFor();
      // The browser says itself that an answer was a 400.
      complaints.length = 0;
    }));

  it('names the roles that open a page to a user without one', () =>
    as('viewer@acme.test', async ({ page }) => {
      await page.goto(`${server().url}/#/keys`);
      await page.getByText('Your role has no access to API keys').waitFor();
      await page.getByText('manager, developer, or auditor').waitFor();
      await page.goto(`${server().url}/#/nonsense`);
      await page.getByRole('heading', { name: 'There is no such page', level: 1 }).waitFor();
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

  it('shows that a key did not exist before it was minted', async () => {
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

    it('keeps typed filters and the focus when another one is chosen', () =>
      as(MANAGER, async ({ page, press, at }) => {
        await at('#/audit', 'Audit');
        const field = (name: string) => page.getByLabel(name, { exact: true });
        const keyId = '0'.repeat(22);
        await field('Key id').fill(keyId);
        await field('From').fill('2026-01-01T08:00');
        await field('Outcome').focus();
        await page.keyboard.press('ArrowDown');
        await page.waitForURL(/outcome=allowed/);
        await page.waitForURL(new RegExp(keyId));
        await page.locator('select:focus').waitFor();
        expect(await field('Key id').inputValue()).toBe(keyId);
        expect(await field('From').inputValue()).toBe('2026-01-01T08:00');
        await press('Clear');
        await expect.poll(() => field('Key id').inputValue()).toBe('');
        expect(await field('From').inputValue()).toBe('');
      }));

    it('shows all records where its address names no time', () =>
      as(MANAGER, async ({ page, at }) => {
        await at('#/audit?from=yesterday', 'Audit');
        await page.getByRole('table', { name: 'Audit records' }).waitFor();
        expect(await page.locator('.trouble').count()).toBe(0);
      }));
  });

  describe('the desk', () => {
    const CONFIGURATION = '/api/service-desk/configuration';
    const rules = ['Gas', 'Heating', 'Lifts'].map((name) => ({
      ruleId: name.toLowerCase(),
      name,
      match: { text: name.toLowerCase() },
      assignTeamId: `team-${name.toLowerCase()}`,
    }));
    const configuration = {
      slaPolicies: [
        {
          name: 'office',
          match: { priority: ['critical', 'high'], category: 'hvac' },
          firstResponseMinutes: 120,
          resolutionMinutes: 2880,
          calendar: 'office hours',
        },
      ],
      calendars: {
        'office hours': {
          timeZone: 'Europe/Berlin',
          weekly: { monday: [['09:10', '12:00']] },
          holidays: ['2026-12-25'],
        },
      },
      routingRules: rules,
      workflows: [{ requestType: 'enquiry', transitions: { triaged: ['resolved', 'cancelled'] } }],
    };
    beforeEach(() => manager('PUT', CONFIGURATION, configuration));
    const stored = () => manager('GET', CONFIGURATION);
    const saved = async ({ page, press }: OpenPortal) => {
      await press('Save');
      await page.getByText('The configuration is saved.').waitFor();
      return stored();
    };

    it('shows the tickets of a service level, and accepts hours and days', () =>
      as(MANAGER, async (portal) => {
        const { page, press, at } = portal;
        await at('#/desk', 'Service desk');
        const row = page.getByRole('row').filter({ hasText: 'office' });
        await row.getByText('Critical or high tickets of category hvac').waitFor();
        await expect.poll(() => row.innerText()).toMatch(/2 h\s+2 d/);
        await press('Edit office');
        await page.getByLabel('First response within', { exact: true }).fill('1.5');
        await page.getByLabel('Resolution within: unit').selectOption('no clock');
        await press('Add a service level');
        await page.getByLabel('Name').fill('urgent');
        await page.getByLabel('First response within: unit').selectOption('minutes');
        await page.getByLabel('First response within', { exact: true }).fill('15');
        await page.getByLabel('critical').check();
        // The last becomes the first: the first match wins.
        await page.getByRole('button', { name: /^Move urgent/ }).press('ArrowUp');
        const { slaPolicies } = await saved(portal);
        expect(slaPolicies).toMatchObject([
          { name: 'urgent', firstResponseMinutes: 15, match: { priority: ['critical'] } },
          { name: 'office', firstResponseMinutes: 90, resolutionMinutes: null },
        ]);
      }));

    it('shows the part that its address names', () =>
      as(MANAGER, async ({ page, at }) => {
        await at('#/desk/rules', 'Service desk');
        const isChosen = (name: string) =>
          page.getByRole('tab', { name, selected: true }).waitFor();
        await isChosen('Routing');
        await page.evaluate(`location.hash = '#/desk/hours'`);
        await isChosen('Business hours');
        await expect.poll(() => page.title()).toBe('Business hours · Service desk · Atrium');
        await page.getByRole('tab', { name: 'Workflows' }).click();
        await isChosen('Workflows');
        await expect.poll(() => page.title()).toBe('Workflows · Service desk · Atrium');
        await page.evaluate(`location.hash = '#/desk/rules'`);
        await isChosen('Routing');
      }));

    it('is not saved while a duration is half typed, and reads a comma', () =>
      as(MANAGER, async (portal) => {
        const { page, press, at } = portal;
        await at('#/desk', 'Service desk');
        await press('Edit office');
        const first = page.getByLabel('First response within', { exact: true });
        await page.getByLabel('Name').fill('offices');
        await first.fill('');
        const save = page.getByRole('button', { name: 'Save', exact: true });
        await expect.poll(() => save.isDisabled()).toBe(true);
        await first.fill('4,5');
        await expect.poll(() => save.isDisabled()).toBe(false);
        const { slaPolicies } = await saved(portal);
        expect(slaPolicies).toMatchObject([{ name: 'offices', firstResponseMinutes: 270 }]);
      }));

    it('is not saved while a field has no value yet', () =>
      as(MANAGER, async (portal) => {
        const { page, press, at } = portal;
        const field = (name: string) => page.getByLabel(name, { exact: true });
        const save = page.getByRole('button', { name: 'Save', exact: true });
        /** Text without a value, the error that it gets, and text with one. */
        const half = async (name: string, [text, error, whole]: readonly string[]) => {
          await field(name).fill(text!);
          await page.getByText(error!).waitFor();
          await expect.poll(() => save.isDisabled()).toBe(true);
          await field(name).fill(whole!);
          await expect.poll(() => save.isDisabled()).toBe(false);
        };
        await at('#/desk/hours', 'Service desk');
        await field('Time zone of reports').fill('Europe/Madrid');
        await half('Tuesday', ['9-1730', '“9-1730” is not a time range', '9-17:30']);
        await half('Name', ['', 'Must not be blank', 'opening hours']);
        await press('Add a calendar');
        await half('Name', ['opening hours', 'Another calendar has this name', 'Night']);
        await page.getByRole('tab', { name: 'People' }).click();
        await half('Months until personal data expires', ['24 months', 'Must be a number', '24']);
        await page.getByRole('tab', { name: 'Service levels' }).click();
        await press('Edit office');
        await half('Warn after, in percent of the time', ['90%', 'Must be a number', '90']);
        const { calendars, personalDataMonths, slaPolicies } = await saved(portal);
        expect(Object.keys(calendars)).toEqual(['opening hours', 'Night']);
        expect(calendars['opening hours'].weekly.tuesday).toEqual([['09:00', '17:30']]);
        expect(personalDataMonths).toBe(24);
        expect(slaPolicies).toMatchObject([{ calendar: 'opening hours', warningPercent: 90 }]);
      }));

    it('asks before the text of a field without a value is lost', async () => {
      const { page, press, at } = await open(MANAGER);
      const field = (name: string) => page.getByLabel(name, { exact: true });
      const asks = page.getByRole('heading', { name: 'Discard what you typed?' });
      const answer = async (name: string) => {
        await asks.waitFor();
        await press(name);
        await asks.waitFor({ state: 'detached' });
      };
      await at('#/desk/hours', 'Service desk');
      const saturday = field('Saturday');
      await saturday.fill('9-12:3');
      await page.getByRole('tab', { name: 'Routing' }).click();
      await asks.waitFor();
      expect(await seriousIn(page)).toEqual([]);
      await answer('Keep editing');
      expect(await saturday.inputValue()).toBe('9-12:3');
      const tab = (name: string) => page.getByRole('tab', { name, selected: true });
      await tab('Business hours').press('ArrowRight');
      await answer('Keep editing');
      await tab('Business hours').and(page.locator(':focus')).waitFor();
      await tab('Business hours').press('ArrowRight');
      await answer('Discard');
      await tab('Routing').and(page.locator(':focus')).waitFor();
      await tab('Routing').press('ArrowLeft');
      await tab('Business hours').and(page.locator(':focus')).waitFor();
      await saturday.fill('9-12:3');
      await press('Add a calendar');
      await answer('Discard');
      await expect.poll(() => field('Name').inputValue()).toBe('Office hours');
      await saturday.fill('9-12:3');
      await press('office hours');
      await answer('Discard');
      await expect.poll(() => field('Name').inputValue()).toBe('office hours');
      await press('Undo changes');

      await saturday.fill('9-12:3');
      await page.getByRole('link', { name: 'Buildings' }).click();
      await answer('Keep editing');
      await press('Undo changes');
      await expect.poll(() => saturday.inputValue()).toBe('');
      await page.getByRole('tab', { name: 'Service levels' }).click();
      await press('Edit office');
      await field('First response within').fill('');
      await press('Close office');
      await answer('Discard');
      await press('Edit office');
      await expect.poll(() => field('First response within').inputValue()).toBe('2');
      await page.context().close();
    });

    it('keeps half-typed text where a save has merged the change of a colleague', () =>
      as(MANAGER, async ({ page, press, at, complaints }) => {
        await at('#/desk', 'Service desk');
        await press('Edit office');
        await page.getByLabel('Name').fill('offices');
        const workflows = [{ requestType: 'order', transitions: {} }];
        await manager('PUT', CONFIGURATION, { ...configuration, workflows });
        const typed = Promise.withResolvers<void>();
        await page.route(`**${CONFIGURATION}`, async (route) => {
          await typed.promise;
          await route.continue();
        });
        await press('Save');
        const first = page.getByLabel('First response within', { exact: true });
        await first.fill('');
        typed.resolve();
        await page.getByText('The configuration is saved.').waitFor();
        expect(await stored()).toMatchObject({ slaPolicies: [{ name: 'offices' }], workflows });
        expect(await first.inputValue()).toBe('');
        // The browser says itself that an answer was a 412.
        complaints.length = 0;
        await first.fill('2');
      }));

    it('orders rules by keyboard and by drag, and keeps the open one open', () =>
      as(MANAGER, async (portal) => {
        const { page, press, at } = portal;
        await at('#/desk/rules', 'Service desk');
        const names = () => page.locator('.rules .item strong').allTextContents();
        const handle = (name: string) =>
          page.getByRole('button', { name: new RegExp(`^Move ${name}`) });
        await press('Edit Gas');
        await handle('Gas').press('ArrowDown');
        await expect.poll(names).toEqual(['Heating', 'Gas', 'Lifts']);
        expect(await page.evaluate('document.activeElement.ariaLabel')).toMatch(
          /^Move Gas, number 2/,
        );
        await page.keyboard.press('ArrowDown');
        await expect.poll(names).toEqual(['Heating', 'Lifts', 'Gas']);
        await page.getByRole('button', { name: 'Close Gas' }).waitFor();
        await press('Close Gas');
        const [from, to] = [
          await handle('Gas').boundingBox(),
          await handle('Heating').boundingBox(),
        ];
        await page.mouse.move(from!.x + 5, from!.y + 5);
        await page.mouse.down();
        await page.mouse.move(to!.x + 5, to!.y - 10, { steps: 5 });
        await page.mouse.up();
        await expect.poll(names).toEqual(['Gas', 'Heating', 'Lifts']);
        await handle('Lifts').press('ArrowUp');
        const { routingRules } = await saved(portal);
        expect(routingRules.map(({ name }: { name: string }) => name)).toEqual([
          'Gas',
          'Lifts',
          'Heating',
        ]);
      }));

    it('paints open hours by drag and by keyboard, to the minute where they are in words', () =>
      as(MANAGER, async (portal) => {
        const { page, at } = portal;
        await at('#/desk/hours', 'Service desk');
        await page.setViewportSize({ width: 1280, height: 1400 });
        const cell = (name: string) => page.getByRole('gridcell', { name, exact: true });
        const middle = async (name: string) => {
          const box = await cell(name).boundingBox();
          return [box!.x + box!.width / 2, box!.y + box!.height / 2] as const;
        };
        await page.mouse.move(...(await middle('Tuesday 08:00 to 08:30')));
        await page.mouse.down();
        await page.mouse.move(...(await middle('Wednesday 16:30 to 17:00')), { steps: 8 });
        await page.mouse.up();
        await expect
          .poll(() => page.getByLabel('Wednesday', { exact: true }).inputValue())
          .toBe('08:00–17:00');
        // From where the mouse began: the cell there closes, and the one below it opens again.
        await cell('Tuesday 08:00 to 08:30').focus();
        await page.keyboard.press('Space');
        await page.keyboard.press('Shift+ArrowDown');
        await expect
          .poll(() => page.getByLabel('Tuesday', { exact: true }).inputValue())
          .toBe('09:00–17:00');
        await page.getByLabel('Friday', { exact: true }).fill('8:15-12:45');
        await page.getByLabel('Name').fill('Opening hours');
        await page.getByLabel('Time zone of reports').fill('Europe/Berlin');
        const { calendars, slaPolicies, timeZone } = await saved(portal);
        expect(timeZone).toBe('Europe/Berlin');
        expect(calendars['Opening hours'].weekly).toEqual({
          monday: [['09:10', '12:00']],
          tuesday: [['09:00', '17:00']],
          wednesday: [['08:00', '17:00']],
          friday: [['08:15', '12:45']],
        });
        expect(slaPolicies[0].calendar).toBe('Opening hours');
      }));

    it('imports holidays from a calendar file, as text and after a question', () =>
      as(MANAGER, async (portal) => {
        const { page, press, at } = portal;
        await at('#/desk/hours', 'Service desk');
        const file = (text: string) => ({
          name: 'days.ics',
          mimeType: 'text/calendar',
          buffer: Buffer.from(text),
        });
        const input = page.getByLabel('From a calendar file (.ics)');
        await input.setInputFiles(file('<script>document.title = 1</script>'));
        await page.getByText('This is not a calendar file').waitFor();
        const events = ['20261225', '20261226', '20270101'].map(
          (day) => `BEGIN:VEVENT\r\nDTSTART;VALUE=DATE:${day}\r\nSUMMARY:<img src=x>\r\nEND:VEVENT`,
        );
        await input.setInputFiles(
          file(['BEGIN:VCALENDAR', ...events, 'END:VCALENDAR'].join('\r\n')),
        );
        await page.getByText('3 days, 1 of them known.').waitFor();
        await page.getByText('<img src=x>').first().waitFor();
        expect(await page.locator('dialog img').count()).toBe(0);
        expect(await seriousIn(page)).toEqual([]);
        await page.getByLabel('Fri, 1 Jan 2027').uncheck();
        await press('Add 1 day');
        const { calendars } = await saved(portal);
        expect(calendars['office hours'].holidays).toEqual(['2026-12-25', '2026-12-26']);
      }));

    it('closes and opens ways of a workflow by a click, by a key, and in the table', () =>
      as(MANAGER, async (portal) => {
        const { page, at } = portal;
        await at('#/desk/workflows', 'Service desk');
        const way = (name: string) => page.getByRole('checkbox', { name, exact: true });
        await expect
          .poll(() => way('Triaged to Waiting').getAttribute('aria-checked'))
          .toBe('false');
        await way('New to Cancelled').locator('circle').click();
        await expect.poll(() => way('New to Cancelled').getAttribute('aria-checked')).toBe('false');
        await way('Triaged to Waiting').press('Space');
        await page.getByText('The same as a table').click();
        await way('Resolved to Closed, in the table').uncheck();
        await way('Resolved to Reopened, in the table').uncheck();
        await page.getByText('No ticket can leave Resolved.').waitFor();
        const { workflows } = await saved(portal);
        expect(workflows).toEqual([
          {
            requestType: 'enquiry',
            transitions: {
              new: ['triaged'],
              triaged: ['waiting', 'resolved', 'cancelled'],
              resolved: [],
            },
          },
        ]);
      }));

    it('has a directory of people and teams, whose names appear in the rules', () =>
      as(MANAGER, async (portal) => {
        const { page, press, at } = portal;
        await at('#/desk/people', 'Service desk');
        await press('Add a person');
        await page.getByLabel('Name').fill('Ada Lovelace');
        await page.getByLabel('User id').fill('u-ada');
        await press('Add a team');
        await page.getByLabel('Name').last().fill('Gas emergency');
        await page.getByLabel('Team id').fill('team-gas');
        await page.getByRole('checkbox', { name: 'Ada Lovelace' }).check();
        await page.getByRole('tab', { name: 'Routing' }).click();
        await page.getByText('assign to team Gas emergency').waitFor();
        const { directory } = await saved(portal);
        expect(directory).toEqual({
          users: [{ userId: 'u-ada', name: 'Ada Lovelace' }],
          teams: [{ teamId: 'team-gas', name: 'Gas emergency', members: ['u-ada'] }],
        });
      }));

    it('shows the reason at each refused field, and links to it from any part', () =>
      as(MANAGER, async ({ page, press, at, complaints }) => {
        await at('#/desk/rules', 'Service desk');
        await press('Edit Heating');
        await page.getByLabel('Note on the timeline').fill('   ');
        await page.getByLabel('Of category').fill('hvac');
        await page.getByRole('tab', { name: 'Service levels' }).click();
        await press('Edit office');
        await page.getByLabel('Resolution within', { exact: true }).fill('0');
        await press('Save');
        await page.getByText('The configuration was not saved').waitFor();
        const refused = page.locator('.trouble');
        expect(await refused.innerText()).not.toMatch(/routingRules|slaPolicies|\[\d\]/);
        const resolution = page.getByLabel('Resolution within', { exact: true });
        await expect.poll(() => resolution.getAttribute('aria-invalid')).toBe('true');
        await page.getByRole('button', { name: '“Heating”, note' }).click();
        const note = page.getByLabel('Note on the timeline');
        await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('TEXTAREA');
        expect(await seriousIn(page)).toEqual([]);
        await note.fill('Mended');
        await page.getByRole('button', { name: '“Heating”, note' }).waitFor({ state: 'detached' });
        // The browser says itself that an answer was a 400.
        complaints.length = 0;
      }));

    it('names the refused entries that have no name yet, and no longer says that it is saved', () =>
      as(MANAGER, async ({ page, press, at, complaints }) => {
        await at('#/desk/people', 'Service desk');
        const months = page.getByLabel('Months until personal data expires');
        await months.fill('24');
        await press('Save');
        const isSaved = page.getByText('The configuration is saved.');
        await isSaved.waitFor();
        await months.fill('');
        await press('Add a person');
        await press('Add a team');
        await press('Save');
        await page.getByText('The configuration was not saved').waitFor();
        expect(await isSaved.count()).toBe(0);
        const links = page.locator('.trouble').getByRole('button');
        expect((await links.allInnerTexts()).toSorted()).toEqual([
          'Person 1: name',
          'Person 1: user id',
          'Team 1: name',
          'Team 1: team id',
        ]);
        const tops = page
          .locator('.person-fields')
          .first()
          .locator('input')
          .evaluateAll((inputs) => inputs.map((input) => input.getBoundingClientRect().top));
        expect(new Set(await tops).size).toBe(1);
        await press('Undo changes');
        await months.fill('');
        await press('Save');
        await isSaved.waitFor();
        complaints.length = 0;
      }));

    it('previews the effect on the latest tickets, and leads to a refused field', () =>
      as(MANAGER, async ({ page, press, at, complaints }) => {
        const { items } = await manager('GET', '/api/v1/buildings');
        const ticket = await manager('POST', '/api/service-desk/requests', {
          buildingId: items[0].id,
          description: 'The lifts are stuck',
        });
        await at('#/desk/rules', 'Service desk');
        await press('Edit Lifts');
        await page.getByLabel('Assign to team').fill('night-watch');
        await page.getByRole('tab', { name: 'Try it' }).click();
        await press('Try it');
        const row = page.getByRole('row').filter({ hasText: ticket.number });
        await row.getByText('team-lifts').waitFor();
        await row.getByText('night-watch').waitFor();
        await page.getByText(/^1 of \d+ tickets would/).waitFor();
        expect(await seriousIn(page)).toEqual([]);
        expect((await stored()).routingRules[2].assignTeamId).toBe('team-lifts');
        await page.getByRole('tab', { name: 'Routing' }).click();
        await press('Edit Lifts');
        await page.getByLabel('Name').fill(' ');
        await page.getByRole('tab', { name: 'Try it' }).click();
        await press('Try it');
        await page.getByText('The configuration was not tried').waitFor();
        await page.getByRole('button', { name: /name$/ }).click();
        await expect.poll(() => page.getByLabel('Name').getAttribute('aria-invalid')).toBe('true');
        // The browser says itself that an answer was a 400.
        complaints.length = 0;
      }));

    it('sets by keyboard who may report, and admits requesters accordingly', () =>
      as(MANAGER, async (portal) => {
        const { page, press, at, complaints } = portal;
        const access = async () =>
          (await server().call('requester@acme.test', 'GET', '/api/service-desk/requests')).status;
        await at('#/desk/people', 'Service desk');
        const chosen = (name: RegExp) => page.getByRole('radio', { name });
        expect(await chosen(/^Staff only/).isChecked()).toBe(true);
        expect(await access()).toBe(403);
        await page.getByRole('button', { name: 'Add a team' }).focus();
        await page.keyboard.press('Tab');
        await page.keyboard.press('ArrowDown');
        expect(await saved(portal)).toMatchObject({ requesterAccess: 'signed-in' });
        await expect.poll(access).toBe(200);
        expect(await seriousIn(page)).toEqual([]);
        await page.getByRole('tab', { name: 'JSON' }).click();
        const json = page.getByLabel('The configuration as JSON');
        const document = JSON.parse(await json.inputValue());
        await json.fill(JSON.stringify({ ...document, requesterAccess: 'everybody' }));
        await press('Save');
        await page.getByText('The configuration was not saved').waitFor();
        await page.getByRole('button', { name: 'Who may report a problem' }).click();
        await chosen(/^Anyone with a label/).check();
        // The browser says itself that an answer was a 400.
        complaints.length = 0;
        await press('Save');
        await expect.poll(stored).toMatchObject({ requesterAccess: 'anyone' });
        await chosen(/^Staff only/).check();
        await press('Save');
        await expect.poll(stored).not.toHaveProperty('requesterAccess');
        await expect.poll(access).toBe(403);
      }));

    it('sets the expiry of personal data in months, or none with a blank', () =>
      as(MANAGER, async (portal) => {
        const { page, press, at, complaints } = portal;
        await at('#/desk/people', 'Service desk');
        await page.getByRole('radio', { name: /^Staff only/ }).focus();
        await page.keyboard.press('Tab');
        await page.keyboard.type('121');
        await press('Save');
        await page.getByText('The configuration was not saved').waitFor();
        await page.getByText('Must be at most 120').last().waitFor();
        const months = page.getByLabel('Months until personal data expires');
        await page.getByRole('tab', { name: 'Routing' }).click();
        await page.getByRole('button', { name: 'Months until personal data expires' }).click();
        await expect.poll(() => months.getAttribute('aria-invalid')).toBe('true');
        await expect.poll(() => page.evaluate('document.activeElement.value')).toBe('121');
        expect(await seriousIn(page)).toEqual([]);
        // The browser says itself that an answer was a 400.
        complaints.length = 0;
        await months.fill('24');
        expect(await saved(portal)).toMatchObject({ personalDataMonths: 24 });
        await months.fill('');
        await press('Save');
        await expect.poll(stored).not.toHaveProperty('personalDataMonths');
      }));

    it('shows in its fields what the document has after it was undone or replaced', async () => {
      const { page, press, at } = await open(MANAGER);
      await at('#/desk', 'Service desk');
      await press('Edit office');
      const first = page.getByLabel('First response within', { exact: true });
      await first.fill('3');
      await first.fill('');
      await press('Undo changes');
      await expect.poll(() => first.inputValue()).toBe('2');

      await first.fill('4');
      const slaPolicies = [{ name: 'office', firstResponseMinutes: 30, resolutionMinutes: 480 }];
      await manager('PUT', CONFIGURATION, { ...configuration, slaPolicies, calendars: {} });
      await press('Save');
      const choices = page.getByRole('group', { name: 'Service levels' });
      await choices.getByLabel('Theirs').check();
      await expect.poll(() => first.inputValue()).toBe('30');
      const unit = page.getByLabel('First response within: unit');
      await expect.poll(() => unit.inputValue()).toBe('minutes');

      await page.getByRole('tab', { name: 'Business hours' }).click();
      await press('Add a calendar');
      await press('Add a calendar');
      await press('Office hours');
      await press('Remove Office hours');
      const name = page.getByLabel('Name', { exact: true });
      await expect.poll(() => name.inputValue()).toBe('Office hours 2');
      await page.context().close();
    });

    it('is one document with its JSON, which keeps input typed while saving', () =>
      as(MANAGER, async ({ page, press, at }) => {
        await at('#/desk', 'Service desk');
        await press('Edit office');
        await page.getByLabel('Name').fill('<b>office</b>');
        await page.getByRole('tab', { name: 'Service levels' }).press('End');
        const json = page.getByLabel('The configuration as JSON');
        expect(JSON.parse(await json.inputValue()).slaPolicies[0].name).toBe('<b>office</b>');
        const typed = Promise.withResolvers<void>();
        await page.route(`**${CONFIGURATION}`, async (route) => {
          if (route.request().method() === 'PUT') await typed.promise;
          await route.continue();
        });
        await press('Save');
        await json.fill('{');
        typed.resolve();
        await page.getByText('The configuration is saved.').waitFor();
        await expect.poll(() => json.inputValue()).toBe('{');
        await page.getByRole('tab', { name: 'Routing' }).click();
        await page.getByRole('alert').getByText('This is not JSON: ').waitFor();
        await press('Fix it in the JSON');
        await expect.poll(() => json.inputValue()).toBe('{');
        await press('Undo changes');
        await expect.poll(() => json.inputValue()).toContain('<b>office</b>');
      }));
  });
});
