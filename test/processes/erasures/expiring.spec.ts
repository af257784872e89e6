/** Retention beside a release that cannot read its events. contract.md section 11. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { memoryEventStore } from '../../../src/engine/log/memory/store.ts';
import { loggerOf } from '../../../src/engine/observe/logging.ts';
import { systemClock } from '../../../src/engine/time/clock.ts';
import { personalDataExpiry } from '../../../src/processes/erasures/expiring.ts';
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
/** How many statements the first pass has sent. */
const asked = async (isSealed: boolean): Promise<number> => {
  const ended = new AbortController();
  const pool = poolOf(database.url);
  let statements = 0;
  const runner = personalDataExpiry({
    log: memoryEventStore(),
    pool: poolThrough(pool, (_, send) => {
      statements += 1;
      ended.abort();
      return send();
    }),
    models: { waitFor: unused },
    tickets: { give: unused },
    keys: { keysOf: unused, destroy: unused },
    configurationOf: unused,
    clock: systemClock,
    logger: loggerOf('silent'),
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
