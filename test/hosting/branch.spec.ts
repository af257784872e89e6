/** The copy of a snapshot, before its processes run for the first time. contract.md section 4. */
import { Client } from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { loggerOf } from '../../src/engine/observe/logging.ts';
import { schemaOf } from '../../src/engine/projections/projection.ts';
import { secretsOf } from '../../src/engine/secrets/secrets.ts';
import { systemClock } from '../../src/engine/time/clock.ts';
import { postgresEventStore } from '../../src/engine/log/postgres/store.ts';
import { withoutWebhooks } from '../../src/hosting/branch.ts';
import { onQuietPlatform } from '../../src/hosting/quiet-platform.ts';
import { fillTemplate } from '../../src/hosting/template-contents.ts';
import { StartTimeout } from '../../src/processes/sandboxes/start-timeout.ts';
import { ticketList } from '../../src/projections/tickets/list.ts';
import { webhookSubscriptions } from '../../src/projections/webhooks/subscriptions.ts';
import { fillLog } from '../support/log/filler.ts';
import { emptyDatabase, freshDatabase, type TestDatabase } from '../support/postgres/database.ts';
import { lockWaits } from '../support/postgres/lock-waits.ts';
import { heldFor, until } from '../support/until.ts';
import { registered } from '../support/webhooks/subscription.ts';

const START_MAX_MS = 3_000;
let database: TestDatabase;
let holder: Client;
let observer: Client;

const connected = async ({ url } = database): Promise<Client> => {
  const client = new Client({ connectionString: url });
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

const parts = {
  logger: loggerOf('silent'),
  secrets: secretsOf([Buffer.alloc(32, 7)]),
  startMaxMs: START_MAX_MS,
};
const cleared = (signal: AbortSignal, { url } = database) =>
  withoutWebhooks(url, 'acme', { ...parts, signal });
const isHeld = (by = observer) => until(async () => (await lockWaits(by)) > 0, 'a wait for a lock');

it('waits for read models that take longer to build than a sandbox may take to start', async () => {
  const clearing = cleared(new AbortController().signal);
  await isHeld();
  expect(await heldFor(clearing, 2 * START_MAX_MS)).toBe('held');
  await holder.query('rollback');
  await clearing;
});

it('does not wait for them once it is aborted', async () => {
  const unwanted = new AbortController();
  const clearing = cleared(unwanted.signal);
  await isHeld();
  unwanted.abort(new Error('deleted'));
  await expect(clearing).rejects.toThrow('deleted');
});

it('does not wait for the end of its webhooks once it is aborted', async () => {
  await holder.query('rollback');
  const log = postgresEventStore({ url: database.url, logger: parts.logger });
  await registered(log, systemClock.now());
  await log.close();
  const projections = new Set(['projections'] as const);
  const unhurried = { ...parts, signal: new AbortController().signal };
  await onQuietPlatform(database.url, projections, unhurried, async () => {});
  // A platform that is stopped awaits its last statement.
  await holder.query(`alter database ${new URL(database.url).pathname.slice(1)}
                      set lock_timeout = '1s'`);
  await holder.query('begin');
  await holder.query(`lock table ${schemaOf(webhookSubscriptions)}.subscription in share mode`);
  const unwanted = new AbortController();
  const clearing = cleared(unwanted.signal);
  await isHeld();
  unwanted.abort(new Error('deleted'));
  await expect(clearing).rejects.toThrow('deleted');
});

it('is not migrated once it is aborted', async () => {
  const empty = await emptyDatabase();
  const [creator, other] = [await connected(empty), await connected(empty)];
  await creator.query('begin');
  await creator.query('create schema es');
  const unwanted = new AbortController();
  const clearing = cleared(unwanted.signal, empty);
  await isHeld(other);
  unwanted.abort(new Error('deleted'));
  await creator.query('rollback');
  await expect(clearing).rejects.toThrow('deleted');
  const { rows } = await other.query(`select to_regnamespace('migration') as migration`);
  expect(rows).toEqual([{ migration: null }]);
  await creator.end();
  await other.end();
  await empty.drop();
});

it('waits for read models of a template only as long as a sandbox may take to start', () =>
  expect(fillTemplate(database.url, parts)).rejects.toThrow(StartTimeout));
