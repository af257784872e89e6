/** Metrics of audit records that could not be written, and of lost counts. */
import { pino } from 'pino';
import { beforeEach, expect, it } from 'vitest';
import { keyUseLog } from '../../../src/identity/keys/key-use-log.ts';
import { keyAuthority } from '../../../src/identity/keys/authority.ts';
import type { KeyUse } from '../../../src/identity/keys/key-authority.ts';
import { LogUnavailable } from '../../../src/engine/log/event-store.ts';
import { logWith } from '../../../src/engine/log/log-with.ts';
import { memoryEventStore } from '../../../src/engine/log/memory/store.ts';
import { clockAt, keysOf, currentVersions } from '../../support/log/keys.ts';

const use: KeyUse = {
  needs: 'platform.sandboxes:read',
  route: 'GET /api/v1/sandboxes',
  sourceIp: '192.0.2.1',
  userAgent: null,
};

const counted = { unrecorded: 0, minutes: 0 };
beforeEach(() => Object.assign(counted, { unrecorded: 0, minutes: 0 }));
const measured = {
  unrecorded: () => void (counted.unrecorded += 1),
  countsLost: (minutes: number) => void (counted.minutes += minutes),
};
const logger = pino({ level: 'silent' });

it('counts each request whose use of a key could not be recorded, and no other', async () => {
  const kept = memoryEventStore();
  const clock = clockAt('2026-03-02T12:00:00.000Z');
  const { token } = await keysOf(kept, clock, 'acme').mint();
  let isFull = false;
  const log = logWith(kept, {
    append: (...call) =>
      isFull ? Promise.reject(new LogUnavailable('its disk is full')) : kept.append(...call),
  });
  const uses = keyUseLog({ log, clock, versions: currentVersions });
  const authority = keyAuthority({ log, uses, clock, logger, measured });
  expect(await authority.check(token, use)).toMatchObject({ allowed: true });
  expect(counted.unrecorded).toBe(0);
  isFull = true;
  await expect(authority.check(token, use)).rejects.toThrow('its disk is full');
  await expect(authority.check(token, use)).rejects.toThrow('its disk is full');
  expect(counted.unrecorded).toBe(2);
  await authority.stop();
});

it('counts each minute whose counts of denials were lost', async () => {
  const log = memoryEventStore();
  const clock = clockAt('2026-03-02T12:00:00.000Z');
  const uses = keyUseLog({ log, clock, versions: currentVersions });
  const killed = keyAuthority({ log, uses, clock, logger });
  for (let tried = 0; tried < 9; tried += 1) await killed.check('atr_x', use);
  clock.pass(121);
  const next = keyAuthority({ log, uses, clock, logger, measured });
  next.start();
  await next.stop();
  expect(counted.minutes).toBe(1);
});
