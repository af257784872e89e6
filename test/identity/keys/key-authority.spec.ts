import { memoryEventStore } from '../../../src/engine/log/memory/store.ts';
import { postgresEventStore, prepareLog } from '../../../src/engine/log/postgres/store.ts';
import { keyAuthorityContract } from '../../contract/key-authority.contract.ts';
import { freshDatabase } from '../../support/postgres/database.ts';

keyAuthorityContract('memory', async () => {
  const log = memoryEventStore();
  return { log, close: () => log.close() };
});

keyAuthorityContract('Postgres', async () => {
  const database = await freshDatabase();
  await prepareLog(database.url);
  const log = postgresEventStore({ url: database.url });
  return {
    log,
    async close() {
      await log.close();
      await database.drop();
    },
  };
});
