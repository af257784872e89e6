/**
 * A day of a report, on a telephone: from the label to the rating. The server is killed at each
 * step, while its request is under way or when it was recorded and its answer is lost.
 */
import type { Locator, Page, Request, Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasChromium } from '../support/browser/chromium.ts';
import { portalServer } from '../support/browser/portal-server.ts';
import { pressUntil } from '../support/browser/portal.ts';
import {
  PHONE,
  REQUESTER,
  sha256,
  takenPhoto,
  withRequesters,
} from '../support/browser/requester.ts';

const AGENT = 'agent@acme.test';
const REQUESTS = '/api/service-desk/requests';
const COMMANDS = `**${REQUESTS}**`;
const WORDS = 'Water comes through the ceiling.';

describe.skipIf(!hasChromium)('a day of a requester', () => {
  const portal = portalServer();
  const { open, call, server, restart } = portal;
  const building = withRequesters(portal);

  const isCommand = (request: Request, end: string) =>
    request.method() === 'POST' && new URL(request.url()).pathname.endsWith(end);

  /**
   * Kills the server when the page sends a command to a path with this end, and restarts it.
   * Requests sent before `act` has ended are held until then.
   */
  const killedWhile = async (page: Page, end: string, act: () => Promise<void>) => {
    const { promise: acted, resolve: begin } = Promise.withResolvers<void>();
    const { promise: killed, resolve } = Promise.withResolvers<void>();
    let kills = 0;
    const kill = async (route: Route) => {
      if (!isCommand(route.request(), end) || kills > 0) return route.fallback();
      kills += 1;
      await acted;
      await route.continue();
      await server().signal('SIGKILL');
      return resolve();
    };
    await page.route(COMMANDS, kill);
    await act();
    begin();
    await killed;
    await page.unroute(COMMANDS, kill);
    await restart();
  };

  /** The command is recorded, the server is killed, and the page never sees the answer. */
  const killedAfter = async (page: Page, end: string, act: () => Promise<void>) => {
    let kills = 0;
    const { promise: killed, resolve } = Promise.withResolvers<void>();
    const kill = async (route: Route) => {
      if (!isCommand(route.request(), end) || kills > 0) return route.fallback();
      kills += 1;
      const answer = await route.fetch();
      expect(answer.ok()).toBe(true);
      await server().signal('SIGKILL');
      await route.abort();
      return resolve();
    };
    await page.route(COMMANDS, kill);
    await act();
    await killed;
    await page.unroute(COMMANDS, kill);
    await restart();
  };

  /** As an agent's client does it: again under the same key until there is an answer. */
  const byAgent = async (path: string, body: object) => {
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const send = () => server().call(AGENT, 'POST', path, { body, headers });
    const first = send().catch(() => null);
    await server().signal('SIGKILL');
    await first;
    await restart();
    expect((await send()).status).toBeLessThan(300);
  };

  it('is one ticket, and each note, photo and rating once', async () => {
    const { page } = await open(REQUESTER, PHONE);
    const room = building().rooms[2]!;
    const photos = [await takenPhoto(page, 'ceiling'), await takenPhoto(page, 'bucket')] as const;
    const status = (name: string) => page.getByRole('heading', { name }).waitFor();
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const send = () => button('Send').click();
    /** A decision without an answer is said, and pressed again. */
    const decide = (button: Locator, heading: string) => {
      const done = page.getByRole('heading', { name: heading });
      return pressUntil(button, async () => (await done.count()) > 0);
    };
    const look = async (heading: string) => {
      await page.reload();
      await status(heading);
    };
    const sent = () => page.locator('.unsent').waitFor({ state: 'detached' });

    // Scanned, and reported with a photo.
    await page.goto(building().labelOf(room));
    await page.getByText(`${room.code} ${room.name}`).waitFor();
    await page.getByLabel('What is wrong?').fill(WORDS);
    await page.getByLabel('Take a photo').setInputFiles(photos[0]);
    await page.getByRole('img', { name: /^Photo 1/ }).waitFor();
    await killedAfter(page, '/requests', send);
    await page.getByText(WORDS).first().waitFor();
    await sent();
    if (new URL(page.url()).hash === '#/mine')
      await page.getByRole('link', { name: WORDS }).click();
    await status('We have it');
    const id = page.url().split('/').at(-1)!;
    const path = `${REQUESTS}/${id}`;

    // Assigned, and answered publicly.
    await byAgent(`${path}/assign`, { assignedUserId: 'acme-agent' });
    await byAgent(`${path}/transition`, { state: 'triaged' });
    await byAgent(`${path}/updates`, { body: 'Is it still dripping?', visibility: 'public' });
    await look('We have it');
    await page.getByText('Is it still dripping?').waitFor();

    // Answered with a photo: killed at the note, and again at the photo.
    await page.getByLabel('Your note').fill('Yes, I have put a bucket there.');
    await page.getByLabel('Take a photo').setInputFiles(photos[1]);
    await killedWhile(page, '/attachments', () => killedAfter(page, '/updates', send));
    await sent();

    // Resolved, reopened with a reason, resolved again, closed.
    await byAgent(`${path}/transition`, { state: 'in_progress' });
    await byAgent(`${path}/transition`, { state: 'resolved' });
    await look('Done: is it fixed?');
    await button('No, still broken').click();
    await page.getByLabel('What is still broken?').fill('It drips at night.');
    const inDialog = page.getByRole('dialog').getByRole('button', { name: 'Send' });
    await killedAfter(page, '/transition', () => inDialog.click());
    await decide(inDialog, 'Open again');
    await byAgent(`${path}/transition`, { state: 'in_progress' });
    await byAgent(`${path}/transition`, { state: 'resolved' });
    await look('Done: is it fixed?');
    await killedWhile(page, '/transition', () => button('Yes, fixed').click());
    await decide(button('Yes, fixed'), 'Finished');

    // Rated.
    await page.getByRole('radio', { name: '4 stars' }).check({ force: true });
    await page.getByLabel('Anything to add? (optional)').fill('Dry again.');
    await killedAfter(page, '/rating', () => button('Rate').click());
    await decide(button('Rate'), 'Your rating');

    const { items } = await call(AGENT, 'GET', `${REQUESTS}?limit=100`);
    const tickets = items.filter((one: { description: string }) => one.description === WORDS);
    expect(tickets).toHaveLength(1);
    expect(tickets[0]).toMatchObject({
      id,
      spaceId: room.id,
      state: 'closed',
      rating: { score: 4, comment: 'Dry again.' },
    });
    const { items: entries } = await call(AGENT, 'GET', `${path}/updates?limit=500`);
    const bodies = entries
      .filter((one: { kind: string }) => one.kind === 'note')
      .map((one: { body: string }) => one.body);
    expect(bodies).toEqual([
      'Is it still dripping?',
      'Yes, I have put a bucket there.',
      'It drips at night.',
    ]);
    const moves = entries
      .filter((one: { kind: string }) => one.kind === 'state')
      .map((one: { to: string }) => one.to);
    expect(moves).toEqual([
      'triaged',
      'in_progress',
      'resolved',
      'reopened',
      'in_progress',
      'resolved',
      'closed',
    ]);
    const { items: attachments } = await call(AGENT, 'GET', `${path}/attachments`);
    expect(attachments.map((one: { sha256: string }) => one.sha256)).toEqual(
      photos.map(({ buffer }) => sha256(buffer)),
    );
    await page.context().close();
  });
});
