/** Bulk transfer of tickets between whole servers, with kills: the guarantees on every log. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { servers, type Servers } from '../../support/servers/servers.ts';
import {
  comparable,
  exportOf,
  foreignTickets,
  freshDesk,
  importInto,
  importToEnd,
  moved,
} from './transfer.ts';
import type { ServerEnvironment } from '../building-imports.contract.ts';

/** @param count Tickets to transfer. */
export const ticketTransferOnServer = (
  make: () => Promise<ServerEnvironment>,
  count: number,
): void => {
  let running: Servers;
  let given: ServerEnvironment;
  beforeEach(async () => {
    running = servers();
    given = await make();
  });
  afterEach(async () => {
    await running.release();
    await given.close();
  });

  it('tickets exported, imported despite a kill and exported again are equal', async () => {
    const server = await running.start(given.env);
    const from = await freshDesk(server, 'globex');
    // The demo's own tickets exist beside the imported ones.
    const empty = await freshDesk(server, 'acme');
    const there = new Set((await Array.fromAsync(exportOf(empty))).map(({ id }) => id as string));
    const { summary: filled, isFirst } = await importToEnd(from, [...foreignTickets(from, count)]);
    const existed = isFirst ? 0 : filled!.exists;
    expect(filled).toEqual({ created: count - existed, exists: existed, failed: 0 });
    const filling = async () => (await Array.fromAsync(exportOf(from))).length;
    await expect.poll(filling, { interval: 500 }).toBe(count);
    const before = await Array.fromAsync(exportOf(from));
    const lines = before.map(moved(from, empty));

    const killed = Promise.withResolvers<void>();
    const first = await importInto(
      empty,
      (async function* most() {
        yield* lines.slice(0, count * 0.8);
        // The rest is never sent: the server is killed first.
        await killed.promise;
      })(),
      (answered) => {
        if (answered === count / 2) void server.signal('SIGKILL').then(killed.resolve);
      },
    );
    await killed.promise;
    expect(first.summary).toBeNull();
    const again = await running.start({ ...given.env, PORT: new URL(server.url).port });
    const to = { ...empty, server: again };
    const { answers, summary } = await importToEnd(to, lines);
    expect(summary!.created + summary!.exists).toBe(count);
    expect(summary!.exists).toBeGreaterThanOrEqual(first.answers.size);
    // Lines answered before the kill were stored, as the same tickets.
    for (const [key, { id }] of first.answers)
      expect(answers.get(key)).toMatchObject({ status: 'exists', id });

    const exported = async () =>
      (await Array.fromAsync(exportOf(to))).filter(({ id }) => !there.has(id));
    await expect.poll(async () => (await exported()).length, { interval: 500 }).toBe(count);
    const after = await exported();
    const contentOf = (tickets: typeof after, desk: typeof to) =>
      tickets.map((ticket) => comparable(ticket, desk)).toSorted();
    expect(contentOf(after, to)).toEqual(contentOf(before, from));
    expect(new Set(after.map(({ number }) => number)).size).toBe(count);
    const originals = after.map(({ metadata }) => metadata.imported.originalNumber);
    expect(new Set(originals)).toEqual(new Set(before.map(({ number }) => number)));
  });
};
