/** The copy of a snapshot, before its processes run for the first time. contract.md section 4. */
import { Client } from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { loggerOf } from '../../src/engine/observe/logging.ts';
import { schemaOf } from '../../src/engine/projections/projection.ts';
import { secretsOf } from '../../src/engine/secrets/secrets.ts';
import { withoutWebhooks } from '../../src/hosting/branch.ts';
import { ticketList } from '../../src/projections/tickets/list.ts';
import { fillLog } from '../support/log/filler.ts';
import { freshDatabase, type TestDatabase } from '../support/postgres/database.ts';
import { lockWaits } from '../support/postgres/lock-waits.ts';
import { heldFor, until } from '../support/until.ts';

const START_MAX_MS = 3_000;
let database: TestDatabase;
let holder: Client;
let observer: Client;

const connected = async (): Promise<Client> => {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  return client;
};

beforeEach(async () => {
  database = await freshDatabase();
  await fillLog(database.url);
  [holder, observer] = [await connected(), await connected()];
  // The finished read model cannot take its name before this transaction ends.
  await holder.query('begin');
  await holder.query(`create schema ${schemaOf(ticketList)}`);
});
afterEach(async () => {
  await holder.end();
  await observer.end();
  await database.drop();
});

const cleared = (signal: AbortSignal) =>
  withoutWebhooks(database.url, 'acme', {
    logger: loggerOf('silent'),
    secrets: secretsOf([Buffer.alloc(32, 7)]),
    startMaxMs: START_MAX_MS,
    signal,
  });
const isBuilt = () => until(async () => (await lockWaits(observer)) > 0, 'the end of its build');

it('waits for read models that take longer to build than a sandbox may take to start', async () => {
  const clearing = cleared(new AbortController().signal);
  await isBuilt();
  expect(await heldFor(clearing, 2 * START_MAX_MS)).toBe('held');
  await holder.query('rollback');
  await clearing;
});

it('does not wait for them once it is aborted', async () => {
  const unwanted = new AbortController();
  const clearing = cleared(unwanted.signal);
  await isBuilt();
  unwanted.abort(new Error('deleted'));
  await expect(clearing).rejects.toThrow('deleted');
});
