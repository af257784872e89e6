/** The EventStoreDB of one file, beside the one that the others share, and servers upon it. */
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
  /** Of its own server; where there is no program to run one, of the one that all share. */
  readonly url: string;
  /** May be broken; `null`: there is none but the one that all share. */
  readonly server: EventStoreServer | null;
}

/** Started before the tests of the file it is called in, and ended after them. */
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
  /** Of each test, and ended with it. */
  readonly running: Servers;
  /** For its servers: the log, and a Postgres and a directory of the test's own. */
  readonly env: Record<string, string>;
}

/** Servers of Atrium upon such a log: all that a test starts shares what keeps its data. */
export const ownSystem = (): OwnSystem => {
  const log = ownServer();
  let running: Servers;
  let env: Record<string, string>;
  beforeEach(async () => {
    running = servers();
    // Postgres keeps the read models and the graph; one directory, one key of the issuer.
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
