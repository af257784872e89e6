/** Dialogs for notes and people within the list of tickets. */
import { describe, expect, it } from 'vitest';
import { PEOPLE_FOUND_MAX } from '../../src/domain/people/limits.ts';
import { hasChromium } from '../support/browser/chromium.ts';
import { portalServer } from '../support/browser/portal-server.ts';

const CONFIGURATION = '/api/service-desk/configuration';

describe.skipIf(!hasChromium)('in the list', () => {
  const { open, raise, ticket, server } = portalServer();

  const atRow = async (subject: string) => {
    const raised = await raise({ subject });
    const portal = await open('agent@acme.test');
    await portal.at(`#/tickets?search=${raised.number}`, 'Tickets');
    const row = portal.page.getByRole('row', { name: subject });
    await row.focus();
    return { ...portal, raised, row };
  };

  it('a note that is begun survives a reload, and is that of the ticket page', async () => {
    const { page, raised, row, press, at } = await atRow('Lamp flickers');
    const note = page.getByRole('dialog').getByLabel('Note', { exact: true });
    await page.keyboard.press('n');
    await note.fill('The starter is worn.');
    await page.reload();
    await row.focus();
    await page.keyboard.press('n');
    await expect.poll(() => note.inputValue()).toBe('The starter is worn.');
    await page.reload();
    await at(`#/tickets/${raised.id}`, 'Lamp flickers');
    const onPage = page.getByLabel('Note', { exact: true });
    await expect.poll(() => onPage.inputValue()).toBe('The starter is worn.');
    await press('Add note');
    await expect.poll(() => onPage.inputValue()).toBe('');
    expect((await ticket(raised.id)).revision).toBe(raised.revision + 1);
    await at(`#/tickets?search=${raised.number}`, 'Tickets');
    await row.focus();
    await page.keyboard.press('n');
    await expect.poll(() => note.inputValue()).toBe('');
  });

  it('people beyond those of one answer are found as they are typed', async () => {
    const users = Array.from({ length: PEOPLE_FOUND_MAX + 50 }, (_, at) => ({
      userId: `person-${at}`,
      name: `Person ${String(at).padStart(4, '0')}`,
    }));
    const last = users.at(-1)!;
    const { body } = await server().call('manager@acme.test', 'GET', CONFIGURATION);
    const put = await server().call('manager@acme.test', 'PUT', CONFIGURATION, {
      body: { ...body, directory: { users, teams: [] } },
    });
    expect(put.status).toBe(200);
    const { page, raised } = await atRow('Door sticks');
    await page.keyboard.press('a');
    const options = page.getByRole('option');
    await expect.poll(() => options.count()).toBeGreaterThan(1);
    expect(await options.filter({ hasText: last.name }).count()).toBe(0);
    await page.keyboard.type(last.name);
    await options.filter({ hasText: last.name }).click();
    await expect.poll(async () => (await ticket(raised.id))['assignedUserId']).toBe(last.userId);
  });
});
