/** The recording of counted denials while the log does not answer. */
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { keyAuthority } from '../../../src/identity/keys/authority.ts';
import { keyUseLog } from '../../../src/identity/keys/key-use-log.ts';
import { DENIAL_LOOK_MS, DENIAL_STOP_MS } from '../../../src/identity/keys/limits.ts';
import { logWith } from '../../../src/engine/log/log-with.ts';
import { memoryEventStore } from '../../../src/engine/log/memory/store.ts';
import { clockAt, currentVersions } from '../../support/log/keys.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('makes one pass at a time, and ends within its bound', async () => {
  let reads = 0;
  const log = logWith(memoryEventStore(), {
    readStream: () => {
      reads += 1;
      return new Promise(() => {});
    },
  });
  const clock = clockAt('2026-03-02T12:00:00.000Z');
  const uses = keyUseLog({ log, clock, versions: currentVersions });
  const authority = keyAuthority({ log, uses, clock, logger: pino({ level: 'silent' }) });
  authority.start();
  await vi.advanceTimersByTimeAsync(100 * DENIAL_LOOK_MS);
  expect(reads).toBe(1);
  const stopped = authority.stop();
  await vi.advanceTimersByTimeAsync(DENIAL_STOP_MS);
  await stopped;
});
