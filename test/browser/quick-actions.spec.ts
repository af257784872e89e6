/** Quick actions on a ticket: shown immediately, undone within six seconds, never lost. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasChromium } from '../support/browser/chromium.ts';
import { portalServer } from '../support/browser/portal-server.ts';
import { seriousIn } from '../support/browser/portal.ts';
import { heldUndoTime } from '../support/browser/undo-time.ts';

describe.skipIf(!hasChromium)('a quick action', () => {
  const { open, raise, ticket, colleague, server } = portalServer();

  const atTicket = async (body: object = {}) => {
    const raised = await raise(body);
    const portal = await open('agent@acme.test');
    const endUndoTime = await heldUndoTime(portal.page);
    await portal.at(`#/tickets/${raised.id}`, 'Tap drips');
    const priority = portal.page.locator('main').getByLabel('Priority');
    return { ...portal, raised, priority, endUndoTime };
  };
  const undoIn = ({ page }: { readonly page: Page }, words: string) =>
    page.locator('.action-notice', { hasText: words }).getByRole('button', { name: 'Undo' });

  it('with an inverse command is sent immediately, and undone by the inverse', async () => {
    const at = await atTicket({ priority: 'low' });
    await at.priority.selectOption('high');
    await expect.poll(async () => (await ticket(at.raised.id))['priority']).toBe('high');
    expect(await seriousIn(at.page)).toEqual([]);
    await undoIn(at, 'priority set to high').click();
    await expect.poll(async () => (await ticket(at.raised.id))['priority']).toBe('low');
    await expect.poll(() => at.priority.inputValue()).toBe('low');
    expect(at.complaints).toEqual([]);
  });

  it('without an inverse is delayed, and never sent when it is undone', async () => {
    const at = await atTicket();
    const sent: string[] = [];
    at.page.on('request', (request) => {
      if (request.method() === 'POST') sent.push(request.url());
    });
    await at.press('Triage');
    await at.page.locator('main .badge', { hasText: 'Triaged' }).waitFor();
    await undoIn(at, 'Triaged').click();
    await at.page.getByText('Undone:').waitFor();
    await at.page.locator('main .badge', { hasText: 'New' }).waitFor();
    // The notice ends after the time in which the command would have been sent.
    await expect
      .poll(async () => {
        await at.endUndoTime();
        return at.page.getByText('Undone:').count();
      })
      .toBe(0);
    expect(sent).toEqual([]);
    expect((await ticket(at.raised.id)).revision).toBe(at.raised.revision);
  });

  it('is sent when its time is over', async () => {
    const at = await atTicket();
    await at.press('Triage');
    expect((await ticket(at.raised.id))['state']).toBe('new');
    await at.endUndoTime();
    await expect.poll(async () => (await ticket(at.raised.id))['state']).toBe('triaged');
    await at.page.getByText('moved it from New to Triaged').waitFor();
  });

  it('that is delayed is sent when the page is left', async () => {
    const at = await atTicket();
    await at.press('Triage');
    // Of the same origin: a process of its own would not wait for a slow page to end.
    await at.page.goto(`${server().url}/health/ready`);
    await expect.poll(async () => (await ticket(at.raised.id))['state']).toBe('triaged');
  });

  it('that is delayed is sent before the next one on the same ticket', async () => {
    const at = await atTicket();
    await at.press('Triage');
    await at.press('Start work');
    await expect.poll(async () => (await ticket(at.raised.id))['state']).toBe('triaged');
    await at.endUndoTime();
    await expect.poll(async () => (await ticket(at.raised.id))['state']).toBe('in_progress');
    expect(at.complaints).toEqual([]);
  });

  it('is delayed for a first assignment and reverted for a later one', async () => {
    const at = await atTicket();
    await at.press('Assign to me');
    await undoIn(at, 'assigned to you').click();
    await at.page.getByText('Undone:').waitFor();
    expect(await ticket(at.raised.id)).toMatchObject({ firstRespondedAt: null });

    await colleague('POST', at.raised.id, { assignedTeamId: 'plumbers' }, '/assign');
    await at.page.reload();
    await at.page.getByRole('heading', { name: 'Tap drips' }).waitFor();
    await at.press('Assign to me');
    await expect.poll(async () => (await ticket(at.raised.id))['assignedUserId']).not.toBe(null);
    await undoIn(at, 'assigned to you').click();
    await expect
      .poll(async () => await ticket(at.raised.id))
      .toMatchObject({ assignedUserId: null, assignedTeamId: 'plumbers' });
  });

  it("succeeds beside a colleague's change of another field", async () => {
    const at = await atTicket({ priority: 'low' });
    await colleague('PATCH', at.raised.id, { category: 'water' });
    await at.priority.selectOption('high');
    await expect
      .poll(async () => await ticket(at.raised.id))
      .toMatchObject({ priority: 'high', category: 'water' });
  });

  it("keeps a colleague's change to the same member, and rolls back with a message", async () => {
    const at = await atTicket({ priority: 'low' });
    // Before the page can receive the change.
    await at.page.route('**/api/service-desk/requests/*', async (route) => {
      if (route.request().method() === 'PATCH')
        await colleague('PATCH', at.raised.id, { priority: 'critical' });
      await route.continue();
    });
    await at.priority.selectOption('high');
    await at.page.getByText('someone else has set its priority to critical').waitFor();
    expect((await ticket(at.raised.id))['priority']).toBe('critical');
    await expect.poll(() => at.priority.inputValue()).not.toBe('high');
  });

  it('waits for the connection, and says so at once', async () => {
    const { page, raised, priority } = await atTicket({ priority: 'low' });
    const notice = page.locator('.action-notice');
    await page.context().setOffline(true);
    await priority.selectOption('high');
    await notice.getByText('priority set to high. No connection.').waitFor({
      timeout: 3_000,
    });
    await page.context().setOffline(false);
    await expect.poll(async () => (await ticket(raised.id))['priority']).toBe('high');
    await expect.poll(() => notice.getByText('Waiting for').count()).toBe(0);
  });

  describe('whose answer is lost', () => {
    /** Up to the message that its outcome is not known. */
    const atLost = async (arrives: boolean) => {
      const at = await atTicket({ priority: 'low' });
      const all = `**/api/service-desk/requests/${at.raised.id}`;
      let isSent = false;
      await at.page.route(all, async (route) => {
        if (arrives && !isSent && route.request().method() === 'PATCH') {
          isSent = true;
          await (await route.fetch()).dispose();
        }
        await route.abort();
      });
      await at.priority.selectOption('high');
      const notice = at.page.locator('.action-notice.failed');
      await notice.getByText('priority set to high: it is not known whether').waitFor();
      expect(await seriousIn(at.page)).toEqual([]);
      return { ...at, notice, connect: () => at.page.unroute(all) };
    };

    it('is not reported as failed once the server says that it was done', async () => {
      const { notice, connect, priority } = await atLost(true);
      await connect();
      await notice.waitFor({ state: 'detached' });
      await expect.poll(() => priority.inputValue()).toBe('high');
    });

    it('is offered again once the server says that it was not done', async () => {
      const { notice, connect, raised } = await atLost(false);
      await connect();
      await notice.getByText('was not changed: it did not arrive at the server').waitFor();
      await notice.getByRole('button', { name: 'Do it again' }).click();
      await expect.poll(async () => (await ticket(raised.id))['priority']).toBe('high');
      expect(await notice.count()).toBe(0);
    });
  });

  it('that fails restores the screen and shows the reason', async () => {
    const at = await atTicket({ priority: 'low' });
    await at.page.route('**/api/service-desk/requests/*', (route) =>
      route.request().method() === 'PATCH' ? route.fulfill({ status: 500 }) : route.continue(),
    );
    await at.priority.selectOption('high');
    await at.page.getByRole('alert').getByText('was not changed').waitFor();
    await expect.poll(() => at.priority.inputValue()).toBe('low');
  });
});
