/** Keys of persons that are gone though no erasure destroyed them. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { EventStore } from '../../../src/engine/log/event-store.ts';
import { memoryEventStore } from '../../../src/engine/log/memory/store.ts';
import { personKeysIn, type PersonKeys } from '../../../src/engine/personal/person-keys.ts';
import { secretsOf } from '../../../src/engine/secrets/secrets.ts';
import { systemClock } from '../../../src/engine/time/clock.ts';
import { schemaOf } from '../../../src/engine/projections/projection.ts';
import { personKeysFinding } from '../../../src/operator/doctor/person-keys.ts';
import { lostPersonKeys } from '../../../src/projections/erasures/missing-keys.ts';
import { personalReferences } from '../../../src/projections/erasures/references.ts';
import { text } from '../../support/sources.ts';
import { happened } from '../../support/log/events.ts';
import { freshDatabase, type TestDatabase } from '../../support/postgres/database.ts';
import { poolOf } from '../../support/postgres/pool.ts';

const REFERENCES = schemaOf(personalReferences);

let database: TestDatabase;
let pool: Pool;
let keys: PersonKeys;
let log: EventStore;
beforeAll(async () => {
  database = await freshDatabase();
  pool = poolOf(database.url);
  keys = personKeysIn({ pool, secrets: secretsOf([randomBytes(32)]), clock: systemClock });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

/** Ids of three keys, each of a ticket that refers to it, in the log as in the read model. */
let ids: readonly string[];
beforeEach(async () => {
  await pool.query(`drop schema if exists ${REFERENCES} cascade`);
  await pool.query('delete from personal.keys');
  await pool.query('delete from personal.destroyed');
  log = memoryEventStore();
  const owners = ['one', 'two', 'three'].map((name) => ({
    organisation: 'north',
    subject: `user:${name}`,
    purpose: 'texts' as const,
  }));
  ids = (await keys.sealing(owners)).map(({ keyId }) => keyId);
  for (const personKeys of ids) {
    const event = happened('NoteAdded');
    const meta = { ...event.meta, personKeys };
    await log.append(`ticket-${randomUUID()}`, 'no_stream', [{ ...event, meta }]);
  }
});

const buildReferences = async () => {
  await pool.query(`create schema ${REFERENCES}`);
  await pool.query(`create table ${REFERENCES}.reference (ref text, ticket_id text, n int)`);
  await pool.query(
    `insert into ${REFERENCES}.reference select ref, 'a ticket', 1 from unnest($1::text[]) as ref`,
    [[...ids, ...ids]],
  );
};

it('are none while each is there or was destroyed by an erasure', async () => {
  await buildReferences();
  expect(await lostPersonKeys(pool, log)).toBe(0);
  await keys.destroy([ids[0]!]);
  await keys.destroy([ids[0]!, ids[1]!]);
  expect(await lostPersonKeys(pool, log)).toBe(0);
  expect(await personKeysFinding(pool, log)).toMatchObject({ status: 'ok' });
});

it('are counted once each, and doctor fails', async () => {
  await buildReferences();
  await keys.destroy([ids[0]!]);
  await pool.query('delete from personal.keys');
  expect(await lostPersonKeys(pool, log)).toBe(2);
  expect(await personKeysFinding(pool, log)).toMatchObject({
    status: 'failed',
    detail: expect.stringMatching(/^2 keys that events refer to are gone/),
  });
});

it('are seen in the log where the database is empty, before read models are built', async () => {
  expect(await lostPersonKeys(pool, log)).toBe(0);
  await pool.query('delete from personal.keys');
  expect(await lostPersonKeys(pool, log)).toBe(3);
  expect(await lostPersonKeys(pool, memoryEventStore())).toBe(0);
});

it('are restored as documented: besides newer keys of a person, without erased ones', async () => {
  const owners = ['four', 'five', 'six'].map((name) => ({
    organisation: 'north',
    subject: `user:${name}`,
    purpose: 'texts' as const,
  }));
  const sql = [...text('docs/operating/personal-data.md').matchAll(/```sql\n([^`]+)```/g)];
  const [create = '', insert = ''] = sql.map(([, statements = '']) => statements);
  const ofProcess = () =>
    personKeysIn({ pool, secrets: secretsOf([randomBytes(32)]), clock: systemClock });
  const client = await pool.connect();
  try {
    const [four, five, six] = await ofProcess().sealing(owners);
    await client.query(create);
    await client.query('insert into loaded table personal.keys');
    await client.query('delete from personal.keys');
    await keys.destroy([six!.keyId]);
    const [newer] = await ofProcess().sealing(owners.slice(0, 1));
    for (let times = 0; times < 2; times += 1) await client.query(insert);
    const { rows } = await client.query<{ id: string }>('select key_id as id from personal.keys');
    const expected = [four, five, newer].map((one) => one!.keyId);
    expect(rows.map(({ id }) => id).toSorted()).toEqual(expected.toSorted());
    expect(await keys.keysOf('north', ['user:four'])).toHaveLength(2);
  } finally {
    await client.query('drop table if exists loaded');
    client.release();
  }
});

it('are unknown in the database of an older release', async () => {
  await buildReferences();
  await pool.query('delete from personal.keys');
  await pool.query('alter table personal.destroyed rename to destroyed_later');
  expect(await lostPersonKeys(pool, log)).toBe(0);
  await pool.query('alter table personal.destroyed_later rename to destroyed');
});
