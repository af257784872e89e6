/** An action on several tickets that failed: offered wherever the person goes, and only once. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasChromium } from '../support/browser/chromium.ts';
import { portalServer } from '../support/browser/portal-server.ts';
import { seriousIn } from '../support/browser/portal.ts';

const BULK = '**/api/service-desk/requests/bulk';

describe.skipIf(!hasChromium)('an action on several tickets that failed', () => {
  const { open, raise, ticket } = portalServer();

  const recordsIn = (page: Page) =>
    page.evaluate(() =>
      Object.keys(localStorage).filter((key) => key.startsWith('atrium.unanswered:')),
    );
  const noticeIn = (page: Page) => page.locator('.action-notice.failed');
  const progressIn = (page: Page) => page.getByRole('region', { name: 'Progress' });

  /** At two tickets, without a connection for such actions. */
  const atSelected = async (search: string) => {
    const made = [await raise({ subject: search }), await raise({ subject: search })];
    const portal = await open('agent@acme.test');
    const { page, at } = portal;
    page.on('dialog', (dialog) => void dialog.accept());
    await page.route(BULK, (route) => route.abort());
    const list = async () => {
      await at(`#/tickets?search=${search}`, 'Tickets');
      await expect.poll(() => page.locator('tr[data-ticket]').count()).toBe(2);
    };
    const select = async () => {
      for (const { number } of made) await page.getByLabel(`Select ${number}`).click();
    };
    const set = async (priority: string) => {
      await select();
      await page.keyboard.press('p');
      await page.getByRole('option', { name: priority }).click();
    };
    const priorities = async () => {
      const tickets = await Promise.all(made.map(({ id }) => ticket(id)));
      return tickets.map(({ priority }) => priority);
    };
    await list();
    return { ...portal, list, select, set, priorities };
  };

  it('is offered on the next page of the portal, and shows its progress', async () => {
    const { page, set, press, priorities } = await atSelected('Failing');
    await set('high');
    await progressIn(page).getByRole('alert').waitFor();
    await page.getByRole('link', { name: 'Buildings' }).click();
    const notice = noticeIn(page);
    await notice.getByText('“Priority high” for 2 tickets was not finished: The server').waitFor();
    await notice.getByText('Begun ').waitFor();
    await page.unroute(BULK);
    await page.route(BULK, () => {}, { times: 1 });
    await press('Go on');
    await page.getByText('Going on with “Priority high”: 0 of 2 tickets').waitFor();
    expect(await seriousIn(page)).toEqual([]);
    await press('Stop');
    await notice.getByText('it was stopped.').waitFor();
    expect(await priorities()).toEqual(['medium', 'medium']);
    await press('Go on');
    await page.getByText('Priority high: 2 of 2 tickets').waitFor();
    expect(await priorities()).toEqual(['high', 'high']);
    expect(await recordsIn(page)).toEqual([]);
  });

  it('is offered no more once another one has taken its place', async () => {
    const { page, set } = await atSelected('Replacing');
    await set('high');
    await progressIn(page).getByRole('alert').waitFor();
    expect(await recordsIn(page)).toHaveLength(1);
    await page.unroute(BULK);
    await set('low');
    await progressIn(page).getByText('Priority low: 2 of 2').waitFor();
    await expect.poll(() => recordsIn(page)).toEqual([]);
  });

  it('leaves no draft of its note when it was sent', async () => {
    const { page, list, select, press } = await atSelected('Noting');
    await select();
    await page.keyboard.press('n');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Note').fill('For both of them.');
    await press('Add note');
    await dialog.getByRole('alert').waitFor();
    await page.reload();
    await page.unroute(BULK);
    await noticeIn(page).getByRole('button', { name: 'Go on' }).click();
    await page.getByText('Note: 2 of 2 tickets').waitFor();
    await list();
    await select();
    await page.keyboard.press('n');
    expect(await dialog.getByLabel('Note').inputValue()).toBe('');
  });
});
