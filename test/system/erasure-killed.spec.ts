import { afterAll, it } from 'vitest';
import { postgresEventStore } from '../../src/engine/log/postgres/store.ts';
import { rehearseKilledErasures } from '../contract/erasure-under-kills.contract.ts';
import { temporaryFiles } from '../support/files.ts';
import { freshDatabase } from '../support/postgres/database.ts';
import { servers } from '../support/servers/servers.ts';

const directory = temporaryFiles();
const running = servers();
afterAll(() => running.release());

it('an erasure finishes exactly once, after a kill at any step', async () => {
  const { url } = await freshDatabase();
  const store = postgresEventStore({ url });
  const env = { DATABASE_URL: url, ATRIUM_DATA: directory.path('data') };
  await rehearseKilledErasures({ env, running, store });
  await store.close();
});
