/** A separate EventStoreDB for one test file, and Atrium servers on it. */
import { afterAll, afterEach, beforeAll, beforeEach, inject } from 'vitest';
import { temporaryDirectory } from '../../support/directory.ts';
import {
  eventstoreProgram,
  eventstoreServer,
  type EventStoreServer,
} from '../../support/eventstoredb/server.ts';
import { freshDatabase } from '../../support/postgres/database.ts';
import { servers, type Servers } from '../../support/servers/servers.ts';

export interface OwnServer {
  /** Connection string of the separate server; of the shared one where none can be started. */
  readonly url: string;
  /** May be killed by tests; `null`: only the shared server exists. */
  readonly server: EventStoreServer | null;
}

/** Starts a server before the tests of the file, and stops it after them. */
export const ownServer = (): OwnServer => {
  const given = inject('eventstoreUrl');
  const program = eventstoreProgram();
  let server: EventStoreServer | null = null;
  beforeAll(async () => {
    server = program ? await eventstoreServer(program) : null;
  });
  afterAll(() => server?.release());
  return {
    get url() {
      return server?.url ?? given;
    },
    get server() {
      return server;
    },
  };
};

export interface OwnSystem {
  readonly log: OwnServer;
  /** The servers of a test, stopped with it. */
  readonly running: Servers;
  /** The environment of the servers: the log, and the test's Postgres and directory. */
  readonly env: Record<string, string>;
}

/** Atrium servers on such a log: the servers of a test share log, database and directory. */
export const ownSystem = (): OwnSystem => {
  const log = ownServer();
  let running: Servers;
  let env: Record<string, string>;
  beforeEach(async () => {
    running = servers();
    // Postgres has the read models and the graph; the directory has the issuer's key.
    const database = await freshDatabase();
    const ATRIUM_DATA = temporaryDirectory('eventstore-system');
    env = { EVENTSTORE_URL: log.url, DATABASE_URL: database.url, ATRIUM_DATA };
  });
  afterEach(() => running.release());
  return {
    log,
    get running() {
      return running;
    },
    get env() {
      return env;
    },
  };
};
