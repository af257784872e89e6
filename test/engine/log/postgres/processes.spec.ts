import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { embeddedPostgres } from '../../../../src/engine/postgres/embedded/embedded.ts';
import type { EventStore, StoredEvent } from '../../../../src/engine/log/event-store.ts';
import { postgresEventStore, prepareLog } from '../../../../src/engine/log/postgres/store.ts';
import { freshDatabase } from '../../../support/postgres/database.ts';
import { temporaryDirectory } from '../../../support/directory.ts';
import { happened } from '../../../support/log/events.ts';
import type { Read, Written } from './log-worker.ts';
import { untilCount } from '../../../support/until.ts';
import { allEvents } from '../../../support/log/all-events.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** Of each key, before it is revoked. */
const USES_OF_KEY = 20;

describe('several processes on one log', () => {
  it('store acknowledged events, and read each stored event once, without a gap', async () => {
    const database = await freshDatabase();
    cleanups.push(database.drop);
    const writers = await Promise.all(
      ['a', 'b'].map((name) => worker('write', database.url, name)),
    );
    const readers = await Promise.all(['a', 'b'].map((name) => worker('read', database.url, name)));
    await grown(database.url, 3_000);
    const written = await Promise.all(writers.map((writer) => writer.stop<Written>()));
    const read = await Promise.all(readers.map((reader) => reader.stop<Read>()));

    const stored = await storedAt(database.url);
    checkStored(stored, written);
    for (const { ids, positions } of read) {
      expect(ids).toEqual(stored.map(({ id }) => id));
      expect(positions).toEqual(stored.map(({ position }) => position));
    }
    expect(written.every(({ conflicts }) => conflicts > 0)).toBe(true);
    expect(written.every(({ poisoned }) => poisoned > 0)).toBe(true);
  });

  it('lose no acknowledged event when Postgres is killed under them', async () => {
    const directory = temporaryDirectory('killed');
    cleanups.push(() => rmSync(directory, { recursive: true, force: true }));
    const server = await embeddedPostgres(directory);
    cleanups.push(() => server.release());
    await prepareLog(server.url);
    const writers = await Promise.all(['a', 'b'].map((name) => worker('write', server.url, name)));
    const reader = await worker('read', server.url, 'a');
    for (let round = 0; round < 3; round += 1) {
      await grown(server.url, 400);
      const log = readFileSync(join(directory, 'data', 'postmaster.pid'), 'utf8');
      process.kill(Number.parseInt(log, 10), 'SIGKILL');
      const store = postgresEventStore({ url: server.url });
      await expect.poll(() => store.head().catch(() => null)).toBeTruthy();
      await store.close();
    }
    await grown(server.url, 400);
    const written = await Promise.all(writers.map((writer) => writer.stop<Written>()));
    const read = await reader.stop<Read>();

    const stored = await storedAt(server.url);
    checkStored(stored, written);
    expect(read.ids).toEqual(stored.map(({ id }) => id));
  });

  it('never store a guarded append after the event that moves its guard', async () => {
    const database = await freshDatabase();
    cleanups.push(database.drop);
    const store = postgresEventStore({ url: database.url });
    cleanups.push(() => store.close());
    const keys = 25;
    await store.append('key-0', 'no_stream', [happened('Issued')]);
    const users = await Promise.all(['a', 'b'].map((name) => worker('use', database.url, name)));
    const position = async () => Number((await store.head()).position);
    for (let key = 0; key < keys; key += 1) {
      await untilCount(position, (await position()) + USES_OF_KEY, 'uses');
      await store.append(`key-${key + 1}`, 'no_stream', [happened('Issued')]);
      await store.append(`key-${key}`, 0, [happened('Revoked')]);
    }
    const allowed = await Promise.all(users.map((user) => user.stop<{ allowed: number }>()));

    const stored = await storedAt(database.url);
    const revokedAt = new Map(
      stored.filter(({ type }) => type === 'Revoked').map((e) => [e.stream, Number(e.position)]),
    );
    const used = stored.filter(({ type }) => type === 'Used');
    const late = used.filter(
      ({ data, position }) =>
        Number(position) > (revokedAt.get(`key-${(data as { key: number }).key}`) ?? Infinity),
    );
    expect(late).toEqual([]);
    expect(used.length).toBe(allowed.reduce((sum, { allowed }) => sum + allowed, 0));
    expect(new Set(used.map(({ data }) => (data as { key: number }).key)).size).toBeGreaterThan(10);
  });
});

/** Resolves once the log has grown by `events`. */
const grown = async (url: string, events: number) => {
  const store = postgresEventStore({ url });
  const position = async () => Number((await store.head()).position ?? 0);
  await untilCount(position, (await position()) + events, `${events} events`);
  await store.close();
};

const worker = async (role: 'write' | 'read' | 'use', url: string, name: string) => {
  const child = fork(join(import.meta.dirname, 'log-worker.ts'), [role, url, name]);
  cleanups.push(() => child.kill('SIGKILL'));
  await once(child, 'message');
  return {
    async stop<T>(): Promise<T> {
      const answer = new Promise<T>((resolve, reject) => {
        child.once('message', (message) => resolve(message as T));
        // Not `exit`: it can be emitted before the child's last message.
        child.once('disconnect', () => reject(new Error(`the ${role} process ended`)));
      });
      child.send('stop');
      return answer;
    },
  };
};

const storedAt = async (url: string): Promise<StoredEvent[]> => {
  const store: EventStore = postgresEventStore({ url });
  const stored = await allEvents(store);
  await store.close();
  return stored;
};

/**
 * Dense positions and revisions, and exactly the acknowledged events at their positions.
 */
const checkStored = (stored: readonly StoredEvent[], written: readonly Written[]): void => {
  expect(stored.findIndex(({ position }, index) => position !== String(index + 1))).toBe(-1);
  const heads = new Map<string, number>();
  for (const { stream, revision } of stored) {
    if (revision !== (heads.get(stream) ?? -1) + 1) expect.fail(`${stream} has a gap`);
    heads.set(stream, revision);
  }
  const positionOf = new Map(stored.map(({ id, position }) => [id, position]));
  expect(positionOf.size).toBe(stored.length);
  const acknowledged = written.flatMap(({ acknowledged }) => acknowledged);
  const lost = acknowledged.filter(([id, position]) => positionOf.get(id) !== position);
  expect(lost).toEqual([]);
  expect(new Set(acknowledged.map(([id]) => id)).size).toBe(stored.length);
};
