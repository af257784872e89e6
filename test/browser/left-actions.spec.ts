/** Quick actions and typed text of a page that ends: reported by the next page, asked about. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasChromium } from '../support/browser/chromium.ts';
import { portalServer } from '../support/browser/portal-server.ts';
import { seriousIn } from '../support/browser/portal.ts';
import { heldUndoTime } from '../support/browser/undo-time.ts';

const BULK = '/api/service-desk/requests/bulk';

describe.skipIf(!hasChromium)('a page that is left', () => {
  const { open, raise, ticket, colleague, server } = portalServer();

  const atTicket = async () => {
    const raised = await raise();
    const portal = await open('agent@acme.test');
    const endUndoTime = await heldUndoTime(portal.page);
    await portal.at(`#/tickets/${raised.id}`, 'Tap drips');
    return { ...portal, raised, endUndoTime };
  };
  const recordsIn = (page: Page) =>
    page.evaluate(() =>
      Object.keys(localStorage).filter((key) => key.startsWith('atrium.unanswered:')),
    );
  const noticeIn = (page: Page) => page.locator('.action-notice.failed');

  it('leaves no record of a command that was answered', async () => {
    const at = await atTicket();
    await at.press('Assign to me');
    expect(await recordsIn(at.page)).toHaveLength(1);
    await at.endUndoTime();
    await expect.poll(() => recordsIn(at.page)).toEqual([]);
    expect((await ticket(at.raised.id))['assignedUserId']).not.toBeNull();
  });

  it('with a lost command is followed by a page that offers to retry it', async () => {
    const at = await atTicket();
    await at.press('Assign to me');
    // Sent at the revision before it is a 412, and no script is left to send it again.
    await colleague('PATCH', at.raised.id, { category: 'water' });
    await at.page.goto('about:blank');
    await at.at('#/tickets', 'Tickets');
    const notice = noticeIn(at.page);
    await notice.getByText(`${at.raised.number} was not assigned to you: `).waitFor();
    expect(await seriousIn(at.page)).toEqual([]);
    // Until it is read: another reload shows it again.
    await at.page.reload();
    await notice.getByRole('button', { name: 'Do it again' }).click();
    await expect
      .poll(async () => {
        await at.endUndoTime();
        return (await ticket(at.raised.id))['assignedUserId'];
      })
      .not.toBe(null);
    await expect.poll(() => recordsIn(at.page)).toEqual([]);
    expect(await notice.count()).toBe(0);
  });

  it('with a refused command is followed by a page with the reason', async () => {
    const at = await atTicket();
    await at.press('Assign to me');
    await colleague('POST', at.raised.id, { assignedUserId: 'acme-manager' }, '/assign');
    await at.page.goto('about:blank');
    await at.at('#/tickets', 'Tickets');
    const notice = noticeIn(at.page);
    await notice.getByText('someone else has set its assignee to acme-manager').waitFor();
    expect((await ticket(at.raised.id))['assignedUserId']).toBe('acme-manager');
    await notice.getByRole('button', { name: 'Dismiss' }).click();
    await expect.poll(() => recordsIn(at.page)).toEqual([]);
  });

  it('is followed by a page without a message for an accepted command', async () => {
    const at = await atTicket();
    await at.press('Assign to me');
    // Of the same origin: a process of its own would not wait for a slow page to end.
    await at.page.goto(`${server().url}/health/ready`);
    await expect.poll(async () => (await ticket(at.raised.id))['assignedUserId']).not.toBe(null);
    await at.at('#/tickets', 'Tickets');
    await expect.poll(() => recordsIn(at.page)).toEqual([]);
    expect(await noticeIn(at.page).count()).toBe(0);
  });

  it('hands its commands to another open tab', async () => {
    const at = await atTicket();
    const other = await at.page.context().newPage();
    await at.press('Assign to me');
    await colleague('PATCH', at.raised.id, { category: 'water' });
    await other.goto(at.page.url());
    await other.getByRole('heading', { name: 'Tap drips' }).waitFor();
    expect(await noticeIn(other).count()).toBe(0);
    await at.page.close();
    await noticeIn(other).getByText('was not assigned to you').waitFor();
  });

  it('by sign-out has sent its delayed commands', async () => {
    const at = await atTicket();
    await at.press('Triage');
    expect((await ticket(at.raised.id))['state']).toBe('new');
    await at.press('Sign out');
    await at.page.getByRole('heading', { name: 'Sign out?' }).waitFor();
    expect((await ticket(at.raised.id))['state']).toBe('triaged');
  });

  describe('while several tickets are changed', () => {
    /** The next bulk stays without an answer. */
    const atRunningBulk = async (search: string) => {
      const made = [await raise({ subject: search }), await raise({ subject: search })];
      const portal = await open('agent@acme.test');
      const { page, at } = portal;
      const keys: (string | undefined)[] = [];
      page.on('request', (request) => {
        if (request.url().endsWith(BULK)) keys.push(request.headers()['idempotency-key']);
      });
      await page.route(`**${BULK}`, () => {}, { times: 1 });
      await at(`#/tickets?search=${search}`, 'Tickets');
      await expect.poll(() => page.locator('tr[data-ticket]').count()).toBe(2);
      for (const { number } of made) await page.getByLabel(`Select ${number}`).click();
      await page.keyboard.press('p');
      await page.getByRole('option', { name: 'high' }).click();
      await expect.poll(() => keys.length).toBe(1);
      const priorities = async () => {
        const tickets = await Promise.all(made.map(({ id }) => ticket(id)));
        return tickets.map(({ priority }) => priority);
      };
      return { ...portal, made, keys, priorities };
    };

    it('asks first, and the next page offers to go on under the same key', async () => {
      const { page, keys, priorities } = await atRunningBulk('Overrun');
      const asked: string[] = [];
      page.on('dialog', (dialog) => {
        asked.push(dialog.type());
        void dialog.accept();
      });
      await page.reload();
      expect(asked).toEqual(['beforeunload']);
      const notice = noticeIn(page);
      await notice
        .getByText('“Priority high” for 2 tickets was not finished: its page was closed.')
        .waitFor();
      expect(await seriousIn(page)).toEqual([]);
      await notice.getByRole('button', { name: 'Go on' }).click();
      await page.getByText('Priority high: 2 of 2 tickets').waitFor();
      expect(await priorities()).toEqual(['high', 'high']);
      expect(new Set(keys).size).toBe(1);
      expect(await recordsIn(page)).toEqual([]);
      expect(await notice.count()).toBe(0);
    });

    it('goes on on another page of the portal, and says what came of it there', async () => {
      const { page, keys, priorities } = await atRunningBulk('Overhang');
      await page.getByRole('link', { name: 'Buildings' }).click();
      await page.getByRole('heading', { name: 'Buildings', level: 1 }).waitFor();
      await page.getByText('Priority high: 2 of 2 tickets').waitFor();
      expect(await priorities()).toEqual(['high', 'high']);
      expect(keys[1]).toBe(keys[0]);
      expect(await recordsIn(page)).toEqual([]);
    });

    it('asks before sign-out', async () => {
      const { page, press } = await atRunningBulk('Overtime');
      await press('Sign out');
      await page.getByRole('dialog', { name: 'The action is not finished' }).waitFor();
      expect(await seriousIn(page)).toEqual([]);
      await press('Stay');
      await page.getByRole('region', { name: 'Progress' }).getByText('0 of 2').waitFor();
    });

    it('asks before sign-out about typed text too, and keeps it', async () => {
      const { page, press, made, keys } = await atRunningBulk('Overtake');
      await page.route(`**${BULK}`, () => {});
      await page.evaluate(`location.hash = '#/tickets/${made[0]!.id}'`);
      // It goes on there, before a note is typed.
      await expect.poll(() => keys.length).toBe(2);
      const note = page.getByLabel('Note', { exact: true });
      await note.fill('The valve is behind the panel.');
      await press('Sign out');
      const question = page.getByRole('dialog', { name: 'Discard what you typed?' });
      await question.getByText('The action is not finished').waitFor();
      expect(await seriousIn(page)).toEqual([]);
      await press('Keep editing');
      expect(await note.inputValue()).toBe('The valve is behind the panel.');
    });
  });

  it('by sign-out asks about unsaved text', async () => {
    const at = await atTicket();
    const note = at.page.getByLabel('Note', { exact: true });
    await note.fill('The valve is behind the panel.');
    await at.press('Sign out');
    await at.press('Keep editing');
    await expect.poll(() => note.inputValue()).toBe('The valve is behind the panel.');
    const asked: string[] = [];
    at.page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void dialog.accept();
    });
    await at.press('Sign out');
    await at.press('Discard');
    await at.page.getByRole('heading', { name: 'Sign out?' }).waitFor();
    expect(asked).toEqual([]);
  });
});
