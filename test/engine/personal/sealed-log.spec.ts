import { randomBytes, randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ticketCodec } from '../../../src/domain/tickets/codecs.ts';
import type { TicketEvent } from '../../../src/domain/tickets/events.ts';
import type { Actor } from '../../../src/engine/aggregates/decider.ts';
import type { RecordMeta } from '../../../src/engine/log/codec.ts';
import { LogUnavailable, type EventStore } from '../../../src/engine/log/event-store.ts';
import { memoryEventStore } from '../../../src/engine/log/memory/store.ts';
import { UnreadableEvent } from '../../../src/engine/log/codec.ts';
import { personKeysIn, type PersonKeys } from '../../../src/engine/personal/person-keys.ts';
import { sealedLog } from '../../../src/engine/personal/sealed-log.ts';
import { secretsOf } from '../../../src/engine/secrets/secrets.ts';
import { systemClock } from '../../../src/engine/time/clock.ts';
import { freshDatabase, type TestDatabase } from '../../support/postgres/database.ts';
import { poolOf } from '../../support/postgres/pool.ts';
import { eventsOf } from '../../support/log/events.ts';

const secrets = secretsOf([randomBytes(32)]);
const ticketId = '5f0c1a52-0b1c-4d6e-8f3a-1c2d3e4f5a6b';
const stream = `ticket-${ticketId}`;
const ada: Actor = { kind: 'user', id: 'ada@north.example', name: 'Ada Lovelace' };
const importer: Actor = { kind: 'key', id: 'atrk_1' };

let database: TestDatabase;
let pool: Pool;
let raw: EventStore;
let keys: PersonKeys;
let log: EventStore;

beforeAll(async () => {
  database = await freshDatabase();
  pool = poolOf(database.url);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});
beforeEach(async () => {
  await pool.query('delete from personal.keys');
  raw = memoryEventStore();
  keys = personKeysIn({ pool, secrets, clock: systemClock });
  log = sealedLog(raw, keys, ticketCodec.types);
});

const opened: TicketEvent = {
  type: 'TicketOpened',
  ticketId,
  number: 'SR-000001',
  organisation: 'north',
  requestType: 'general',
  buildingId: randomUUID(),
  storeyId: null,
  spaceId: null,
  elementId: null,
  subject: 'Cold radiator',
  description: 'It has been cold in my office',
  priority: 'medium',
  category: 'heating',
  channel: 'portal',
  reporterName: 'Grace Hopper',
  reporterEmail: 'Grace@north.example',
  reporterPhone: '+49 30 1234567',
  formData: { colour: 'mauve' },
  metadata: { desk: 'window' },
  slaFirstResponseDueAt: null,
  slaResolutionDueAt: null,
};
const note: TicketEvent = {
  type: 'NoteAdded',
  noteId: randomUUID(),
  body: 'Please ring twice',
  visibility: 'public',
};
const moved: TicketEvent = { type: 'TicketTransitioned', from: 'new', to: 'triaged' };
const personal = [
  'Cold radiator',
  'cold in my office',
  'Grace',
  'race@north',
  '1234567',
  'mauve',
  'window',
  'ring twice',
  'ada@north',
  'Lovelace',
  'body-hash',
];

const append = (events: readonly TicketEvent[], meta: Partial<RecordMeta> = {}) =>
  log.append(
    stream,
    'any',
    events.map((event) =>
      ticketCodec.encode(randomUUID(), event, {
        commandId: randomUUID(),
        at: '2026-03-01T09:00:00.000Z',
        by: ada,
        origin: 'api',
        organisation: 'north',
        ...meta,
      }),
    ),
  );
const recorded = async (from: EventStore = log) =>
  (await from.readStream(stream)).map((stored) => ticketCodec.decode(stored));
const destroyed = async (subjects: readonly string[], purposes = ['identity', 'texts']) => {
  const found = await keys.keysOf('north', subjects);
  await keys.destroy(
    found.filter(({ purpose }) => purposes.includes(purpose)).map(({ keyId }) => keyId),
  );
};

describe('a sealed log', () => {
  it('stores no personal data in the clear, and returns the events as written', async () => {
    await append([opened, note, moved], { bodyHash: 'body-hash' });
    const stored = JSON.stringify(await raw.readStream(stream));
    for (const text of personal) expect(stored).not.toContain(text);
    const read = await recorded();
    expect(read.map(({ event }) => event)).toEqual([opened, note, moved]);
    for (const one of read) {
      expect(one).toMatchObject({ by: ada, bodyHash: 'body-hash' });
      expect(one.erased).toBeUndefined();
    }
    expect(read[0]!.personKeys).toHaveLength(3);
    expect(read[2]!.personKeys).toHaveLength(2);
  });

  it('answers an append with the events as they are read', async () => {
    const { stored } = await append([opened, note]);
    const read = await log.readStream(stream);
    expect(stored).toEqual(read.map(({ id, type, data, meta }) => ({ id, type, data, meta })));
  });

  it('keeps the hash of a body without personal data', async () => {
    await append([moved], { bodyHash: 'body-hash' });
    const [stored] = await raw.readStream(stream);
    expect(stored!.meta['bodyHash']).toBe('body-hash');
    expect(stored!.meta['by']).toMatch(/^person:/);
  });

  it('returns placeholders for the reporter once their keys are destroyed', async () => {
    await append([opened, note], { bodyHash: 'body-hash' });
    await destroyed(['email:grace@north.example']);
    const read = await recorded();
    expect(read[0]!.bodyHash).toBeUndefined();
    expect(read[0]!.event).toEqual({
      ...opened,
      reporterName: null,
      reporterEmail: null,
      reporterPhone: null,
    });
    expect(read[0]).toMatchObject({ by: ada, erased: ['identity'] });
    expect(read[1]).toMatchObject({ event: note, by: ada });
  });

  it("returns placeholders for a writer's texts and identity in the same way", async () => {
    await append([opened, note, moved], { bodyHash: 'body-hash' });
    await destroyed(['user:ada@north.example']);
    const read = await recorded();
    expect(read[0]!.event).toEqual({
      ...opened,
      subject: null,
      description: '(erased)',
      formData: {},
      metadata: {},
    });
    expect(read[1]!.event).toEqual({ ...note, body: '(erased)' });
    expect(read.map(({ erased }) => erased)).toEqual([
      ['texts', 'actor'],
      ['texts', 'actor'],
      ['actor'],
    ]);
    for (const one of read) expect(one.by).toMatchObject({ kind: 'user', id: 'erased' });
    expect(JSON.stringify(read)).not.toContain('body-hash');
  });

  it('keeps texts whose key was unlinked, without their writer', async () => {
    await append([note]);
    await destroyed(['user:ada@north.example'], ['identity']);
    const left = await keys.keysOf('north', ['user:ada@north.example']);
    await keys.unlink(left.map(({ keyId }) => keyId));
    expect(await recorded()).toMatchObject([
      { event: note, by: { kind: 'user', id: 'erased' }, erased: ['actor'] },
    ]);
  });

  it('seals the texts that an API key has written as those of the reporter', async () => {
    await append([opened, note], { by: importer });
    await destroyed(['email:grace@north.example']);
    const [first] = await recorded();
    expect(first).toMatchObject({ erased: ['identity', 'texts'], by: importer });
    await destroyed([`ticket:${ticketId}`]);
    expect((await recorded())[1]).toMatchObject({ erased: ['texts'], by: importer });
  });

  it("seals a reporter without an address under the ticket's or the writer's key", async () => {
    const anonymous = { ...opened, reporterEmail: null };
    await append([anonymous, { ...anonymous, reporterName: 'Ada Lovelace' }]);
    await destroyed([`ticket:${ticketId}`]);
    expect((await recorded()).map(({ erased }) => erased)).toEqual([['identity'], undefined]);
    await destroyed(['user:ada@north.example'], ['identity']);
    expect((await recorded())[1]!.erased).toEqual(['identity', 'actor']);
  });

  it('seals only the changed texts of an edit', async () => {
    const edited: TicketEvent = {
      type: 'TicketEdited',
      changes: { description: 'ring twice', priority: 'high' },
    };
    await append([edited]);
    expect(JSON.stringify(await raw.readStream(stream))).not.toContain('ring twice');
    expect((await recorded())[0]!.event).toEqual(edited);
    await destroyed(['user:ada@north.example']);
    expect((await recorded())[0]!.event).toEqual({
      type: 'TicketEdited',
      changes: { description: '(erased)', priority: 'high' },
    });
  });

  it('reads events that were stored in the clear before', async () => {
    const encoded = ticketCodec.encode(randomUUID(), note, {
      commandId: randomUUID(),
      at: '2026-03-01T09:00:00.000Z',
      by: ada,
      origin: 'api',
      organisation: 'north',
    });
    const clear = { ...encoded, meta: { ...encoded.meta, schema: '1' } };
    await log.append(stream, 'any', [clear]);
    expect(await raw.readStream(stream)).toMatchObject([clear]);
    expect(await log.readStream(stream)).toEqual(await raw.readStream(stream));
    expect(await recorded()).toMatchObject([{ event: note, by: ada }]);
  });

  it('refuses personal data without an organisation, and stores no event', async () => {
    const encoded = ticketCodec.encode(randomUUID(), note, {
      commandId: randomUUID(),
      at: '2026-03-01T09:00:00.000Z',
      by: ada,
      origin: 'api',
    });
    await expect(log.append(stream, 'any', [encoded])).rejects.toThrow(TypeError);
    expect(await raw.readStream(stream)).toEqual([]);
  });

  it('makes an altered event, or one moved to another stream, unreadable', async () => {
    await append([note]);
    const [stored] = await raw.readStream(stream);
    await raw.append('ticket-other', 'any', [{ ...stored!, id: randomUUID() }]);
    const [copy] = await log.readStream('ticket-other');
    expect(() => ticketCodec.decode(copy!)).toThrow(UnreadableEvent);
  });

  it.each([
    ['no boxes', { sealed: 'x' }, { personKeys: randomUUID() }],
    ['boxes of nothing', { sealed: [null] }, { personKeys: randomUUID() }],
    ['no data', null, { personKeys: randomUUID() }],
    ['an actor that is no text', {}, { personKeys: randomUUID(), by: 7 }],
  ])('makes an event of another program with %s unreadable alone', async (_, data, meta) => {
    const foreign = { id: randomUUID(), type: 'NoteAdded', data, meta } as never;
    await raw.append(stream, 'any', [foreign]);
    await append([note]);
    const [first, second] = await log.readStream(stream);
    expect(() => ticketCodec.decode(first!)).toThrow(UnreadableEvent);
    expect(ticketCodec.decode(second!).event).toEqual(note);
  });

  it('is unavailable while the keys are, stores no event and reports no erasure', async () => {
    await append([note]);
    const away = poolOf('postgres://127.0.0.1:1/none');
    const lost = personKeysIn({ pool: away, secrets, clock: systemClock });
    const cut = sealedLog(raw, lost, ticketCodec.types);
    await expect(cut.readStream(stream)).rejects.toThrow(LogUnavailable);
    await expect(cut.readAll(null, { limit: 10 })).rejects.toThrow(LogUnavailable);
    const encoded = (await raw.readStream(stream)).map((one) => ({ ...one, id: randomUUID() }));
    await expect(cut.append(stream, 'any', encoded)).rejects.toThrow(LogUnavailable);
    expect(await raw.readStream(stream)).toHaveLength(1);
    await away.end();
  });

  it('resumes a subscription once the keys are available again', async () => {
    await append([note]);
    let isAway = true;
    let asked = 0;
    const flaky: PersonKeys = {
      ...keys,
      async opening(ids) {
        asked += 1;
        if (isAway) throw new LogUnavailable('away');
        return keys.opening(ids);
      },
    };
    const followed = eventsOf(sealedLog(raw, flaky, ticketCodec.types), null);
    const next = followed.next(1);
    await expect.poll(() => asked).toBeGreaterThan(1);
    isAway = false;
    expect((await next).map((stored) => ticketCodec.decode(stored).event)).toEqual([note]);
    await followed.stop();
  });

  it("lets a process read another one's sealed events, and observes its erasures", async () => {
    await append([note]);
    const theirs = personKeysIn({ pool, secrets, clock: systemClock, trustedMs: 0 });
    const other = sealedLog(raw, theirs, ticketCodec.types);
    expect((await recorded(other))[0]!.event).toEqual(note);
    await destroyed(['user:ada@north.example']);
    expect((await recorded(other))[0]!.erased).toEqual(['texts', 'actor']);
  });
});
