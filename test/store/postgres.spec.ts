import { afterAll, beforeAll } from 'vitest';
import { postgresEventStore, prepareLog } from '../../src/store/postgres.ts';
import { eventStoreContract } from '../contract/event-store.contract.ts';
import { freshDatabase } from '../support/database.ts';

let database: Awaited<ReturnType<typeof freshDatabase>>;

beforeAll(async () => {
  database = await freshDatabase();
  await prepareLog(database.url);
});
afterAll(() => database.drop());

eventStoreContract('postgres', async () => {
  const store = postgresEventStore({ url: database.url });
  return { store, close: () => store.close() };
});
