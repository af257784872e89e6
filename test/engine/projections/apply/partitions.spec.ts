/** An append-only table partitioned by month, of a read model simple enough to check in SQL. */
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Instant } from '../../../../src/engine/aggregates/decider.ts';
import type { Projection } from '../../../../src/engine/projections/projection.ts';
import type { Asked } from '../../../../src/engine/projections/read-models.ts';
import { statementsOf } from '../../../../src/engine/projections/apply/table-sql.ts';
import { codecOf } from '../../../../src/engine/log/codec.ts';
import type { NewEvent, StoredEvent } from '../../../../src/engine/log/event-store.ts';
import {
  caughtUp,
  projectionTests,
  requestDone,
  type RunningProjections,
} from '../../../support/consumers/running-projections.ts';
import { inBatchesOf } from '../../../support/log/batches.ts';
import { logWith } from '../../../../src/engine/log/log-with.ts';
import { poolThrough } from '../../../support/postgres/pool-through.ts';
import { setClock } from '../../../support/set-clock.ts';
import { letPass, until } from '../../../support/until.ts';

interface Noted {
  readonly type: 'Noted';
  readonly text: string;
}

interface Note {
  readonly id: string;
  readonly at: Instant;
  readonly text: string;
}

const codec = codecOf<Noted>({
  Noted: { schema: z.strictObject({ type: z.literal('Noted'), text: z.string() }) },
});

const notes: Projection<Noted, Note> = {
  name: 'notes',
  version: 1,
  categories: ['note'],
  codec,
  table: {
    name: 'note',
    key: 'id',
    columns: { id: 'uuid not null', at: 'timestamptz not null', text: 'varchar(20) not null' },
    indexes: ['create index on $table (text)'],
    partitions: { by: 'at', keptMonths: 18 },
  },
  keyOf: ({ id }) => id,
  rowAfter: ({ id, at, event }, row) => row ?? { id, at, text: event.text },
};

const noted = (text: string, at: Instant): NewEvent =>
  codec.encode(
    randomUUID(),
    { type: 'Noted', text },
    { commandId: randomUUID(), at, by: { kind: 'system', id: 'x' }, origin: 'system' },
  );

const NOW = '2027-09-15T12:00:00.000Z';

const clock = setClock(NOW);
const test = projectionTests({ projections: [notes], clock });
beforeEach(() => {
  clock.at = NOW;
  clock.aheadMs = 0;
});

const shown = async ({ db }: RunningProjections) => {
  const { rows } = await db.pool.query<{ text: string }>('select text from notes_v1.note');
  return rows.map(({ text }) => text).sort();
};

const partitions = async ({ db }: RunningProjections) => {
  const { rows } = await db.pool.query<{ name: string }>(
    `select inhrelid::regclass::text as name from pg_inherits
     where inhparent = to_regclass('notes_v1.note')`,
  );
  return rows.map(({ name }) => name.replace('notes_v1.note_', '')).sort();
};

const done = (one: RunningProjections, asked: Omit<Asked, 'by'>) =>
  requestDone(one, asked, 'notes');
const verified = async (one: RunningProjections) => (await done(one, { kind: 'verify' })).result;

describe('rows partitioned by month', () => {
  it('are assigned by their instants, to the millisecond', async () => {
    await test.log.append('note-1', 'any', [
      noted('a', '2027-07-31T23:59:59.999Z'),
      noted('b', '2027-08-01T00:00:00.000Z'),
      noted('c', '2027-12-31T23:59:59.999Z'),
    ]);
    const one = test.start();
    await caughtUp(one.models, test.log, 'notes');
    expect(await shown(one)).toEqual(['a', 'b', 'c']);
    expect(await partitions(one)).toEqual(['202707', '202708', '202712']);
  });

  it('keep the first row of a repeated event, in one batch and in two', async () => {
    const repeats = logWith(test.log, {
      async *subscribe(after, options) {
        const before: StoredEvent[] = [];
        for await (const batch of test.log.subscribe(after, options)) {
          before.push(...batch.events.map((one) => ({ ...one, data: { text: 'repeat' } })));
          yield { ...batch, events: [...batch.events, ...before] };
        }
      },
    });
    await test.log.append('note-1', 'any', [noted('first', NOW)]);
    const one = test.start({}, repeats);
    await caughtUp(one.models, test.log, 'notes');
    await test.log.append('note-1', 'any', [noted('second', NOW)]);
    await caughtUp(one.models, test.log, 'notes');
    expect(await shown(one)).toEqual(['first', 'second']);
    expect(await done(one, { kind: 'rebuild' })).toMatchObject({ state: 'done' });
    expect(await shown(one)).toEqual(['first', 'second']);
  });

  it('are not read before they are written', async () => {
    await test.log.append('note-1', 'any', [noted('before', NOW)]);
    const first = test.start();
    await caughtUp(first.models, test.log, 'notes');
    await first.stop();
    const statements: string[] = [];
    const own = test.openDatabase();
    const pool = poolThrough(own.pool, (statement, send) => {
      statements.push(statement);
      return send();
    });
    const one = test.start({ db: { pool } });
    await test.log.append('note-1', 'any', [noted('a', NOW)]);
    await caughtUp(one.models, test.log, 'notes');
    expect(statements).toContain('notes_v1 write');
    expect(statements).not.toContain('notes_v1 load');
    await one.stop();
  });

  it('of a wholly expired month are not written, live or in a rebuild', async () => {
    const events = [
      noted('too old', '2026-02-28T23:59:59.999Z'),
      noted('oldest month', '2026-03-01T00:00:00.000Z'),
      noted('new', NOW),
    ];
    await test.log.append('note-1', 'any', events);
    const live = test.start();
    await caughtUp(live.models, test.log, 'notes');
    expect(await shown(live)).toEqual(['new', 'oldest month']);
    expect(await partitions(live)).toEqual(['202603', '202709']);
    expect(await done(live, { kind: 'rebuild' })).toMatchObject({ state: 'done' });
    expect(await shown(live)).toEqual(['new', 'oldest month']);
    expect(await verified(live)).toMatchObject({ equal: true });
  });

  it('are rebuilt by COPY, in portions where there are too many', async () => {
    const texts = Array.from({ length: 40 }, (_, index) => `n${10 + index}`);
    for (const [index, text] of texts.entries())
      await test.log.append(`note-${index % 3}`, 'any', [
        noted(text, `2027-0${1 + (index % 9)}-10T00:00:00.000Z`),
      ]);
    for (const rowsInMemoryMax of [1_000, 5]) {
      const small = inBatchesOf(4, test.log);
      const one = test.start({ rebuildEventsMin: 1, rowsInMemoryMax }, small);
      await caughtUp(one.models, test.log, 'notes');
      expect(await shown(one)).toEqual(texts);
      expect(await done(one, { kind: 'rebuild' })).toMatchObject({ state: 'done' });
      expect(await shown(one)).toEqual(texts);
      expect(await verified(one)).toMatchObject({ equal: true });
      await one.stop();
      await test.replaceDatabase();
    }
  });

  it('without a time park their stream and no other, live and in a rebuild', async () => {
    const bad = noted('no time', 'some day');
    await test.log.append('note-1', 'any', [noted('before', NOW), bad, noted('after', NOW)]);
    await test.log.append('note-2', 'any', [noted('other', NOW), noted('x'.repeat(21), NOW)]);
    const one = test.start();
    await caughtUp(one.models, test.log, 'notes');
    expect(await shown(one)).toEqual(['before', 'other']);
    const parked = await one.models.parked('notes');
    expect(parked.map(({ stream, revision }) => [stream, revision])).toEqual([
      ['note-1', 1],
      ['note-2', 1],
    ]);
    expect(await done(one, { kind: 'rebuild' })).toMatchObject({ state: 'done' });
    expect(await shown(one)).toEqual(['before', 'other']);
    expect(await verified(one)).toMatchObject({ equal: true });
    expect(await done(one, { kind: 'skip', stream: 'note-1' })).toMatchObject({ state: 'done' });
    expect(await shown(one)).toEqual(['after', 'before', 'other']);
  });
});

describe('a wholly expired month', () => {
  it('is dropped by the owner when the clock has moved, and no stream is parked', async () => {
    await test.log.append('note-1', 'any', [
      noted('march', '2026-03-31T23:59:59.999Z'),
      noted('april', '2026-04-01T00:00:00.000Z'),
    ]);
    const one = test.start();
    await caughtUp(one.models, test.log, 'notes');
    expect(await partitions(one)).toEqual(['202603', '202604']);
    clock.at = '2027-09-30T23:59:59.999Z';
    await letPass(1_500, 'the owner looks for old months once a second');
    expect(await partitions(one)).toEqual(['202603', '202604']);
    clock.at = '2027-10-01T00:00:00.000Z';
    await until(async () => (await partitions(one)).join() === '202604', 'the drop');
    await test.log.append('note-1', 'any', [noted('late', '2026-03-31T00:00:00.000Z')]);
    await test.log.append('note-1', 'any', [noted('new', '2027-10-01T00:00:00.000Z')]);
    await caughtUp(one.models, test.log, 'notes');
    expect(await shown(one)).toEqual(['april', 'new']);
    expect(await one.models.parked('notes')).toEqual([]);
    expect(await verified(one)).toMatchObject({ equal: true });
  });

  it('stays where only the clock of the host says so, as do new rows of the time', async () => {
    await test.log.append('note-1', 'any', [noted('march', '2026-03-10T00:00:00.000Z')]);
    const one = test.start();
    await caughtUp(one.models, test.log, 'notes');
    clock.at = '2029-10-01T00:00:00.000Z';
    clock.aheadMs = Date.parse(clock.at) - Date.parse(NOW);
    await letPass(1_500, 'the owner looks for old months once a second');
    await one.stop();
    const next = test.start();
    await test.log.append('note-1', 'any', [noted('new', NOW)]);
    await caughtUp(next.models, test.log, 'notes');
    expect(await shown(next)).toEqual(['march', 'new']);
    expect(await done(next, { kind: 'rebuild' })).toMatchObject({ state: 'done' });
    expect(await shown(next)).toEqual(['march', 'new']);
    expect(await verified(next)).toMatchObject({ equal: true });
  });

  it('is dropped by the next owner', async () => {
    await test.log.append('note-1', 'any', [noted('march', '2026-03-10T00:00:00.000Z')]);
    const first = test.start();
    await caughtUp(first.models, test.log, 'notes');
    await first.stop();
    clock.at = '2027-10-01T00:00:00.000Z';
    const second = test.start();
    await until(async () => (await partitions(second)).length === 0, 'the drop');
  });

  it('is no difference in a verification, even before it is dropped', async () => {
    await test.log.append('note-1', 'any', [noted('march', '2026-03-10T00:00:00.000Z')]);
    const one = test.start();
    await caughtUp(one.models, test.log, 'notes');
    clock.at = '2027-10-01T00:00:00.000Z';
    expect(await verified(one)).toMatchObject({ equal: true });
  });

  it('stays while a reader holds the table, and delays no other statement', async () => {
    await test.log.append('note-1', 'any', [noted('march', '2026-03-10T00:00:00.000Z')]);
    const one = test.start();
    await caughtUp(one.models, test.log, 'notes');
    const reader = await one.db.pool.connect();
    await reader.query('begin');
    await reader.query('select from notes_v1.note');
    clock.at = '2027-10-01T00:00:00.000Z';
    await letPass(2_000, 'the owner looks for old months once a second');
    expect(await partitions(one)).toEqual(['202603']);
    // A new month is attached while the reader holds the table.
    await test.log.append('note-1', 'any', [noted('new', clock.at)]);
    await caughtUp(one.models, test.log, 'notes');
    expect(await shown(one)).toEqual(['march', 'new']);
    await reader.query('commit');
    reader.release();
  });
});

it('reports in a verification the rows that differ from the log', async () => {
  await test.log.append('note-1', 'any', [noted('a', NOW), noted('b', NOW)]);
  const one = test.start();
  await caughtUp(one.models, test.log, 'notes');
  await one.db.pool.query(`delete from notes_v1.note where text = 'a'`);
  await one.db.pool.query(`update notes_v1.note set text = 'c' where text = 'b'`);
  expect(await verified(one)).toMatchObject({ equal: false, tables: [{ different: 2 }] });
});

it('rejects tallies, because a dropped month would leave its counts behind', () => {
  const tally = { name: 'n', columns: { text: 'text' }, keysOf: () => [] };
  expect(() => statementsOf({ ...notes, tallies: [tally] })).toThrow('no tallies');
});
