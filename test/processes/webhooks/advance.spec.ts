import { expect, it } from 'vitest';
import { webhookDeliverer } from '../../../src/processes/webhooks/claim-batch.ts';
import { ADVANCE_SETTLE_MAX_MS, TIMER_CURRENT_WAIT_MS } from '../../../src/engine/limits.ts';
import { systemClock } from '../../../src/engine/time/clock.ts';
import { heldFor, until } from '../../support/until.ts';

/** A backlog whose next delivery is due at `due`, and which shows the log's head after `ms`. */
const behindFor = (ms: number, due: () => string | null = () => null) => {
  const parts = {
    clock: systemClock,
    sender: { onRoom: () => {} },
    consumers: {
      log: { head: async () => ({ position: '1' }) },
      pool: { query: async () => ({ rows: [{ due: due() }] }) },
      positions: { until: async (_: unknown, __: unknown, waitMs: number) => waitMs >= ms },
    },
  };
  return webhookDeliverer(parts as never);
};

it('an advance of the clock waits for the backlog as long as for any other table', async () => {
  await behindFor(TIMER_CURRENT_WAIT_MS + 1).fireDue();
  await behindFor(ADVANCE_SETTLE_MAX_MS).fireDue();
  await expect(behindFor(ADVANCE_SETTLE_MAX_MS + 1).fireDue()).rejects.toThrow(/log's head/);
});

it('an advance of the clock that is stopped does not wait for what stays due', async () => {
  let looks = 0;
  const due = () => {
    looks += 1;
    return '2026-01-01T00:00:00.000Z';
  };
  const stopping = new AbortController();
  const firing = behindFor(0, due)
    .fireDue(stopping.signal)
    .catch((error: unknown) => error);
  await until(() => looks > 1);
  const reason = new Error('the test is over');
  stopping.abort(reason);
  expect(await heldFor(firing, 30_000)).toBe(reason);
});
