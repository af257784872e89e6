/** `atrium skip` and its routes, beside a platform whose consumers have parked a stream. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { leases as leasesIn } from '../../../src/engine/consumers/leases.ts';
import { loggerOf } from '../../../src/engine/observe/logging.ts';
import { openDatabase } from '../../../src/engine/postgres/pool.ts';
import { testApi } from '../../support/api/api.ts';
import { ticketLog } from '../../support/log/ticket-log.ts';
import { runAtrium } from '../../support/servers/cli.ts';
import { heldFor, until } from '../../support/until.ts';

const platform = testApi();
const operator = platform.as('operator@atrium.test');
const STREAMS = '/api/v1/operations/streams';
const run = (...words: string[]) =>
  runAtrium({ DATABASE_URL: platform.databaseUrl }, 'skip', ...words);
const parkedIn = async (stream: string) =>
  (await operator.get(`${STREAMS}/${stream}/parked`)).body.items as {
    readonly kind: string;
    readonly name: string;
    readonly revision: number;
  }[];
const namesOf = (items: readonly { readonly kind: string; readonly name: string }[]) =>
  items.map(({ kind, name }) => `${kind} ${name}`).toSorted();

/** All consumers of ticket events. */
const PLACES = [
  'feed changes',
  'process attachment-files',
  'process ticket-publishing',
  'process ticket-relocation',
  'projection personal-data-terms',
  'projection ticket-answers',
  'projection ticket-list',
  'projection ticket-metadata',
  'projection ticket-reports',
  'projection ticket-search',
  'projection ticket-sla-first-response',
  'projection ticket-sla-resolution',
];

/** Its clocks ran out long ago, and no command can record that. */
const STUCK = ['timers ticket-sla-first-response', 'timers ticket-sla-resolution'];
const listed = async (stream: string) =>
  JSON.parse((await run(stream, '--json')).out).items as {
    readonly kind: string;
    readonly name: string;
    readonly dueAt: string | null;
  }[];

/** A ticket whose second event no release can read, parked by every consumer of tickets. */
const unreadable = async () => {
  const tickets = ticketLog(platform.log);
  const id = await tickets.open();
  await tickets.raw(id, { type: 'TicketEnchanted', data: {} });
  const stream = `ticket-${id}`;
  await until(async () => (await parkedIn(stream)).length === PLACES.length, 'all to park it');
  for (const timers of STUCK) {
    const path = `/api/v1/operations/processes/${timers.replace('timers ', '')}/parked`;
    const keys = async () =>
      (await operator.get(path)).body.items.map((item: { stream: string }) => item.stream);
    await until(async () => (await keys()).includes(id), 'its timers to be stuck');
  }
  return stream;
};

it('lists where a stream is parked or stuck, and skips the event in every consumer', async () => {
  const stream = await unreadable();
  const parked = await parkedIn(stream);
  expect(namesOf(parked)).toEqual(PLACES);
  expect(new Set(parked.map(({ revision }) => revision))).toEqual(new Set([1]));
  const before = await listed(stream);
  expect(namesOf(before)).toEqual([...PLACES, ...STUCK]);
  expect(namesOf(before.filter(({ dueAt }) => dueAt !== null))).toEqual(STUCK);

  const shown = await run(stream);
  expect(shown.code).toBe(0);
  for (const { kind, name } of before)
    expect(shown.out).toMatch(new RegExp(`^${kind} +${name} `, 'm'));
  expect(shown.out).toMatch(/\nnothing was skipped: say --yes\n$/);
  expect(await parkedIn(stream)).toEqual(parked);

  const skipped = await run(stream, '--yes');
  expect(skipped).toMatchObject({ code: 0, err: '' });
  const lines = before.map(({ kind, name }) => `${kind} ${name}: goes on without it`);
  expect(skipped.out.trimEnd().split('\n').toSorted()).toEqual(lines.toSorted());
  expect(await parkedIn(stream)).toEqual([]);
  expect(await run(stream, '--yes')).toMatchObject({
    code: 0,
    out: `${stream} is parked nowhere\n`,
  });
});

it('skips the stuck timers of a stream that is not parked, also by their key', async () => {
  const stream = await unreadable();
  await operator.post(`${STREAMS}/${stream}/skip`);
  await expect.poll(() => parkedIn(stream)).toEqual([]);
  const key = stream.slice('ticket-'.length);
  expect(namesOf(await listed(key))).toEqual(STUCK);
  expect(await run(key, '--yes')).toMatchObject({
    code: 0,
    out: STUCK.map((timers) => `${timers}: goes on without it\n`).join(''),
  });
  expect(await run(stream)).toMatchObject({ out: `${stream} is parked nowhere\n` });
});

it('is requested over HTTP, idempotently', async () => {
  const stream = await unreadable();
  const [first, second] = [
    await operator.post(`${STREAMS}/${stream}/skip`),
    await operator.post(`${STREAMS}/${stream}/skip`),
  ];
  expect([first.status, second.status]).toEqual([202, 202]);
  expect(namesOf(first.body.items)).toEqual(PLACES);
  const idsOf = (items: readonly { readonly requestId: string | null }[]) =>
    items.flatMap(({ requestId }) => requestId ?? []);
  const known = new Set(idsOf(first.body.items));
  expect(idsOf(second.body.items).filter((id) => !known.has(id))).toEqual([]);
  await expect.poll(() => parkedIn(stream)).toEqual([]);
  expect((await operator.post(`${STREAMS}/${stream}/skip`)).body).toEqual({ items: [] });
});

it('leaves out a consumer that tries again by itself', async () => {
  const db = openDatabase({ url: platform.databaseUrl, logger: loggerOf('silent') });
  onTestFinished(() => db.close());
  const stream = `ticket-${randomUUID()}`;
  await db.pool.query(
    `insert into consumers.parked
       (consumer, lane, stream, event_id, revision, position, reason, parked_at, retry_at)
     values ('process/ticket-publishing', $1, $1, $2, 0, '1', 'it is under way', now(), now())`,
    [stream, randomUUID()],
  );
  expect(await parkedIn(stream)).toEqual([]);
  expect((await operator.post(`${STREAMS}/${stream}/skip`)).body).toEqual({ items: [] });
  expect(await run(stream, '--yes')).toMatchObject({ out: `${stream} is parked nowhere\n` });
});

it('is for operators, and lists no consumer for a stream that is not parked', async () => {
  const path = `${STREAMS}/ticket-${randomUUID()}`;
  const manager = platform.as('manager@acme.test');
  expect((await manager.get(`${path}/parked`)).status).toBe(403);
  expect((await manager.post(`${path}/skip`)).status).toBe(403);
  expect((await operator.get(`${path}/parked`)).body).toEqual({ items: [] });
});

describe('without a server that runs the consumers that have parked the stream', () => {
  let stream: string;
  let before: string;
  beforeAll(async () => {
    stream = await unreadable();
    before = (await run(stream, '--json')).out;
    await platform.stop();
  });
  const refused = /^atrium: no server runs .*: start one, and ask again\n$/;

  it('skips no event', async () => {
    const { code, err } = await run(stream, '--yes');
    expect(code).toBe(1);
    expect(err).toMatch(refused);
    expect((await run(stream, '--json')).out).toBe(before);
  });

  it('does not wait for one that has stopped since', async () => {
    const db = openDatabase({ url: platform.databaseUrl, logger: loggerOf('silent') });
    onTestFinished(() => db.close());
    const server = leasesIn({ db, logger: loggerOf('silent') });
    onTestFinished(() => server.close());
    const { rows } = await db.pool.query<{ name: string }>('select name from consumers.lease');
    for (const { name } of rows) expect(await server.take(name)).not.toBeNull();

    const skipped = run(stream, '--yes');
    const requests = async () =>
      (await db.pool.query('select from consumers.request where ended_at is null')).rowCount;
    await expect.poll(requests).toBe(JSON.parse(before).items.length - FEEDS);
    await server.close();
    expect(await heldFor(skipped, 30_000)).toMatchObject({
      code: 1,
      err: expect.stringMatching(refused),
    });
  });
});

/** The change feed skips at once, without a request. */
const FEEDS = 1;
