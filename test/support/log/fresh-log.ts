import type { EventStore } from '../../../src/engine/log/event-store.ts';
import { postgresEventStore } from '../../../src/engine/log/postgres/store.ts';
import { freshDatabase } from '../postgres/database.ts';

/** A log in a database of its own. */
export interface FreshLog {
  readonly log: EventStore;
  /** Of the database. */
  readonly url: string;
  /** By which a command finds it. */
  readonly env: { readonly DATABASE_URL: string };
  drop(): Promise<void>;
}

export const freshLog = async (): Promise<FreshLog> => {
  const { url, drop } = await freshDatabase();
  const log = postgresEventStore({ url });
  return {
    log,
    url,
    env: { DATABASE_URL: url },
    async drop() {
      await log.close();
      await drop();
    },
  };
};
