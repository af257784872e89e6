import type { EventStore } from '../../src/engine/log/event-store.ts';
import { eventstoreDbStore } from '../../src/engine/log/eventstoredb/store.ts';
import { postgresEventStore, prepareLog } from '../../src/engine/log/postgres/store.ts';
import { eventstoreProgram, eventstoreServer } from '../../test/support/eventstoredb/server.ts';

export interface BenchLog {
  readonly log: EventStore;
  readonly name: 'postgres' | 'eventstoredb';
  /** The log's URL, for another process. */
  readonly url: string;
  /** Ends the server, if one was started for the log. */
  release(): Promise<void>;
}

/**
 * A log without tickets: in the database at `url`, or on EventStoreDB, at EVENTSTORE_URL or by a
 * program on the PATH with its flush to disk on.
 *
 * @throws If there is no such server, or it has tickets.
 */
export const benchLog = async (
  backend: 'postgres' | 'eventstoredb',
  url: string,
): Promise<BenchLog> => {
  if (backend === 'postgres') {
    await prepareLog(url);
    return { name: backend, url, log: postgresEventStore({ url }), release: async () => {} };
  }
  const given = process.env['EVENTSTORE_URL'];
  const program = given ? null : eventstoreProgram();
  if (!given && !program) throw new Error('no EventStoreDB: set EVENTSTORE_URL');
  const server = program ? await eventstoreServer(program) : null;
  const eventstoreUrl = server?.url ?? given!;
  const log = eventstoreDbStore({ url: eventstoreUrl });
  const { events } = await log.readAll(null, { limit: 1, categories: ['ticket'] });
  if (events.length > 0) throw new Error('the server at EVENTSTORE_URL holds tickets already');
  return { name: backend, url: eventstoreUrl, log, release: async () => server?.release() };
};
