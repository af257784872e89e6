import { describe, expect, it } from 'vitest';
import { whenReachable } from '../../src/operator/when-reachable.ts';
import { embeddedPostgres } from '../../src/engine/postgres/embedded/embedded.ts';
import { loggerOf } from '../../src/engine/observe/logging.ts';
import { readinessError } from '../../src/engine/observe/readiness-error.ts';
import { LogUnavailable } from '../../src/engine/log/event-store.ts';
import { LogRestored } from '../../src/engine/log/log-refused.ts';

const logger = loggerOf('silent');

/** Fails at the first call, and then succeeds. */
const failingOnce = (error: Error) => {
  let asked = 0;
  return async () => {
    if ((asked += 1) === 1) throw error;
    return 'opened';
  };
};

describe('a starting server', () => {
  it('waits for an unavailable log', async () => {
    const open = failingOnce(new LogUnavailable('away'));
    expect(await whenReachable(open, logger)).toBe('opened');
  });

  it('does not wait for a restored log, which needs an operator', async () => {
    const restored = new LogRestored(readinessError('the event log is older than what was built'));
    await expect(whenReachable(failingOnce(restored), logger)).rejects.toBe(restored);
  });

  it('does not wait for a directory that cannot be made', async () => {
    let opened = 0;
    const open = () => {
      opened += 1;
      return embeddedPostgres('/dev/null/postgres');
    };
    await expect(whenReachable(open, logger)).rejects.toThrow('cannot be used: ');
    expect(opened).toBe(1);
  });

  it('does not wait after an error that a retry cannot fix', async () => {
    const bug = new TypeError('a bug');
    await expect(whenReachable(failingOnce(bug), logger)).rejects.toBe(bug);
  });
});
