/** Relays that are interrupted append each announcement exactly once. */
import { randomUUID } from 'node:crypto';
import type { ClientBase } from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { announceAll, telemetryStream } from '../../src/building/graph/outbox.ts';
import { outboxRelay, relayAnnouncements } from '../../src/building/graph/outbox-relay.ts';
import { LogUnavailable, type EventStore } from '../../src/engine/log/event-store.ts';
import { transaction } from '../../src/engine/postgres/transaction.ts';
import { freshGraph, noon, type TestGraph } from '../support/postgres/building-graph.ts';

/** One log, opened by two processes. */
export interface TwoStores {
  readonly store: EventStore;
  readonly other: EventStore;
  close(): Promise<void>;
}

export const outboxRelayContract = (open: () => Promise<TwoStores>) => {
  let test: TestGraph;
  let stores: TwoStores;
  beforeEach(async () => {
    [test, stores] = [await freshGraph(), await open()];
  });
  afterEach(async () => {
    await stores.close();
    await test.close();
  });

  const announce = (client: ClientBase, buildingId: string, value: number) =>
    announceAll(
      client,
      [
        {
          type: 'PointsUpdated',
          buildingId,
          points: [
            {
              pointId: randomUUID(),
              elementId: randomUUID(),
              spaceId: null,
              value,
              unit: null,
              observedAt: noon.at,
            },
          ],
        },
      ],
      { ...noon, origin: 'api', organisation: 'acme', commandId: randomUUID() },
    );
  const announceAlone = (buildingId: string, value: number) =>
    transaction(test.db, (client) => announce(client, buildingId, value));
  const announced = async (buildingId: string) => {
    const stored = await stores.other.readStream(telemetryStream(buildingId, noon.at));
    return stored.map(({ data }) => (data as { points: { value: number }[] }).points[0]!.value);
  };

  it("stores an ended relay's facts once, though an older transaction ends later", async () => {
    const buildingId = randomUUID();
    const older = await test.db.connect();
    try {
      await older.query('begin');
      await announce(older, buildingId, 1);
      for (const value of [2, 3]) await announceAlone(buildingId, value);
      const ended = relayAnnouncements(test.db, endsAfterAppend(stores.store));
      await expect(ended).rejects.toThrow(LogUnavailable);
      await older.query('commit');
    } finally {
      older.release();
    }
    expect(await relayAnnouncements(test.db, stores.other)).toBe(3);
    expect(await announced(buildingId)).toEqual([2, 3, 1]);
  });

  it('stores facts once that it appended in a rolled-back transaction', async () => {
    const buildingId = randomUUID();
    const logger = { warn: () => {} };
    const relay = outboxRelay({ db: test.db, log: stores.store, logger });
    await announceAlone(buildingId, 1);
    await relay.relay();
    await test.db.query(
      `create function refused() returns trigger language plpgsql
       as $$ begin raise exception 'not now'; end $$;
       create trigger refused before delete on graph.announcement execute function refused()`,
    );
    for (const value of [2, 3]) await announceAlone(buildingId, value);
    await expect(relay.relay()).rejects.toThrow('not now');
    await test.db.query('drop trigger refused on graph.announcement');
    await announceAlone(buildingId, 4);
    expect(await relay.relay()).toBe(3);
    expect(await announced(buildingId)).toEqual([1, 2, 3, 4]);
  });

  it('stores the facts of a concurrent relay once', async () => {
    const buildingId = randomUUID();
    const logger = { warn: () => {} };
    const [one, two] = [stores.store, stores.other].map((log) =>
      outboxRelay({ db: test.db, log, logger }),
    );
    const values = Array.from({ length: 40 }, (_, n) => n);
    for (const value of values) {
      await announceAlone(buildingId, value);
      await Promise.all(value % 3 === 0 ? [one!.relay(), two!.relay()] : [one!.relay()]);
    }
    expect(await announced(buildingId)).toEqual(values);
  });

  it('stores the facts of several ended relays once, beyond one page', async () => {
    const buildingId = randomUUID();
    const values = Array.from({ length: 45 }, (_, n) => n);
    for (const value of values) {
      await announceAlone(buildingId, value);
      if (value % 15 !== 14) continue;
      const ended = relayAnnouncements(test.db, endsAfterAppend(stores.store));
      await expect(ended).rejects.toThrow(LogUnavailable);
    }
    expect(await relayAnnouncements(test.db, stores.other)).toBe(45);
    expect(await announced(buildingId)).toEqual(values);
  });
};

/** Appends, and then the process ends before it receives the answer. */
const endsAfterAppend = (log: EventStore): EventStore => ({
  ...log,
  append: async (...given) => {
    await log.append(...given);
    throw new LogUnavailable('the process has ended');
  },
});
