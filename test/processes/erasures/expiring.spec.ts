/** Retention beside an older release, and with a wrong clock. contract.md section 11. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { memoryEventStore } from '../../../src/engine/log/memory/store.ts';
import { loggerOf } from '../../../src/engine/observe/logging.ts';
import { DAY_MS } from '../../../src/engine/time/calendar.ts';
import { systemClock, virtualClock } from '../../../src/engine/time/clock.ts';
import { personalDataExpiry } from '../../../src/processes/erasures/expiring.ts';
import { schemaOf } from '../../../src/engine/projections/projection.ts';
import { personalDataTerms } from '../../../src/projections/erasures/terms.ts';
import { freshDatabase, type TestDatabase } from '../../support/postgres/database.ts';
import { poolThrough } from '../../support/postgres/pool-through.ts';
import { poolOf } from '../../support/postgres/pool.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.drop());

const unused = (): never => {
  throw new Error('there is no ticket');
};
const parts = {
  log: memoryEventStore(),
  models: { waitFor: unused },
  tickets: { give: unused },
  keys: { keysOf: unused, destroy: unused },
  configurationOf: unused,
  clock: systemClock,
  logger: loggerOf('silent'),
};
/** How many statements the first pass has sent. */
const asked = async (isSealed: boolean): Promise<number> => {
  const ended = new AbortController();
  const pool = poolOf(database.url);
  let statements = 0;
  const runner = personalDataExpiry({
    ...parts,
    pool: poolThrough(pool, (_, send) => {
      statements += 1;
      ended.abort();
      return send();
    }),
    isWrittenSealed: async () => {
      // The pass ends after this, or continues with the database.
      if (!isSealed) setImmediate(() => ended.abort());
      return isSealed;
    },
  });
  await runner.run({ epoch: 1, signal: ended.signal });
  await pool.end();
  return statements;
};

it('waits until no older release runs any more', async () => {
  expect(await asked(false)).toBe(0);
  expect(await asked(true)).toBeGreaterThan(0);
});

it('has no due time in the past where a month ends before the one of the term', async () => {
  const configurationOf = async () => ({ personalDataMonths: 1 }) as never;
  const nextAt = (now: string) =>
    personalDataExpiry({
      ...parts,
      pool: {
        query: async (statement: string) => ({
          rows: statement.includes('recursive')
            ? [{ id: 'acme' }]
            : [{ since: '2026-02-28T22:00:00.000Z' }],
        }),
      } as never,
      configurationOf,
      clock: { now: () => now },
      isWrittenSealed: async () => true,
    }).next();
  expect(await nextAt('2026-03-28T10:00:00.000Z')).toBe('2026-03-28T22:00:00.000Z');
  expect(await nextAt('2026-03-29T10:00:00.000Z')).toBeNull();
});

it('looks for no due ticket while the clock is ahead of that of Postgres', async () => {
  const ended = new AbortController();
  const pool = poolOf(database.url);
  const logged: object[] = [];
  let hasLooked = false;
  const runner = personalDataExpiry({
    ...parts,
    pool: poolThrough(pool, async (statement, send) => {
      if (!statement.includes(schemaOf(personalDataTerms))) return send();
      if (!statement.startsWith('select ticket_id as "ticketId", since')) return { rows: [] };
      hasLooked = true;
      ended.abort();
      return { rows: [] };
    }),
    clock: { now: () => virtualClock(systemClock, 365 * DAY_MS).now() },
    logger: {
      info: () => {},
      warn: () => {},
      error(fields: object) {
        logged.push(fields);
        ended.abort();
      },
    },
    isWrittenSealed: async () => true,
  });
  await runner.run({ epoch: 1, signal: ended.signal });
  await pool.end();
  expect(hasLooked).toBe(false);
  expect(logged).toMatchObject([{ consumer: 'work/personal-data-expiry' }]);
});
