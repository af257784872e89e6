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

/** The log, but it fails as told before or after it has appended. */
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

it("tells of an import in the building's journal of that day, with who and when", async () => {
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

it('tells by the UTC day of the import', async () => {
  const buildingId = await make(smallBuilding(), { at: '2026-12-31T23:59:59.999Z' });
  await relayAnnouncements(test.db, log);
  expect(await announcementsOf(buildingId, '20261231')).toHaveLength(1);
});

it('tells nothing of an import that was refused, and once of one given twice', async () => {
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

it('keeps what the log could not take', async () => {
  const buildingId = await make();
  await expect(relayAnnouncements(test.db, faulty({ before: 1 }))).rejects.toThrow(LogUnavailable);
  expect(await waiting()).toBe(1);
  await relayAnnouncements(test.db, log);
  expect(await announcementsOf(buildingId)).toHaveLength(1);
});

it('tells once though the answer of the log was lost', async () => {
  const buildingId = await make();
  await expect(relayAnnouncements(test.db, faulty({ after: 1 }))).rejects.toThrow(LogUnavailable);
  expect(await waiting()).toBe(1);
  await relayAnnouncements(test.db, log);
  expect(await announcementsOf(buildingId)).toHaveLength(1);
});

it('tells once of each, though some were told before a crash and others came since', async () => {
  const buildingId = await make();
  await expect(relayAnnouncements(test.db, faulty({ after: 1 }))).rejects.toThrow(LogUnavailable);
  await make(smallBuilding(), { buildingId, replace: true });
  expect(await relayAnnouncements(test.db, log)).toBe(2);
  const facts = await announcementsOf(buildingId);
  expect(facts.map(({ event }) => event.replaced)).toEqual([false, true]);
});

it('keeps the order of a building, each told once, though several relay at once', async () => {
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

it('moves more than one transaction takes', async () => {
  const buildingId = await make(buildingOf());
  await test.db.query(
    `insert into graph.announcement (id, stream, event, record)
     select gen_random_uuid(), stream, event, record
     from graph.announcement, generate_series(1, 250)`,
  );
  expect(await relayAnnouncements(test.db, log)).toBe(251);
  expect(await announcementsOf(buildingId)).toHaveLength(251);
});

describe('what one building has to tell', () => {
  const tell = (buildingId: string, facts: number, points: number) =>
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
  /** The log, and how many waited at each append to it. */
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

  it('keeps no other waiting, however much it is', async () => {
    const [much, little] = [randomUUID(), randomUUID()];
    await tell(much, 300, 1);
    await tell(little, 2, 1);
    const { appends, watching } = watched();
    expect(await relayAnnouncements(test.db, watching)).toBe(302);
    const round = appends.filter(({ left }) => left === 302).map(({ stream }) => stream);
    expect(round).toContainEqual(expect.stringContaining(little));
    expect(await waiting()).toBe(0);
  });

  it('is moved by the megabyte', async () => {
    await tell(randomUUID(), 20, 500);
    const { appends, watching } = watched();
    expect(await relayAnnouncements(test.db, watching)).toBe(20);
    const rounds = [...new Set(appends.map(({ left }) => left)), 0];
    const moved = rounds.slice(1).map((left, index) => rounds[index]! - left);
    expect(Math.max(...moved)).toBeLessThanOrEqual(10);
    expect(moved.length).toBeGreaterThan(1);
  });
});

it('a sweeper finds what was left behind, is woken, tries again, and stops when told', async () => {
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

it('the graph says when there is something to relay', async () => {
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
