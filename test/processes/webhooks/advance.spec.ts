import { expect, it } from 'vitest';
import { webhookDeliverer } from '../../../src/processes/webhooks/claim-batch.ts';
import { ADVANCE_SETTLE_MAX_MS, TIMER_CURRENT_WAIT_MS } from '../../../src/engine/limits.ts';
import { systemClock } from '../../../src/engine/time/clock.ts';

/** A backlog without deliveries that needs so long to show the log's head. */
const behindFor = (ms: number) => {
  const parts = {
    clock: systemClock,
    sender: { onRoom: () => {} },
    consumers: {
      log: { head: async () => ({ position: '1' }) },
      pool: { query: async () => ({ rows: [{ due: null }] }) },
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
