/** What relays that end in the middle leave in the log: each announcement once. */
import { randomUUID } from 'node:crypto';
import type { ClientBase } from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { announceAll, telemetryStream } from '../../src/building/graph/outbox.ts';
import { outboxRelay, relayAnnouncements } from '../../src/building/graph/outbox-relay.ts';
import { LogUnavailable, type EventStore } from '../../src/engine/log/event-store.ts';
import { transaction } from '../../src/engine/postgres/transaction.ts';
import { freshGraph, noon, type TestGraph } from '../support/postgres/building-graph.ts';

/** One log as two processes have it open. */
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

  const tell = (client: ClientBase, buildingId: string, value: number) =>
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
  const tellAlone = (buildingId: string, value: number) =>
    transaction(test.db, (client) => tell(client, buildingId, value));
  const told = async (buildingId: string) => {
    const stored = await stores.other.readStream(telemetryStream(buildingId, noon.at));
    return stored.map(({ data }) => (data as { points: { value: number }[] }).points[0]!.value);
  };

  it('stores once what an ended relay stored, though an older transaction ends later', async () => {
    const buildingId = randomUUID();
    const older = await test.db.connect();
    try {
      await older.query('begin');
      await tell(older, buildingId, 1);
      for (const value of [2, 3]) await tellAlone(buildingId, value);
      const ended = relayAnnouncements(test.db, endsAfterAppend(stores.store));
      await expect(ended).rejects.toThrow(LogUnavailable);
      await older.query('commit');
    } finally {
      older.release();
    }
    expect(await relayAnnouncements(test.db, stores.other)).toBe(3);
    expect(await told(buildingId)).toEqual([2, 3, 1]);
  });

  it('stores once what it stored in a transaction that was rolled back', async () => {
    const buildingId = randomUUID();
    const logger = { warn: () => {} };
    const relay = outboxRelay({ db: test.db, log: stores.store, logger });
    await tellAlone(buildingId, 1);
    await relay.relay();
    await test.db.query(
      `create function refused() returns trigger language plpgsql
       as $$ begin raise exception 'not now'; end $$;
       create trigger refused before delete on graph.announcement execute function refused()`,
    );
    for (const value of [2, 3]) await tellAlone(buildingId, value);
    await expect(relay.relay()).rejects.toThrow('not now');
    await test.db.query('drop trigger refused on graph.announcement');
    await tellAlone(buildingId, 4);
    expect(await relay.relay()).toBe(3);
    expect(await told(buildingId)).toEqual([1, 2, 3, 4]);
  });

  it('stores once what another relay stores at the same time, and after it', async () => {
    const buildingId = randomUUID();
    const logger = { warn: () => {} };
    const [one, two] = [stores.store, stores.other].map((log) =>
      outboxRelay({ db: test.db, log, logger }),
    );
    const values = Array.from({ length: 40 }, (_, n) => n);
    for (const value of values) {
      await tellAlone(buildingId, value);
      await Promise.all(value % 3 === 0 ? [one!.relay(), two!.relay()] : [one!.relay()]);
    }
    expect(await told(buildingId)).toEqual(values);
  });

  it('stores once what several ended relays have stored, more than one page of it', async () => {
    const buildingId = randomUUID();
    const values = Array.from({ length: 45 }, (_, n) => n);
    for (const value of values) {
      await tellAlone(buildingId, value);
      if (value % 15 !== 14) continue;
      const ended = relayAnnouncements(test.db, endsAfterAppend(stores.store));
      await expect(ended).rejects.toThrow(LogUnavailable);
    }
    expect(await relayAnnouncements(test.db, stores.other)).toBe(45);
    expect(await told(buildingId)).toEqual(values);
  });
};

/** Appends, and then the process is gone: nobody hears the answer. */
const endsAfterAppend = (log: EventStore): EventStore => ({
  ...log,
  append: async (...given) => {
    await log.append(...given);
    throw new LogUnavailable('the process has ended');
  },
});
