import { describe, expect, it } from 'vitest';
import { whenReachable } from '../../src/operator/when-reachable.ts';
import { loggerOf } from '../../src/engine/observe/logging.ts';
import { readinessError } from '../../src/engine/observe/readiness-error.ts';
import { LogUnavailable } from '../../src/engine/log/event-store.ts';
import { LogRestored } from '../../src/engine/log/log-refused.ts';

const logger = loggerOf('silent');

/** Fails once, and then is there. */
const failingOnce = (error: Error) => {
  let asked = 0;
  return async () => {
    if ((asked += 1) === 1) throw error;
    return 'opened';
  };
};

describe('a server that starts', () => {
  it('waits for a log that is away', async () => {
    const open = failingOnce(new LogUnavailable('away'));
    expect(await whenReachable(open, logger)).toBe('opened');
  });

  it('does not wait for a log that was restored: an operator has to act', async () => {
    const restored = new LogRestored(readinessError('the event log is older than what was built'));
    await expect(whenReachable(failingOnce(restored), logger)).rejects.toBe(restored);
  });

  it('does not wait where waiting is no help', async () => {
    const bug = new TypeError('a bug');
    await expect(whenReachable(failingOnce(bug), logger)).rejects.toBe(bug);
  });
});
