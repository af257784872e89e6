/** Whole servers whose log is a real EventStoreDB, while keys are revoked and processes killed. */
import { describe } from 'vitest';
import { eventstoreDbStore } from '../../src/engine/log/eventstoredb/store.ts';
import { keysUnderLoad } from '../contract/keys-under-load.contract.ts';
import { freshDatabase } from '../support/postgres/database.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { eventstoreProgram, eventstoreServer } from '../support/eventstoredb/server.ts';

const program = eventstoreProgram();

describe.skipIf(!program)('on a real EventStoreDB of its own', () => {
  keysUnderLoad(async () => {
    const server = await eventstoreServer(program!);
    const { url: DATABASE_URL, drop } = await freshDatabase();
    const log = eventstoreDbStore({ url: server.url });
    return {
      env: { EVENTSTORE_URL: server.url, DATABASE_URL, ATRIUM_DATA: temporaryDirectory('keys') },
      log,
      async close() {
        await log.close();
        await drop();
        await server.release();
      },
    };
  });
});
