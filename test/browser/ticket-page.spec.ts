/** A ticket on one screen, and the way to it and back. */
import { describe, expect, it } from 'vitest';
import { hasChromium } from '../support/browser/chromium.ts';
import { portalServer } from '../support/browser/portal-server.ts';
import { seriousIn } from '../support/browser/portal.ts';
import { until } from '../support/until.ts';

const AGENT = 'agent@acme.test';
const PHONE = { width: 390, height: 844 };

describe.skipIf(!hasChromium)('the page of a ticket', () => {
  const { open, raise, ticket, colleague, server } = portalServer();

  it('is opened by the number too, and names itself in the title', async () => {
    const raised = await raise();
    const at = await open(AGENT);
    await at.at(`#/tickets/${raised.number}`, 'Tap drips');
    expect(await at.page.title()).toBe(`${raised.number} Tap drips · Atrium`);
    await at.page.goto(`${server().url}/#/tickets/SR-999999`);
    await at.page.getByText('There is no ticket SR-999999').waitFor();
    await at.at('#/buildings', 'Buildings');
    expect(await at.page.title()).toBe('Buildings · Atrium');
    expect(at.complaints).toEqual([]);
  });

  it('shows the timeline in sentences, beginning with the reporter', async () => {
    const raised = await raise({ priority: 'low' });
    await colleague('PATCH', raised.id, { priority: 'high', description: 'In the bathroom.' });
    await colleague('POST', raised.id, { state: 'triaged' }, '/transition');
    await colleague('POST', raised.id, { assignedTeamId: 'plumbers' }, '/assign');
    const at = await open(AGENT);
    await at.at(`#/tickets/${raised.id}`, 'Tap drips');
    const sentences = at.page.locator('.timeline li strong');
    await expect
      .poll(() => sentences.allTextContents())
      .toEqual([
        'Acme Manager assigned it to team plumbers',
        'Acme Manager moved it from New to Triaged',
        'Acme Manager edited the description and changed the priority from low to high',
        'Acme Agent raised it by portal',
      ]);
  });

  it('shows a change of a colleague by itself', async () => {
    const raised = await raise();
    const at = await open(AGENT);
    await at.at(`#/tickets/${raised.id}`, 'Tap drips');
    await at.page.locator('.timeline').waitFor();
    await colleague('POST', raised.id, { body: 'On my way.', visibility: 'public' }, '/updates');
    await at.page.locator('.timeline').getByText('On my way.').waitFor();
    expect(at.complaints).toEqual([]);
  });

  it('shows events from before the change feed began', async () => {
    const raised = await raise();
    const at = await open(AGENT);
    const { promise: isWritten, resolve: begin } = Promise.withResolvers<void>();
    await at.page.route(/\/changes\?after=end/, async (route) => {
      await isWritten;
      await route.continue();
    });
    await at.page.goto(`${server().url}/#/tickets/${raised.id}`);
    await at.page.reload();
    await at.page.locator('.timeline').waitFor();
    await colleague('POST', raised.id, { body: 'On my way.', visibility: 'public' }, '/updates');
    begin();
    await at.page.locator('.timeline').getByText('On my way.').waitFor();
    expect(at.complaints).toEqual([]);
  });

  it('shows who else is viewing or editing it', async () => {
    const raised = await raise();
    const [mine, theirs] = [await open(AGENT), await open('manager@acme.test')];
    await theirs.at(`#/tickets/${raised.id}`, 'Tap drips');
    await mine.at(`#/tickets/${raised.id}`, 'Tap drips');
    await mine.page.getByText('Acme Manager is viewing').waitFor();
    await theirs.page.getByLabel('Note', { exact: true }).fill('I am');
    await mine.page.getByText('Acme Manager is editing').waitFor();
    await theirs.page.getByLabel('Note', { exact: true }).fill('');
    await theirs.at('#/buildings', 'Buildings');
    await mine.page.getByText(/Acme Manager is/).waitFor({ state: 'detached' });
    expect([...mine.complaints, ...theirs.complaints]).toEqual([]);
  });

  it('shows paused clocks while it waits, where the policy pauses', async () => {
    const path = '/api/service-desk/configuration';
    const pausing = {
      name: 'Pausing',
      match: { category: 'pausing' },
      firstResponseMinutes: 60,
      resolutionMinutes: 480,
      pauseWhileWaiting: true,
    };
    const body = { slaPolicies: [pausing], calendars: {}, routingRules: [], workflows: [] };
    await server().call('manager@acme.test', 'PUT', path, { body });
    const at = await open(AGENT);
    for (const category of ['pausing', 'other']) {
      const raised = await raise({ category });
      await colleague('POST', raised.id, { state: 'triaged' }, '/transition');
      await colleague('POST', raised.id, { state: 'waiting' }, '/transition');
      const answered = at.page.waitForResponse((answer) => answer.url().endsWith(path));
      await at.at(`#/tickets/${raised.id}`, 'Tap drips');
      await answered;
      const paused = at.page.locator('.sla.paused', { hasText: 'Resolution' });
      await expect.poll(() => paused.count()).toBe(category === 'pausing' ? 1 : 0);
    }
    await at.at('#/tickets?category=pausing', 'Tickets');
    await at.page.locator('.cell-dueAt').getByText('paused, ').waitFor();
  });

  it('leads to others of the same room, and to the next and previous of the list', async () => {
    const agent = (path: string) => server().call(AGENT, 'GET', path);
    const buildings = await agent('/api/v1/buildings');
    const spaces = await agent(`/api/v1/buildings/${buildings.body.items[0].id}/spaces?limit=1`);
    const here = { spaceId: spaces.body.items[0].id, category: 'neighbours' };
    const first = await raise({ ...here, subject: 'One' });
    await raise({ subject: 'Not of the list' });
    const second = await raise({ ...here, subject: 'Two' });
    await raise({ subject: 'Not of the list' });
    const third = await raise({ category: 'neighbours', subject: 'Three' });
    const at = await open(AGENT);
    await at.at('#/tickets?category=neighbours', 'Tickets');
    await at.page.getByRole('link', { name: 'Two' }).click();
    await at.page.getByRole('link', { name: `Next: ${first.number}` }).waitFor();
    await at.page.locator('.related').getByRole('link', { name: 'One' }).waitFor();
    expect(await at.page.locator('.related').getByText('Two').count()).toBe(0);
    await at.page.getByRole('link', { name: `Previous: ${third.number}` }).click();
    await at.page.getByRole('heading', { name: 'Three' }).waitFor();
    await at.page.getByRole('link', { name: `Next: ${second.number}` }).waitFor();
    expect(await at.page.getByRole('link', { name: /^Previous/ }).count()).toBe(0);
    // The list that it was opened from, with its filters.
    await at.page.getByRole('link', { name: '← Tickets' }).click();
    await expect.poll(() => at.page.url()).toContain('category=neighbours');
  });

  it('leads back to the list with its filters, page and scroll position', async () => {
    for (let count = 1; count <= 55; count += 1)
      await raise({ category: 'many', subject: `Many ${count}` });
    const at = await open(AGENT, { viewport: { width: 1280, height: 500 } });
    await at.at('#/tickets?category=many&page=2', 'Tickets');
    const link = at.page.getByRole('link', { name: 'Many 10', exact: true });
    await link.scrollIntoViewIfNeeded();
    const y = await at.page.evaluate<number>('scrollY');
    expect(y).toBeGreaterThan(300);
    await link.click();
    await at.page.getByRole('heading', { name: 'Many 10' }).waitFor();
    await expect.poll(() => at.page.evaluate<number>('scrollY')).toBe(0);
    await at.page.goBack();
    await link.waitFor();
    await expect.poll(() => at.page.evaluate<number>('scrollY')).toBe(y);
    expect(at.page.url()).toContain('category=many&page=2');
    const active = at.page.locator('tr.active');
    await expect.poll(() => active.textContent()).toContain('Many 10');
    await at.page.keyboard.press('j');
    const focused = () => at.page.evaluate('document.activeElement.textContent');
    expect(await focused()).toContain('Many 10');
    await at.press('Next');
    await at.page.getByRole('link', { name: 'Many 5', exact: true }).waitFor();
    expect(await at.page.evaluate('scrollY')).toBe(0);
  });

  it('is used by keyboard alone: from the list to an edited ticket', async () => {
    const raised = await raise({ subject: 'By keyboard', category: 'keys' });
    const at = await open(AGENT);
    const { keyboard } = at.page;
    await at.at('#/tickets?category=keys', 'Tickets');
    await at.page.getByRole('link', { name: 'By keyboard' }).focus();
    await keyboard.press('Enter');
    await at.page.getByRole('heading', { name: 'By keyboard' }).waitFor();
    const isFocused = (name: string) =>
      at.page.evaluate<boolean>(`document.activeElement.textContent.trim() === '${name}'`);
    for (let times = 1; times <= 40 && !(await isFocused('Edit')); times += 1)
      await keyboard.press('Tab');
    await keyboard.press('Enter');
    await at.page.getByRole('dialog').waitFor();
    await keyboard.press('End');
    await keyboard.type(', edited');
    await keyboard.press('Enter');
    await at.page.getByRole('heading', { name: 'By keyboard, edited' }).waitFor();
    expect((await ticket(raised.id))['subject']).toBe('By keyboard, edited');
    await expect.poll(() => isFocused('Edit')).toBe(true);
  });

  it.each([
    ['light', { width: 1280, height: 860 }],
    ['dark', { width: 1280, height: 860 }],
    ['light', PHONE],
    ['dark', PHONE],
  ] as const)('has no violation of axe: %s, %o', async (colorScheme, viewport) => {
    const raised = await raise();
    await colleague('PATCH', raised.id, { description: 'In the bathroom.' });
    const at = await open(AGENT, { colorScheme, viewport });
    await at.at(`#/tickets/${raised.id}`, 'Tap drips');
    await at.page.locator('.timeline').waitFor();
    expect(await seriousIn(at.page)).toEqual([]);
    await at.press('Edit');
    await at.page.getByRole('dialog').getByLabel('Description').fill('Mine.');
    await colleague('PATCH', raised.id, { description: 'Theirs.' });
    await at.press('Save');
    await at.page.getByText('changed the same').waitFor();
    expect(await seriousIn(at.page)).toEqual([]);
    const width = await at.page.evaluate<number>('document.documentElement.scrollWidth');
    expect(width).toBeLessThanOrEqual(viewport.width);
  });

  it('has the first ticket of the list above the fold of a phone', async () => {
    await raise();
    const at = await open(AGENT, { viewport: PHONE });
    await at.at('#/tickets', 'Tickets');
    const first = at.page.locator('a.subject').first();
    await first.waitFor();
    const box = await first.boundingBox();
    expect(box!.y + box!.height).toBeLessThan(PHONE.height / 2);
  });

  it('is printed without the surrounding page', async () => {
    const raised = await raise();
    const at = await open(AGENT);
    await at.at(`#/tickets/${raised.id}`, 'Tap drips');
    await at.page.locator('.timeline').waitFor();
    await at.page.emulateMedia({ media: 'print' });
    await expect
      .poll(() => at.page.getByRole('heading', { name: 'Tap drips' }).isVisible())
      .toBe(true);
    await expect.poll(() => at.page.locator('.timeline').isVisible()).toBe(true);
    expect(await at.page.getByRole('button', { name: 'Edit' }).isVisible()).toBe(false);
    expect(await at.page.getByRole('link', { name: 'Buildings' }).isVisible()).toBe(false);
  });

  it('shows since when a clock is overdue', async () => {
    const raised = await raise({ priority: 'critical' });
    // A long advance is answered with 202 and continues when repeated.
    const advance = {
      body: { advance: 'PT5H' },
      headers: { 'idempotency-key': raised.id },
    };
    await until(async () => {
      const { status } = await server().call(
        'operator@atrium.test',
        'POST',
        '/api/v1/clock',
        advance,
      );
      expect([200, 202]).toContain(status);
      return status === 200;
    }, 'the advance of the clock');
    const at = await open(AGENT);
    await at.at(`#/tickets/${raised.id}`, 'Tap drips');
    await at.page.getByText(/^Resolution is overdue since (\d+ \w+ \d{4}, )?\d\d:\d\d$/).waitFor();
  });
});
