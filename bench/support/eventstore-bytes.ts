/** Bytes in the files of EventStoreDB, and the bytes that a scavenge frees. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'pg';
import type { EventStore } from '../../src/engine/log/event-store.ts';
import { eventstoreDbStore } from '../../src/engine/log/eventstoredb/store.ts';
import { ADMIN } from '../../test/support/eventstoredb/node.ts';
import { eventstoreProgram, eventstoreServer } from '../../test/support/eventstoredb/server.ts';
import { useKeys } from './key-uses.ts';
import { benchPlatform } from './platform.ts';
import { untilPublished } from './published.ts';
import { writeHistories } from './ticket-histories.ts';

export interface Amounts {
  readonly tickets: number;
  readonly commandsOfTicket: number;
  readonly uses: number;
  /** Far enough ahead that no timer fires meanwhile. */
  readonly slaDueAt: string;
}

/** Prints a line for each figure. @param databaseUrl The database of the read models. */
export const printBytesOnEventstore = async (
  databaseUrl: string,
  { tickets, commandsOfTicket, uses, slaDueAt }: Amounts,
): Promise<void> => {
  const program = eventstoreProgram();
  if (program === null) throw new Error('no EventStoreDB: put eventstored on the PATH');
  const server = await eventstoreServer(program, { STATS_STORAGE: 'None' });
  const log = eventstoreDbStore({ url: server.url });
  const db = new Pool({ connectionString: databaseUrl });
  const files = server.database;
  try {
    const measured = async (what: string, count: number, work: () => Promise<void>) => {
      const before = writtenBytes(files);
      await work();
      const bytes = Math.round((writtenBytes(files) - before) / count);
      console.log(`${what}: ${bytes} bytes`);
    };
    // Registers the processes, which start at the log's current head.
    await (await benchPlatform(databaseUrl, log)).stop();
    await measured('a ticket: its events', tickets, () =>
      writeHistories(log, { events: tickets * commandsOfTicket, tickets, foreign: 0, slaDueAt }),
    );
    const platform = await benchPlatform(databaseUrl, log);
    await measured('a ticket: its messages', tickets, () => untilPublished(db, log));
    await platform.stop();
    await measured('a use of a key: its record', uses, () => useKeys(log, uses));
    const before = writtenBytes(files);
    const journals = await forgetMessages(log);
    await scavenged(server.port);
    console.log(
      `${mib(before)} MiB written; with all ${journals} journals of messages deleted and ` +
        `scavenged, ${mib(closedBytes(files))} MiB are left`,
    );
  } finally {
    await db.end();
    await log.close();
    await server.release();
  }
};

const mib = (bytes: number) => Math.round(bytes / 1024 / 1024);

/** The position of the next record: the length of the log without the padding of its files. */
const writtenBytes = (files: string): number =>
  Number(readFileSync(join(files, 'writer.chk')).readBigInt64LE(0));

/** Bytes of all chunks but the current one, which is preallocated. */
const closedBytes = (files: string): number =>
  readdirSync(files)
    .filter((name) => name.startsWith('chunk-'))
    .toSorted()
    .slice(0, -1)
    .reduce((sum, name) => sum + statSync(join(files, name)).size, 0);

/** Deletes messages, as retention does. */
const forgetMessages = async (log: EventStore): Promise<number> => {
  const journals = new Set<string>();
  for (let after: string | null = null, end = false; !end;) {
    const page = await log.readAll(after, { limit: 1_000, categories: ['bus'] });
    for (const { stream } of page.events) journals.add(stream);
    [after, end] = [page.next, page.end];
  }
  for (const journal of journals) await log.deleteStream(journal);
  return journals.size;
};

/** Starts a scavenge, and waits for its end. */
const scavenged = async (port: number): Promise<void> => {
  const headers = {
    authorization: `Basic ${btoa(`${ADMIN.username}:${ADMIN.password}`)}`,
    accept: 'application/json',
  };
  const asked = async (path: string, method: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}/admin/${path}`, { method, headers });
    return answer.text();
  };
  const started = await asked('scavenge', 'POST');
  const { scavengeId } = JSON.parse(started) as { scavengeId: string };
  while ((await asked('scavenge/current', 'GET')).includes(scavengeId)) await sleep(500);
};
