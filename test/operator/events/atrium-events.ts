/** For the tests of `atrium events`: the command as a process, and logs that are worth moving. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { EventStore, NewEvent, StoredEvent } from '../../../src/store/event-store.ts';
import { isOwn } from '../../../src/store/log-identity.ts';
import { postgresEventStore, prepareLog } from '../../../src/store/postgres/store.ts';
import { freshDatabase } from '../../support/postgres/database.ts';
import { happened } from '../../support/log/events.ts';

const CLI = fileURLToPath(new URL('../../../packages/cli/src/atrium.ts', import.meta.url));

/** Which log a command works on. */
export type On = { readonly DATABASE_URL: string } | { readonly EVENTSTORE_URL: string };

export interface Ended {
  /** `null`: it was killed. */
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface Command {
  readonly process: ChildProcess;
  /** What it has said so far. */
  readonly out: () => string;
  readonly ended: Promise<Ended>;
}

/** `atrium events …` as an operator types it. */
export const started = (on: On, ...words: readonly string[]): Command =>
  command(on, 'events', ...words);

const command = (on: On, ...words: readonly string[]): Command => {
  const child = spawn(process.execPath, [CLI, ...words], {
    env: { PATH: process.env['PATH'] ?? '', ...on },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  const decoded = (chunks: readonly Buffer[]) => Buffer.concat(chunks).toString();
  return {
    process: child,
    out: () => decoded(out),
    ended: new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => resolve({ code, out: decoded(out), err: decoded(err) }));
    }),
  };
};

export const atrium = (on: On, ...words: readonly string[]): Promise<Ended> =>
  ended(started(on, ...words));

/** `atrium projections …`. */
export const projections = (on: On, ...words: readonly string[]): Promise<Ended> =>
  ended(command(on, 'projections', ...words));

const ended = (running: Command): Promise<Ended> => {
  running.process.stdin?.end();
  return running.ended;
};

/** A log in a database of its own, and what a command needs to find it. */
export interface OwnLog {
  readonly log: EventStore;
  readonly on: On;
  /** The database. */
  readonly url: string;
  drop(): Promise<void>;
}

export const ownLog = async (): Promise<OwnLog> => {
  const { url, drop } = await freshDatabase();
  await prepareLog(url);
  const log = postgresEventStore({ url });
  return {
    log,
    url,
    on: { DATABASE_URL: url },
    async drop() {
      await log.close();
      await drop();
    },
  };
};

export const temporaryDirectory = (): { path(name: string): string; remove(): void } => {
  const directory = mkdtempSync(join(tmpdir(), 'atrium-events-'));
  return {
    path: (name) => join(directory, name),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
};

/** What JSON and UTF-8 can carry, and what trips whoever takes them for something simpler. */
const texts = [
  'plain',
  'Ünïcödé «3. OG» – 温度 🌡️',
  'line\nbreaks\r\nand \u2028 the other \u2029 ones',
  'nul \u0000 and lone \uD800 surrogates',
  '{"json":"within"}',
];

const eventOf = (n: number): NewEvent =>
  happened(n % 7 === 0 ? 'TicketÄndert' : 'TicketUpdated', {
    n,
    text: texts[n % texts.length],
    // Most are small; a few are large.
    ...(n % 997 === 0 ? { big: 'ß'.repeat(60_000) } : {}),
    nested: { list: [1, -0.5, 1e21, null, true, { deep: [] }], empty: {}, '2': 'b', '1': 'a' },
  });

/**
 * Fills `log` with `events` events in as many streams as `streams`, of several categories, in an
 * order in which streams come again near and far, and in appends of one and of several events.
 */
export const fill = async (log: EventStore, events: number, streams: number): Promise<void> => {
  const categories = ['ticket', 'keyuse', 'building'];
  const revisions = new Map<string, number>();
  for (let n = 0; n < events;) {
    const batch = new Map<string, NewEvent[]>();
    for (let slot = 0; slot < 200 && n < events; slot += 1) {
      // A walk that meets its own steps again.
      const at = (n * n + 31 * slot) % streams;
      const stream = `${categories[at % 3]}-${at}`;
      const appended = batch.get(stream) ?? [];
      batch.set(stream, appended);
      appended.push(eventOf(n));
      n += 1;
    }
    await Promise.all(
      [...batch].map(async ([stream, appended]) => {
        const expected = revisions.get(stream) ?? 'no_stream';
        const { revision } = await log.append(stream, expected, appended);
        revisions.set(stream, revision);
      }),
    );
  }
};

/** Everything in the log that another one is to hold too, in its order. */
export const everythingIn = async (log: EventStore): Promise<StoredEvent[]> => {
  const events: StoredEvent[] = [];
  for (let after: string | null = null; ;) {
    const page = await log.readAll(after, { limit: 1_000 });
    events.push(...page.events.filter(({ stream }) => !isOwn(stream)));
    after = page.next;
    if (page.end) return events;
  }
};

/** What does not depend on the log: everything but its places and its clock. */
export const lasting = (events: readonly StoredEvent[]): string[] =>
  events.map(({ stream, revision, id, type, data, meta }) =>
    JSON.stringify([stream, revision, id, type, data, meta]),
  );
