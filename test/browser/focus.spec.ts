/** The focus stays on the page when a press removes what was pressed. */
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { emptyConfiguration } from '../../src/domain/service-desk/configuration.ts';
import { hasChromium } from '../support/browser/chromium.ts';
import { portalServer } from '../support/browser/portal-server.ts';
import { heldUndoTime } from '../support/browser/undo-time.ts';

const AGENT = 'agent@acme.test';
const MANAGER = 'manager@acme.test';
const REQUESTER = 'requester@acme.test';
const REQUESTS = '/api/service-desk/requests';

/** In the page: the element with the focus, as a person would name it. */
const FOCUSED = `(({ activeElement: { tagName, ariaLabel, caption, textContent, dataset } }) =>
  tagName + ' ' + (ariaLabel ?? dataset.ticket ?? (caption ?? { textContent }).textContent).trim()
)(document)`;

const focused = (page: Page) => page.evaluate<string>(FOCUSED);

describe.skipIf(!hasChromium)('the focus', () => {
  const { as, call, raise, colleague, server } = portalServer();

  const button = (within: Page | Locator, name: string | RegExp) =>
    within.getByRole('button', { name, exact: true });
  const notice = (page: Page, words: string) => page.locator('.action-notice', { hasText: words });

  it('goes to the actions of a ticket from one that it no longer has', () =>
    as(AGENT, async ({ page, at }) => {
      const { id } = await raise();
      const endUndoTime = await heldUndoTime(page);
      await at(`#/tickets/${id}`, 'Tap drips');
      await button(page, 'Triage').press('Enter');
      await button(page, 'Start work').waitFor();
      expect(await focused(page)).toBe('DIV Actions');
      await button(page, 'Assign to me').press('Enter');
      await button(page, 'Assign to me').waitFor({ state: 'detached' });
      expect(await focused(page)).toBe('DIV Actions');
      await button(notice(page, 'assigned to you'), 'Undo').press('Enter');
      await notice(page, 'Undone').waitFor();
      expect(await focused(page)).toMatch(/^MAIN/);
      // A notice stays only while it has the focus.
      await expect
        .poll(async () => {
          await endUndoTime();
          return page.locator('.action-notice').count();
        })
        .toBe(0);
      await button(page, 'Start work').press('Enter');
      await button(notice(page, 'In progress'), 'Dismiss').press('Enter');
      await notice(page, 'In progress').waitFor({ state: 'detached' });
      expect(await focused(page)).toMatch(/^MAIN/);
    }));

  it('stays on a button that is busy, which shows it and ignores further presses', () =>
    as(AGENT, async ({ page, at }) => {
      await raise({ category: 'exported' });
      await at('#/tickets?category=exported', 'Tickets');
      await button(page, 'Filters').press('Enter');
      const answered = Promise.withResolvers<void>();
      const asked: string[] = [];
      await page.route('**/requests/export?*', async (route) => {
        asked.push(route.request().url());
        await answered.promise;
        await route.continue();
      });
      const csv = button(page, 'Export as CSV');
      await csv.press('Enter');
      await csv.locator('.spinner').waitFor();
      expect(await csv.getAttribute('aria-busy')).toBe('true');
      expect(await csv.isDisabled()).toBe(true);
      await page.keyboard.press('Enter');
      const file = page.waitForEvent('download');
      answered.resolve();
      await file;
      await expect.poll(() => csv.isDisabled()).toBe(false);
      expect(asked).toHaveLength(1);
      expect(await focused(page)).toBe('BUTTON Export as CSV');
    }));

  it('stays near the filters, the selection and the outcome of several tickets', () =>
    as(AGENT, async ({ page, at }) => {
      for (const priority of ['low', 'high']) await raise({ category: 'focused', priority });
      await at('#/tickets?category=focused&state=new', 'Tickets');
      await button(page, /^Remove the filter State/).press('Enter');
      await button(page, /^Remove the filter State/).waitFor({ state: 'detached' });
      expect(await focused(page)).toBe('UL Filters that are set');
      const clear = button(page, 'Clear all filters');
      await clear.press('Enter');
      await clear.waitFor({ state: 'detached' });
      expect(await page.evaluate('document.activeElement.role')).toBe('search');

      await at('#/tickets?category=focused', 'Tickets');
      await page.getByLabel('Select all on this page').press('Space');
      const list = 'DIV List of tickets';
      await button(page, 'Clear selection').press('Enter');
      await button(page, 'Clear selection').waitFor({ state: 'detached' });
      expect(await focused(page)).toBe(list);
      await page.getByLabel('Select all on this page').press('Space');
      await button(page.getByRole('region', { name: 'Selected tickets' }), 'Priority').press(
        'Enter',
      );
      await page.getByRole('option', { name: 'critical' }).waitFor();
      await page.keyboard.type('critical');
      await page.keyboard.press('Enter');
      const progress = page.getByRole('region', { name: 'Progress' });
      await progress.getByText('2 of 2').waitFor();
      expect(await focused(page)).toBe(list);
      await button(progress, 'Undo').press('Enter');
      await progress.getByText('Undone').waitFor();
      await expect.poll(() => focused(page)).toBe('SECTION Progress');
      await button(progress, 'Close').press('Enter');
      await progress.waitFor({ state: 'detached' });
      expect(await focused(page)).toBe(list);
    }));

  it('stays on the page after a view is saved, changed and deleted', () =>
    as(AGENT, async ({ page, at }) => {
      await raise({ category: 'viewed' });
      await at('#/tickets?category=viewed', 'Tickets');
      await button(page, 'Save view').press('Enter');
      await page.getByLabel('Name').fill('Viewed');
      await page.keyboard.press('Enter');
      await page.getByRole('link', { name: 'Viewed 1' }).waitFor();
      await button(page, 'Save view').waitFor({ state: 'detached' });
      expect(await focused(page)).not.toMatch(/^BODY/);
      await page.getByLabel('Order').selectOption('createdAt');
      await button(page, 'Update view').press('Enter');
      await button(page, 'Update view').waitFor({ state: 'detached' });
      expect(await focused(page)).not.toMatch(/^BODY/);
      await button(page, 'Delete view').press('Enter');
      await button(page, 'Delete the view').press('Enter');
      await page.getByRole('link', { name: 'Viewed' }).waitFor({ state: 'detached' });
      await button(page, 'Delete view').waitFor({ state: 'detached' });
      expect(await focused(page)).not.toMatch(/^BODY/);
    }));

  it('stays in the header of the service desk, and in the row of a revoked key', () =>
    as(MANAGER, async ({ page, at }) => {
      await at('#/desk/hours', 'Service desk');
      const zone = page.getByLabel('Time zone of reports');
      await zone.fill('Europe/Berlin');
      const save = button(page, 'Save');
      await save.press('Enter');
      await page.getByText('The configuration is saved.').waitFor();
      expect(await focused(page)).toBe('BUTTON Save');
      await zone.fill('Europe/Paris');
      await button(page, 'Undo changes').press('Enter');
      await expect.poll(() => zone.inputValue()).toBe('Europe/Berlin');
      expect(await focused(page)).toBe('H1 Service desk');

      await call(MANAGER, 'POST', '/api/v1/keys', { label: 'Focused', scope: 'full' });
      await at('#/keys', 'API keys');
      await button(page, 'Revoke Focused').press('Enter');
      await button(page.getByRole('dialog'), 'Revoke').press('Enter');
      await button(page, 'Revoke Focused').waitFor({ state: 'detached' });
      expect(await focused(page)).toMatch(/^TR Focused/);
    }));

  it('goes to the status of a report from the decision of its reporter', async () => {
    await call(MANAGER, 'PUT', '/api/service-desk/configuration', {
      ...emptyConfiguration,
      requesterAccess: 'anyone',
    });
    const { items } = await call(AGENT, 'GET', '/api/v1/buildings');
    const body = { buildingId: items[0].id, description: 'The tap drips.' };
    const { id } = await call(REQUESTER, 'POST', REQUESTS, body);
    for (const state of ['triaged', 'in_progress', 'resolved'])
      await colleague('POST', id, { state }, '/transition');
    await as(REQUESTER, async ({ page, at }) => {
      await at(`#/mine/${id}`, 'The tap drips.');
      await button(page, 'Yes, fixed').press('Enter');
      await button(page, 'Yes, fixed').waitFor({ state: 'detached' });
      expect(await focused(page)).toMatch(/^H2/);
    });
    await as(null, async ({ page }) => {
      const { items: rooms } = await call(
        AGENT,
        'GET',
        `/api/v1/buildings/${items[0].id}/spaces?limit=1`,
      );
      await page.goto(`${server().url}/report?building=${items[0].id}&space=${rooms[0].id}`);
      await page.getByLabel('What is wrong?').fill('The radiator drips.');
      const answered = Promise.withResolvers<void>();
      await page.route('**/api/service-desk/report', async (route) => {
        await answered.promise;
        await route.continue();
      });
      await button(page, 'Send').press('Enter');
      await page.getByRole('heading', { name: 'Sending…' }).waitFor();
      expect(await focused(page)).toBe('H1 Sending…');
      answered.resolve();
      await page.getByRole('heading', { name: /^Thank you/ }).waitFor();
      await expect.poll(() => focused(page)).toMatch(/^H1 Thank you/);
    });
  });
});
