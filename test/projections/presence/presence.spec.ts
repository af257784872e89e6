/** Presence against a real Postgres. contract.md section 5. */
import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Present } from '../../../src/domain/presence/presence.ts';
import { isRefusal, type Refusal } from '../../../src/engine/aggregates/decider.ts';
import {
  PRESENT_AT_TICKET_MAX,
  PRESENT_OF_CALLER_MAX,
} from '../../../src/projections/presence/limits.ts';
import { presenceIn, type Presence } from '../../../src/projections/presence/presence.ts';
import { clientConfig } from '../../../src/engine/postgres/pool.ts';
import { clockAt, type SettableClock } from '../../support/log/keys.ts';
import { freshDatabase, type TestDatabase } from '../../support/postgres/database.ts';
import { poolOf } from '../../support/postgres/pool.ts';

const NOW = '2026-03-15T12:00:00.000Z';
let database: TestDatabase;
let pool: Pool;
let clock: SettableClock;
let [one, other]: Presence[] = [];

beforeAll(async () => {
  database = await freshDatabase();
  pool = poolOf(database.url, clientConfig(database.url, 'presence'));
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});
beforeEach(async () => {
  await pool.query('truncate presence.present');
  clock = clockAt(NOW);
  // As two processes have it.
  [one, other] = [presenceIn({ pool, clock }), presenceIn({ pool, clock })];
});

const ticketId = randomUUID();
const at = (id: string, ticket = ticketId) => ({
  ticketId: ticket,
  organisation: 'acme',
  actor: { kind: 'user' as const, id, name: id.toUpperCase() },
});
const shown = async (ticket = ticketId) =>
  (await other!.at(ticket)).map(({ actor, state }) => `${actor.id} ${state}`);
const codeOf = (outcome: readonly Present[] | Refusal) =>
  isRefusal(outcome) ? outcome.refused : null;
/** The version of the one row. */
const version = async () => (await pool.query('select xmin::text from presence.present')).rows;

describe('presence at a ticket', () => {
  it('is seen in another process, with the name and since when', async () => {
    expect(codeOf(await one!.enter(at('ana'), 'viewing'))).toBeNull();
    expect(await other!.at(ticketId)).toEqual([
      { actor: { kind: 'user', id: 'ana', name: 'ANA' }, state: 'viewing', since: NOW },
    ]);
    expect(await shown(randomUUID())).toEqual([]);
  });

  it('is returned to each heartbeat as it is listed', async () => {
    await one!.enter(at('bo'), 'editing');
    clock.pass(1);
    for (const [id, state] of [
      ['ana', 'viewing'],
      ['ana', 'viewing'],
      ['ana', 'editing'],
      ['bo', 'editing'],
      ['bo', 'viewing'],
    ] as const) {
      expect(await other!.enter(at(id), state)).toEqual(await one!.at(ticketId));
      clock.pass(2);
    }
    clock.pass(29);
    expect(await one!.enter(at('cy'), 'viewing')).toEqual(await other!.at(ticketId));
  });

  it('lasts 30 s, and as long as it is repeated', async () => {
    await one!.enter(at('ana'), 'viewing');
    await one!.enter(at('bo'), 'viewing');
    clock.pass(15);
    await other!.enter(at('ana'), 'viewing');
    clock.pass(14.999);
    expect(await shown()).toEqual(['ana viewing', 'bo viewing']);
    clock.pass(0.001);
    expect(await shown()).toEqual(['ana viewing']);
    expect((await other!.at(ticketId))[0]!.since).toBe(NOW);
    clock.pass(15);
    expect(await shown()).toEqual([]);
  });

  it('has one row for a caller, since the last change of its state', async () => {
    await one!.enter(at('ana'), 'viewing');
    clock.pass(3);
    await other!.enter(at('ana'), 'editing');
    const since = clock.now();
    clock.pass(10);
    await one!.enter(at('ana'), 'editing');
    expect(await one!.at(ticketId)).toMatchObject([{ state: 'editing', since }]);
  });

  it('begins anew after it has expired', async () => {
    await one!.enter(at('ana'), 'viewing');
    clock.pass(31);
    await one!.enter(at('ana'), 'viewing');
    expect(await one!.at(ticketId)).toMatchObject([{ since: clock.now() }]);
  });

  it('ends immediately when the caller leaves, and idempotently', async () => {
    await one!.enter(at('ana'), 'viewing');
    await one!.enter(at('bo'), 'viewing');
    await other!.leave(at('ana'));
    await other!.leave(at('ana'));
    expect(await shown()).toEqual(['bo viewing']);
  });

  it('is that of one organisation where two persons have one id', async () => {
    await one!.enter(at('ana'), 'viewing');
    await one!.leave({ ...at('ana'), organisation: 'globex' });
    expect(await shown()).toEqual(['ana viewing']);
  });

  it('is not written again while it is fresh', async () => {
    await one!.enter(at('ana'), 'viewing');
    const first = await version();
    clock.pass(4.999);
    await other!.enter(at('ana'), 'viewing');
    expect(await version()).toEqual(first);
    clock.pass(0.001);
    await other!.enter(at('ana'), 'viewing');
    expect(await version()).not.toEqual(first);
  });

  it('leaves no row behind', async () => {
    await one!.enter(at('ana'), 'viewing');
    clock.pass(61);
    await one!.enter(at('bo'), 'viewing');
    expect((await pool.query('select caller from presence.present')).rows).toEqual([
      { caller: 'acme user:bo' },
    ]);
  });
});

describe('a bound', () => {
  it('of callers at one ticket refuses the next caller, not those present', async () => {
    for (let n = 0; n < PRESENT_AT_TICKET_MAX; n += 1) await one!.enter(at(`u${n}`), 'viewing');
    expect(codeOf(await one!.enter(at('more'), 'viewing'))).toBe('RATE_LIMITED');
    expect(codeOf(await one!.enter(at('u0'), 'editing'))).toBeNull();
    expect(codeOf(await one!.enter(at('more', randomUUID()), 'viewing'))).toBeNull();
    clock.pass(31);
    expect(codeOf(await one!.enter(at('more'), 'viewing'))).toBeNull();
  });

  it('of tickets of one caller refuses the next ticket, not open ones', async () => {
    for (let n = 0; n < PRESENT_OF_CALLER_MAX; n += 1)
      await one!.enter(at('ana', n === 0 ? ticketId : randomUUID()), 'viewing');
    expect(codeOf(await one!.enter(at('ana', randomUUID()), 'viewing'))).toBe('RATE_LIMITED');
    expect(codeOf(await one!.enter(at('ana'), 'editing'))).toBeNull();
    expect(codeOf(await one!.enter(at('bo', randomUUID()), 'viewing'))).toBeNull();
    await one!.leave(at('ana'));
    expect(codeOf(await one!.enter(at('ana', randomUUID()), 'viewing'))).toBeNull();
  });
});

it('is kept in a table without a write-ahead log', async () => {
  const { rows } = await pool.query(
    `select relpersistence as kept from pg_class where oid = 'presence.present'::regclass`,
  );
  expect(rows).toEqual([{ kept: 'u' }]);
});
