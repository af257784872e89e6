/** Whole servers whose log is in Postgres. */
import { describe } from 'vitest';
import { postgresEventStore } from '../../src/engine/log/postgres/store.ts';
import { telemetryUnderLoad } from '../contract/telemetry-under-load.contract.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { freshDatabase } from '../support/postgres/database.ts';

describe('telemetry over the embedded log', () => {
  telemetryUnderLoad(async () => {
    const { url, drop } = await freshDatabase();
    const log = postgresEventStore({ url });
    return {
      env: { DATABASE_URL: url, ATRIUM_DATA: temporaryDirectory('telemetry') },
      log,
      async close() {
        await log.close();
        await drop();
      },
    };
  });
});
