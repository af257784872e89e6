/** The secrets key of a server whose log is a real EventStoreDB. */
import { afterAll, beforeAll, inject, it } from 'vitest';
import {
  eventstoreProgram,
  eventstoreServer,
  type EventStoreServer,
} from '../support/eventstoredb/server.ts';
import { temporaryFiles } from '../support/files.ts';
import { freshDatabase, type TestDatabase } from '../support/postgres/database.ts';
import { rehearseLostSecretsKey } from '../contract/lost-secrets-key.contract.ts';
import { servers } from '../support/servers/servers.ts';

const directory = temporaryFiles();
const running = servers();
const program = eventstoreProgram();
let database: TestDatabase;
/** A separate server, because the sealed secrets of its log are counted. */
let server: EventStoreServer | null = null;

beforeAll(async () => {
  database = await freshDatabase();
  server = program ? await eventstoreServer(program) : null;
});
afterAll(async () => {
  await running.release();
  await server?.release();
  await database.drop();
});

it('a lost or wrong secrets key is detected, and no other is generated', () =>
  rehearseLostSecretsKey({
    env: {
      DATABASE_URL: database.url,
      EVENTSTORE_URL: server?.url ?? inject('eventstoreUrl'),
      ATRIUM_DATA: directory.path('data'),
    },
    running,
  }));
