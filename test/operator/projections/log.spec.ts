/** `atrium projections` in a database with the checkpoints of another log. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase, type Database } from '../../../src/engine/postgres/pool.ts';
import { loggerOf } from '../../../src/engine/observe/logging.ts';
import { ticketCodec } from '../../../src/domain/tickets/codecs.ts';
import { logIdentity } from '../../../src/engine/log/log-identity.ts';
import { markImported } from '../../../src/engine/log/log-import.ts';
import { noon } from '../../support/domain/specify.ts';
import { opened } from '../../support/domain/tickets.ts';
import { freshLog, type FreshLog } from '../../support/log/fresh-log.ts';
import { runAtrium } from '../../support/servers/cli.ts';
import { temporaryFiles } from '../../support/files.ts';

let own: FreshLog;
let db: Database;
const directory = temporaryFiles();
const ANOTHER = randomUUID();
const FAR = '999999';

const ticket = async (number: string) => {
  const ticketId = randomUUID();
  const event = ticketCodec.encode(randomUUID(), opened({ ticketId, number }), {
    commandId: randomUUID(),
    ...noon,
  });
  await own.log.append(`ticket-${ticketId}`, 'no_stream', [event]);
};
const rows = async (statement: string) =>
  (await db.pool.query<Record<string, unknown>>(statement)).rows;
const positions = async () =>
  (await rows('select position from consumers.checkpoint')).map(Object.values).flat();
const listed = async () => {
  const [list] = await rows(
    `select format('select number from %I.ticket_list order by number', nspname) as query
     from pg_namespace where nspname like 'ticket_list_v%'`,
  );
  return (await rows(String(list!['query']))).map((row) => row['number']);
};

beforeAll(async () => {
  own = await freshLog();
  db = openDatabase({ url: own.url, logger: loggerOf('silent'), connectionsMax: 2 });
  await ticket('SR-1');
  expect(await runAtrium(own.env, 'projections', 'prepare')).toMatchObject({ code: 0 });
  await ticket('SR-2');
});
afterAll(async () => {
  await db.close();
  await own.drop();
});
/** As if the database had been fed from another, longer log. */
beforeEach(async () => {
  await db.pool.query(
    `insert into consumers.log (id, origin) values ($1, $1)
     on conflict (single) do update set id = $1, origin = $1`,
    [ANOTHER],
  );
  await db.pool.query('update consumers.checkpoint set position = $1', [FAR]);
});

describe('a command about read models of another log', () => {
  it.each([
    ['status', []],
    ['parked', []],
    ['rebuild', ['ticket-list']],
    ['verify', ['ticket-list']],
    ['retry', ['ticket-list', 'ticket-1']],
    ['skip', ['ticket-list', 'ticket-1']],
  ])('is refused in one line, and keeps the checkpoints: %s', async (action, words) => {
    const before = await positions();
    const { code, out, err } = await runAtrium(own.env, 'projections', action, ...words);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(/^atrium: the read models are of another log than the configured one.*\n$/);
    expect(await positions()).toEqual(before);
    expect(await rows('select id from consumers.log')).toEqual([{ id: ANOTHER }]);
  });
});

it('does not verify the audit against another log than its own', async () => {
  // As if the log were on EventStoreDB, and EVENTSTORE_URL missing in the environment.
  await db.pool.query("update consumers.checkpoint set position = '4711/4711'");
  const { code, out, err } = await runAtrium({ DATABASE_URL: own.url }, 'audit', 'verify');
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err).toMatch(/^atrium: the read models are of another log.* set EVENTSTORE_URL .*\n$/);
});

it('does not prepare them from another log before an operator has adopted it', async () => {
  const before = await positions();
  const refused = await runAtrium(own.env, 'projections', 'prepare');
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('atrium log adopt') });
  expect(await positions()).toEqual(before);
});

it('prepares them from the beginning of an imported log, and reports so', async () => {
  await markImported(own.log, ANOTHER);
  const { code, err } = await runAtrium(own.env, 'projections', 'prepare');
  expect(code).toBe(0);
  expect(err).toContain('the log is another one: read models are built from the start\n');
  expect(await listed()).toEqual(['SR-1', 'SR-2']);
  expect(await positions()).not.toContain(FAR);
  expect(await rows('select id from consumers.log')).toEqual([{ id: await logIdentity(own.log) }]);
  expect(await runAtrium(own.env, 'projections', 'status')).toMatchObject({ code: 0, err: '' });
});

it('keeps its checkpoints during an import and an export', async () => {
  const before = await positions();
  const path = directory.path('all.ndjson');
  expect(await runAtrium(own.env, 'events', 'export', '--to', path)).toMatchObject({ code: 0 });
  expect(await runAtrium(own.env, 'events', 'import', path)).toMatchObject({ code: 0 });
  expect(await positions()).toEqual(before);
  expect(await rows('select id from consumers.log')).toEqual([{ id: ANOTHER }]);
});
