/** Whole servers whose log is a real EventStoreDB. */
import { describe } from 'vitest';
import { eventstoreDbStore } from '../../src/engine/log/eventstoredb/store.ts';
import { telemetryUnderLoad } from '../contract/telemetry-under-load.contract.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { eventstoreProgram, eventstoreServer } from '../support/eventstoredb/server.ts';
import { freshDatabase } from '../support/postgres/database.ts';

const program = eventstoreProgram();

describe.skipIf(!program)('telemetry over a real EventStoreDB of its own', () => {
  telemetryUnderLoad(async () => {
    const server = await eventstoreServer(program!);
    const { url: DATABASE_URL, drop } = await freshDatabase();
    const log = eventstoreDbStore({ url: server.url });
    const ATRIUM_DATA = temporaryDirectory('telemetry');
    return {
      env: { EVENTSTORE_URL: server.url, DATABASE_URL, ATRIUM_DATA },
      log,
      async close() {
        await log.close();
        await drop();
        await server.release();
      },
    };
  });
});
