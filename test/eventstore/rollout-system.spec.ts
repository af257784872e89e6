/** Two releases side by side, on whole servers whose log is a real EventStoreDB. */
import { describe, inject } from 'vitest';
import { rollout } from '../contract/rollout/rollout.contract.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { eventstoreProgram, eventstoreServer } from '../support/eventstoredb/server.ts';
import { freshDatabase } from '../support/postgres/database.ts';

const program = eventstoreProgram();

describe('on a real EventStoreDB', () => {
  rollout(async () => {
    const server = program ? await eventstoreServer(program) : null;
    const { url: DATABASE_URL, drop } = await freshDatabase();
    const EVENTSTORE_URL = server?.url ?? inject('eventstoreUrl');
    return {
      env: { EVENTSTORE_URL, DATABASE_URL, ATRIUM_DATA: temporaryDirectory('rollout') },
      async close() {
        await drop();
        await server?.release();
      },
    };
  });
});
