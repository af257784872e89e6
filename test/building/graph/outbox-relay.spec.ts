import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildingCodec } from '../../../src/domain/buildings/codecs.ts';
import { transaction } from '../../../src/engine/postgres/transaction.ts';
import { announceAll } from '../../../src/building/graph/outbox.ts';
import { relayAnnouncements, outboxRelay } from '../../../src/building/graph/outbox-relay.ts';
import { LogUnavailable, type EventStore } from '../../../src/engine/log/event-store.ts';
import { memoryEventStore } from '../../../src/engine/log/memory/store.ts';
import {
  freshGraph,
  imported,
  noon,
  type TestGraph,
} from '../../support/postgres/building-graph.ts';
import { buildingOf, smallBuilding, storey } from '../../support/domain/building-documents.ts';
import { outboxRelayContract } from '../../contract/outbox-relay.contract.ts';
import { letPass, until } from '../../support/until.ts';

let test: TestGraph;
let log: EventStore;
beforeEach(async () => {
  test = await freshGraph();
  log = memoryEventStore();
});
afterEach(async () => {
  await log.close();
  await test.close();
});

const waiting = async () =>
  (await test.db.query<{ n: number }>('select count(*)::int as n from graph.announcement')).rows[0]!
    .n;
const make = async (document = smallBuilding(), options = {}) =>
  imported(await test.graph.importBuilding('acme', document, { ...noon, ...options })).buildingId;
const announcementsOf = async (buildingId: string, day = '20260302') =>
  (await log.readStream(`building-${buildingId}.${day}`)).map((event) =>
    buildingCodec.decode(event),
  );

/** The log with `fails` failing appends, before or after they are stored. */
const faulty = (fails: { before?: number; after?: number }): EventStore => ({
  ...log,
  append: async (...given) => {
    if ((fails.before ?? 0) > 0) {
      fails.before! -= 1;
      throw new LogUnavailable('gone');
    }
    const appended = await log.append(...given);
    if ((fails.after ?? 0) > 0) {
      fails.after! -= 1;
      throw new LogUnavailable('the answer was lost');
    }
    return appended;
  },
});

describe('on the log in memory', () => {
  outboxRelayContract(async () => {
    const store = memoryEventStore();
    return { store, other: store, close: () => store.close() };
  });
});

it("appends an import to the building's journal of the day, with actor and time", async () => {
  const buildingId = await make();
  expect(await relayAnnouncements(test.db, log)).toBe(1);
  const [fact] = await announcementsOf(buildingId);
  const none = { storeys: 0, spaces: 0, elements: 0, points: 0 };
  expect(fact).toMatchObject({
    event: {
      type: 'BuildingImported',
      buildingId,
      organisation: 'acme',
      replaced: false,
      created: { storeys: 2, spaces: 3, elements: 2, points: 2 },
      updated: none,
      removed: none,
    },
    at: noon.at,
    by: noon.by,
    origin: 'import',
    organisation: 'acme',
  });
  expect(await waiting()).toBe(0);
  expect(await relayAnnouncements(test.db, log)).toBe(0);
});

it('uses the UTC day of the import', async () => {
  const buildingId = await make(smallBuilding(), { at: '2026-12-31T23:59:59.999Z' });
  await relayAnnouncements(test.db, log);
  expect(await announcementsOf(buildingId, '20261231')).toHaveLength(1);
});

it('announces no refused import, and a repeated one once', async () => {
  await test.graph.importBuilding('acme', buildingOf([storey('0'), storey('0')]), noon);
  expect(await waiting()).toBe(0);
  const named = { commandId: '3f2b8a56-6f0c-4b7e-8f5c-0d9c6f3b1a11', bodyHash: 'h' };
  const buildingId = await make(smallBuilding(), named);
  await make(smallBuilding(), named);
  await relayAnnouncements(test.db, log);
  expect((await announcementsOf(buildingId)).map(({ commandId }) => commandId)).toEqual([
    named.commandId,
  ]);
});

it('keeps announcements that could not be appended', async () => {
  const buildingId = await make();
  await expect(relayAnnouncements(test.db, faulty({ before: 1 }))).rejects.toThrow(LogUnavailable);
  expect(await waiting()).toBe(1);
  await relayAnnouncements(test.db, log);
  expect(await announcementsOf(buildingId)).toHaveLength(1);
});

it('announces once though the answer of the log was lost', async () => {
  const buildingId = await make();
  await expect(relayAnnouncements(test.db, faulty({ after: 1 }))).rejects.toThrow(LogUnavailable);
  expect(await waiting()).toBe(1);
  await relayAnnouncements(test.db, log);
  expect(await announcementsOf(buildingId)).toHaveLength(1);
});

it('announces each once after a crash in which some were appended', async () => {
  const buildingId = await make();
  await expect(relayAnnouncements(test.db, faulty({ after: 1 }))).rejects.toThrow(LogUnavailable);
  await make(smallBuilding(), { buildingId, replace: true });
  expect(await relayAnnouncements(test.db, log)).toBe(2);
  const facts = await announcementsOf(buildingId);
  expect(facts.map(({ event }) => event.replaced)).toEqual([false, true]);
});

it('keeps the order of a building, each once, with concurrent relays', async () => {
  const buildingId = await make();
  const replaces = [true, false, true, true, false];
  for (const replace of replaces) await make(smallBuilding(), { buildingId, replace });
  const counted = { ...faulty({}), appends: 0 };
  const { append } = counted;
  counted.append = async (...given) => {
    counted.appends += 1;
    await letPass(30, 'slow enough that the other relays look for work meanwhile');
    return append(...given);
  };
  await Promise.all([1, 2, 3].map(() => relayAnnouncements(test.db, counted)));
  expect(counted.appends).toBe(1);
  const facts = await announcementsOf(buildingId);
  expect(facts.map(({ event }) => event.replaced)).toEqual([false, ...replaces]);
});

it('relays more than fits into one transaction', async () => {
  const buildingId = await make(buildingOf());
  await test.db.query(
    `insert into graph.announcement (id, stream, event, record)
     select gen_random_uuid(), stream, event, record
     from graph.announcement, generate_series(1, 250)`,
  );
  expect(await relayAnnouncements(test.db, log)).toBe(251);
  expect(await announcementsOf(buildingId)).toHaveLength(251);
});

describe('the announcements of one building', () => {
  const announce = (buildingId: string, facts: number, points: number) =>
    transaction(test.db, (client) =>
      announceAll(
        client,
        Array.from({ length: facts }, () => ({
          type: 'PointsUpdated' as const,
          buildingId,
          points: Array.from({ length: points }, () => ({
            pointId: randomUUID(),
            elementId: randomUUID(),
            spaceId: randomUUID(),
            value: Math.random(),
            unit: '°C',
            observedAt: noon.at,
          })),
        })),
        { ...noon, origin: 'api', organisation: 'acme', commandId: randomUUID() },
      ),
    );
  /** The log, with the number of pending announcements at each append. */
  const watched = () => {
    const appends: { stream: string; left: number }[] = [];
    const watching: EventStore = {
      ...log,
      append: async (...given) => {
        appends.push({ stream: given[0], left: await waiting() });
        return log.append(...given);
      },
    };
    return { appends, watching };
  };

  it('do not delay those of another, however many', async () => {
    const [much, little] = [randomUUID(), randomUUID()];
    await announce(much, 300, 1);
    await announce(little, 2, 1);
    const { appends, watching } = watched();
    expect(await relayAnnouncements(test.db, watching)).toBe(302);
    const round = appends.filter(({ left }) => left === 302).map(({ stream }) => stream);
    expect(round).toContainEqual(expect.stringContaining(little));
    expect(await waiting()).toBe(0);
  });

  it('are relayed in batches of a megabyte', async () => {
    await announce(randomUUID(), 20, 500);
    const { appends, watching } = watched();
    expect(await relayAnnouncements(test.db, watching)).toBe(20);
    const rounds = [...new Set(appends.map(({ left }) => left)), 0];
    const moved = rounds.slice(1).map((left, index) => rounds[index]! - left);
    expect(Math.max(...moved)).toBeLessThanOrEqual(10);
    expect(moved.length).toBeGreaterThan(1);
  });
});

it('a sweeper finds pending announcements, can be woken and stopped, and retries', async () => {
  const left = await make();
  const stop = new AbortController();
  const failures: unknown[] = [];
  const logger = { warn: ({ err }: { err?: unknown }) => void failures.push(err) };
  const relay = outboxRelay({ db: test.db, log: faulty({ before: 1 }), logger, everyMs: 20 });
  const running = relay.run(stop.signal);
  await until(async () => (await announcementsOf(left)).length > 0, 'the sweep');
  expect(failures).toEqual([expect.any(LogUnavailable)]);
  stop.abort();
  await running;

  const later = new AbortController();
  const patient = outboxRelay({ db: test.db, log, logger, everyMs: 3_600_000 });
  const waiting = patient.run(later.signal);
  const buildingId = await make();
  patient.wake();
  await until(
    async () => (await announcementsOf(buildingId)).length > 0,
    'the relay that was woken',
  );
  later.abort();
  await waiting;
  expect(failures).toHaveLength(1);
});

it('the graph signals new announcements', async () => {
  await test.close();
  let announced = 0;
  test = await freshGraph({
    announced: () => {
      announced += 1;
    },
  });
  const named = { commandId: '3f2b8a56-6f0c-4b7e-8f5c-0d9c6f3b1a11', bodyHash: 'h' };
  await make(smallBuilding(), named);
  await make(smallBuilding(), named);
  await test.graph.importBuilding('acme', buildingOf([storey('0'), storey('0')]), noon);
  expect(announced).toBe(1);
});
