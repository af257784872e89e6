import { describe } from 'vitest';
import { eventstoreDbStore } from '../../src/engine/log/eventstoredb/store.ts';
import { webhooksUnderKills } from '../contract/webhooks-under-kills.contract.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { eventstoreProgram, eventstoreServer } from '../support/eventstoredb/server.ts';
import { freshDatabase } from '../support/postgres/database.ts';

const program = eventstoreProgram();

describe.skipIf(!program)('on a real EventStoreDB of its own', () => {
  webhooksUnderKills(async () => {
    const server = await eventstoreServer(program!);
    const { url: DATABASE_URL, drop } = await freshDatabase();
    const log = eventstoreDbStore({ url: server.url });
    const ATRIUM_DATA = temporaryDirectory('webhooks');
    return {
      env: { EVENTSTORE_URL: server.url, DATABASE_URL, ATRIUM_DATA },
      log,
      async close() {
        await log.close();
        await drop();
        await server.release();
      },
    };
  }, 4);
});
