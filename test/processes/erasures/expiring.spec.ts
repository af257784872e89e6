/** Retention beside a release that cannot read what it records. contract.md section 11. */
import type { Pool } from 'pg';
import { expect, it } from 'vitest';
import { loggerOf } from '../../../src/engine/observe/logging.ts';
import {
  personalDataExpiry,
  type ExpiringParts,
} from '../../../src/processes/erasures/expiring.ts';

const asked = async (isSealed: boolean): Promise<number> => {
  const ended = new AbortController();
  let statements = 0;
  const runner = personalDataExpiry({
    logger: loggerOf('silent'),
    pool: {
      query: async () => {
        statements += 1;
        ended.abort();
        return { rows: [] };
      },
    } as unknown as Pool,
    isWrittenSealed: async () => {
      // The pass is over after this, or goes on to the database.
      if (!isSealed) setImmediate(() => ended.abort());
      return isSealed;
    },
  } as unknown as ExpiringParts);
  await runner.run({ epoch: 1, signal: ended.signal });
  return statements;
};

it('waits until no older release runs any more', async () => {
  expect(await asked(false)).toBe(0);
  expect(await asked(true)).toBeGreaterThan(0);
});
