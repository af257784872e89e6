import { afterAll, beforeAll, it } from 'vitest';
import { temporaryFiles } from '../support/files.ts';
import { freshDatabase, type TestDatabase } from '../support/postgres/database.ts';
import { rehearseLostSecretsKey } from '../contract/lost-secrets-key.contract.ts';
import { servers } from '../support/servers/servers.ts';

const directory = temporaryFiles();
const running = servers();
let database: TestDatabase;

beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(async () => {
  await running.release();
  await database.drop();
});

it('a lost or wrong secrets key is noticed, and no other is drawn', () =>
  rehearseLostSecretsKey({
    env: { DATABASE_URL: database.url, ATRIUM_DATA: directory.path('data') },
    running,
  }));
