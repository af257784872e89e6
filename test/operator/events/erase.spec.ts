/** `atrium events export --erase`: seals the personal data of a log that has it in the clear. */
import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { release } from '../../../src/compose.ts';
import { erasureCodec } from '../../../src/domain/erasures/codecs.ts';
import type { TextChoice } from '../../../src/domain/erasures/events.ts';
import { ticketCodec } from '../../../src/domain/tickets/codecs.ts';
import type { TicketEvent } from '../../../src/domain/tickets/events.ts';
import { viewCodec } from '../../../src/domain/views/codecs.ts';
import type { Actor } from '../../../src/engine/aggregates/decider.ts';
import type { NewEvent, StoredEvent } from '../../../src/engine/log/event-store.ts';
import { writtenVersions } from '../../../src/engine/log/written-versions.ts';
import { personKeysIn, type PersonKeys } from '../../../src/engine/personal/person-keys.ts';
import { sealedLog } from '../../../src/engine/personal/sealed-log.ts';
import { secretsOf } from '../../../src/engine/secrets/secrets.ts';
import { systemClock } from '../../../src/engine/time/clock.ts';
import { UnsealedDigest } from '../../../src/operator/events/unsealed-digest.ts';
import { erasureIdsOf } from '../../../src/use-cases/erasures/erasures.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { temporaryFiles } from '../../support/files.ts';
import { openFilesAt } from '../../support/open-files.ts';
import { everythingIn, fill } from '../../support/log/contents.ts';
import { happened } from '../../support/log/events.ts';
import { freshLog, type FreshLog } from '../../support/log/fresh-log.ts';
import { poolOf } from '../../support/postgres/pool.ts';
import { runAtrium } from '../../support/servers/cli.ts';

/** Three events each: their commands span the pages of the log. */
const TICKETS = 340;
const secretsKey = randomBytes(32);
const secrets = secretsOf([secretsKey]);
const files = temporaryFiles();
const ada: Actor = { kind: 'user', id: 'ada-lovelace', name: 'Ada Lovelace' };
const operator: Actor = { kind: 'system', id: 'operator' };
const importer: Actor = { kind: 'key', id: 'atrk_1' };
const personal = [
  'Lovelace',
  'ada-lovelace',
  'Hopper',
  '@north.example',
  'Cold office',
  'It is cold',
];

let source: FreshLog;
let pool: Pool;
let keys: PersonKeys;
let env: Record<string, string>;
let file: string;
let digest: string;

/** The event as stored by a release before sealing. */
const inClear = (event: NewEvent): NewEvent => ({ ...event, meta: { ...event.meta, schema: '1' } });

const record = (by: Actor, at: string) => ({
  commandId: randomUUID(),
  at,
  by,
  origin: 'api' as const,
  organisation: 'north',
  bodyHash: 'hash-of-the-body',
});

const reporterOf = (n: number) => `Grace-${n % 4}@north.example`;

const ticketOf = (n: number) => {
  const ticketId = randomUUID();
  const events: readonly TicketEvent[] = [
    {
      type: 'TicketOpened',
      ticketId,
      number: `SR-${n}`,
      organisation: 'north',
      requestType: 'general',
      buildingId: randomUUID(),
      storeyId: null,
      spaceId: null,
      elementId: null,
      subject: 'Cold office',
      description: 'It is cold',
      priority: 'medium',
      category: 'heating',
      channel: 'portal',
      formData: {},
      metadata: {},
      slaFirstResponseDueAt: null,
      slaResolutionDueAt: null,
      reporterName: `Grace ${n} Hopper`,
      reporterEmail: reporterOf(n),
      reporterPhone: null,
    },
    { type: 'NoteAdded', noteId: randomUUID(), body: `Ring me ${n}`, visibility: 'public' },
    { type: 'TicketTransitioned', from: 'new', to: 'triaged' },
  ];
  const meta = record(n % 3 === 0 ? importer : ada, '2026-01-01T09:00:00.000Z');
  return {
    stream: `ticket-${ticketId}`,
    events: events.map((event) => inClear(ticketCodec.encode(randomUUID(), event, meta))),
  };
};

const erase = (n: number, texts: TextChoice) => {
  const [erasureId] = erasureIdsOf(secrets, 'north', `email:${reporterOf(n).toLowerCase()}`);
  const fact = {
    type: 'ErasureRequested' as const,
    erasureId: erasureId!,
    organisation: 'north',
    identityKeys: [],
    textKeys: [],
    texts,
    reason: 'Letter',
    sessions: 0,
  };
  const meta = record({ kind: 'system', id: 'test' }, '2026-02-01T09:00:00.000Z');
  const event = erasureCodec.encode(randomUUID(), fact, meta);
  return source.log.append(`erasure-${erasureId}`, 'no_stream', [event]);
};

const atrium = (...words: readonly string[]) => runAtrium(env, ...words);
const textOf = (path: string) => readFileSync(path, 'utf8');
const eventsIn = (path: string) =>
  textOf(path)
    .split('\n')
    .filter((line) => line.startsWith('{"position"'))
    .map((line) => JSON.parse(line) as StoredEvent);
const decodedIn = async (from: FreshLog) => {
  const log = sealedLog(from.log, keys, release.eventTypes);
  const events = (await everythingIn(log)).filter(({ stream }) => /^(ticket|view)-/.test(stream));
  return events
    .filter(({ type }) => ticketCodec.types.has(type) || viewCodec.types.has(type))
    .map((event) => (event.stream.startsWith('view') ? viewCodec : ticketCodec).decode(event))
    .map(({ position: _position, recordedAt: _at, personKeys: _keys, ...fact }) => fact);
};

beforeAll(async () => {
  source = await freshLog();
  pool = poolOf(source.url);
  keys = personKeysIn({ pool, secrets, clock: systemClock, trustedMs: 0 });
  env = {
    ...source.env,
    ATRIUM_DATA: temporaryDirectory('erase'),
    ATRIUM_SECRETS_KEY: secretsKey.toString('base64'),
  };
  await fill(source.log, 50, 20);
  const tickets = Array.from({ length: TICKETS }, (_, n) => ticketOf(n));
  await Promise.all(
    tickets.map(({ stream, events }) => source.log.append(stream, 'no_stream', events)),
  );
  const view = {
    type: 'ViewCreated' as const,
    viewId: randomUUID(),
    organisation: 'north',
    author: { kind: 'user' as const, id: ada.id },
    name: 'Mine',
    shared: true,
    filters: {},
    sort: 'createdAt',
    columns: [],
  };
  const meta = record(ada, '2026-01-02T09:00:00.000Z');
  await source.log.append(`view-${view.viewId}`, 'no_stream', [
    inClear(viewCodec.encode(randomUUID(), view, meta)),
  ]);
  const system = ticketCodec.encode(
    randomUUID(),
    { type: 'TicketTransitioned', from: 'triaged', to: 'in_progress' },
    record({ kind: 'system', id: 'sla' }, '2026-01-02T09:00:00.000Z'),
  );
  await source.log.append(tickets[0]!.stream, 2, [inClear(system)]);
  file = files.path('sealed.ndjson');
});
afterAll(async () => {
  await pool.end();
  await source.drop();
});

it('is refused while events are still stored in the clear', async () => {
  expect(await atrium('events', 'export', '--erase', '--to', file)).toMatchObject({
    code: 1,
    err: expect.stringContaining('atrium releases raise'),
  });
  await writtenVersions(source.log, release.eventTypes).raise(operator, '2026-01-03T09:00:00.000Z');
});

describe('an exported file', () => {
  it('has no personal data in the clear, and everything else unchanged', async () => {
    const ended = await atrium('events', 'export', '--erase', '--to', file);
    expect(ended).toMatchObject({ code: 0, out: '' });
    const sealed = TICKETS * 3 + 1;
    const said = `sealed ${sealed} events that were in the clear; but for personal data: `;
    expect(ended.err).toContain(said);
    digest = /but for personal data: .*$/m.exec(ended.err)![0];
    const text = textOf(file);
    expect(personal.filter((one) => text.includes(one))).toEqual([]);
    const before = await everythingIn(source.log);
    const after = eventsIn(file);
    const place = ({ data: _data, meta: _meta, ...rest }: StoredEvent) => rest;
    expect(after.map(place)).toEqual(before.map(place));
    const isPersonal = ({ stream, meta }: StoredEvent) =>
      /^(ticket|view)/.test(stream) && meta['schema'] === '1' && meta['by'] !== 'system:sla';
    expect(after.filter(({ meta }) => !('personKeys' in meta))).toEqual(
      before.filter((event) => !isPersonal(event)),
    );
  });

  it('is decoded like the log, which the digest proves', async () => {
    const copy = await freshLog();
    const into = { ...env, ...copy.env };
    const imported = await runAtrium(into, 'events', 'import', file);
    expect(imported).toMatchObject({ code: 0, err: expect.stringContaining(digest) });
    expect(await decodedIn(copy)).toEqual(await decodedIn(source));
    for (const one of [env, into])
      expect(await runAtrium(one, 'events', 'verify', file)).toEqual({
        code: 0,
        out: `${file}, ${digest}\nthe log, ${digest}\nnothing else differs\n`,
        err: '',
      });
    await copy.log.append('building-1', 'any', [happened('Later')]);
    expect(await runAtrium(into, 'events', 'verify', file)).toMatchObject({ code: 0 });
    await copy.drop();
  });

  it('is verified also if it starts within a command', async () => {
    const events = await everythingIn(source.log);
    const last = events.findLast(({ type }) => type === 'TicketTransitioned')!;
    for (const type of ['TicketOpened', 'NoteAdded']) {
      const { position } = events.find((one) => one.stream === last.stream && one.type === type)!;
      const part = files.path(`after-${type}.ndjson`);
      const words = ['events', 'export', '--erase', '--after', position, '--to', part];
      expect(await atrium(...words)).toMatchObject({ code: 0 });
      expect(await atrium('events', 'verify', part)).toMatchObject({
        code: 0,
        out: expect.stringContaining('nothing else differs'),
      });
    }
  });

  it('fails the verification against a log with any other difference', async () => {
    const other = await freshLog();
    expect(await runAtrium(other.env, 'events', 'verify', file)).toMatchObject({
      code: 1,
      out: expect.stringContaining('they differ in more than personal data'),
    });
    await other.drop();
    const path = files.path('plain.ndjson');
    await atrium('events', 'export', '--to', path);
    expect(await atrium('events', 'verify', path)).toMatchObject({
      code: 1,
      err: expect.stringContaining('was exported without --erase'),
    });
  });

  it('is equal for an import after it was resumed within a command', async () => {
    const whole = textOf(file);
    const path = files.path('resumed.ndjson');
    // The last event of a command has no personal data, but a hash of that of the others.
    const last = whole.indexOf('"type":"TicketTransitioned"', whole.length / 2);
    const lineEnd = whole.indexOf('\n', last);
    writeFileSync(path, whole);
    truncateSync(path, Buffer.byteLength(whole.slice(0, lineEnd)) - 3);
    const refused = await atrium('events', 'export', '--to', path, '--resume');
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('or --erase') });
    const ended = await atrium('events', 'export', '--erase', '--to', path, '--resume');
    expect(ended).toMatchObject({ code: 0, err: expect.stringContaining(digest) });
    expect(statSync(path).size).toBeGreaterThan(lineEnd);
  });
});

describe('the digest without personal data', () => {
  const digestOf = (events: readonly StoredEvent[]) => {
    const all = new UnsealedDigest(release.eventTypes);
    all.add(events);
    return all.hex;
  };

  it('does not depend on personal data', async () => {
    const clear = (await everythingIn(source.log)).filter(({ type }) => type === 'TicketOpened');
    const event = clear[0]!;
    const data = { ...(event.data as object), reporterName: 'Mary', subject: 'Warm' };
    const by = event.meta['by']!.startsWith('user:') ? { by: 'user:mary', byName: 'Mary' } : {};
    const meta = { ...event.meta, ...by, bodyHash: 'another' };
    expect(digestOf([{ ...event, data, meta }])).toBe(digestOf([event]));
  });

  it('depends on everything else, and on the order', () => {
    const events = eventsIn(file).slice(-4, -1);
    const [first, ...rest] = events as [StoredEvent, ...StoredEvent[]];
    const { data, meta } = first;
    const changed: readonly Partial<StoredEvent>[] = [
      { stream: 'ticket-other' },
      { revision: first.revision + 1 },
      { id: randomUUID() },
      { type: 'TicketAssigned' },
      { data: { ...(data as object), buildingId: randomUUID() } },
      { meta: { ...meta, at: '2026-01-01T09:00:00.001Z' } },
      { meta: { ...meta, commandId: randomUUID() } },
    ];
    const digests = [
      digestOf(events),
      ...changed.map((change) => digestOf([{ ...first, ...change }, ...rest])),
      digestOf([...rest, first]),
      digestOf(rest),
    ];
    expect(new Set(digests).size).toBe(digests.length);
    expect(digestOf([{ ...first, position: '77', recordedAt: '' }, ...rest])).toBe(digests[0]);
  });
});

it('seals the data of an erased person so that it reads as erased', async () => {
  await erase(1, 'erase');
  await erase(2, 'keep');
  const path = files.path('erased.ndjson');
  await atrium('events', 'export', '--erase', '--to', path);
  const copy = await freshLog();
  await runAtrium({ ...env, ...copy.env }, 'events', 'import', path);
  const facts = await decodedIn(copy);
  const openings = facts.flatMap(({ event, erased }) =>
    event.type === 'TicketOpened' ? [{ ...event, erased }] : [],
  );
  const of = (n: number) => openings.filter((_, at) => at % 4 === n);
  for (const one of of(0)) expect(one).toMatchObject({ subject: 'Cold office' });
  for (const [at, one] of of(1).entries())
    expect(one).toMatchObject(
      (4 * at + 1) % 3 === 0
        ? { reporterName: null, subject: null, erased: ['identity', 'texts'] }
        : { reporterName: null, subject: 'Cold office', erased: ['identity'] },
    );
  for (const one of of(2))
    expect(one).toMatchObject({ reporterName: null, subject: 'Cold office', erased: ['identity'] });
  const { rows } = await pool.query('select 1 from personal.keys where subject like $1', [
    'erased:%',
  ]);
  expect(rows).toEqual([]);
  // None of their keys would be reported as lost.
  const named = new Set(eventsIn(path).flatMap(({ meta }) => meta['personKeys']?.split(',') ?? []));
  const { rows: noted } = await pool.query(
    `select key_id from personal.keys where key_id = any($1::uuid[])
     union select key_id from personal.destroyed where key_id = any($1::uuid[])`,
    [[...named]],
  );
  expect(noted).toHaveLength(named.size);
  await copy.drop();
});

it('an erasure destroys data that was once in the clear', async () => {
  const copy = await freshLog();
  await runAtrium({ ...env, ...copy.env }, 'events', 'import', file);
  const found = await keys.keysOf('north', ['user:ada-lovelace']);
  expect(found.map(({ purpose }) => purpose).toSorted()).toEqual(['identity', 'identity', 'texts']);
  await keys.destroy(found.map(({ keyId }) => keyId));
  const text = JSON.stringify(await decodedIn(copy));
  expect(text).not.toMatch(/Lovelace|ada-lovelace/);
  expect(text).toContain('Grace 2 Hopper');
  await copy.drop();
});

it('names an event whose personal members are unknown, and closes its file', async () => {
  const broken = { ...inClear(happened('NoteAdded', { text: 'a note of another program' })) };
  await source.log.append('ticket-broken', 'no_stream', [broken]);
  const to = files.path('broken.ndjson');
  const ended = await atrium('events', 'export', '--erase', '--to', to);
  expect(ended).toMatchObject({
    code: 1,
    err: expect.stringContaining('ticket-broken, revision 0: NoteAdded cannot be sealed'),
  });
  expect(openFilesAt(to)).toEqual([]);
});
