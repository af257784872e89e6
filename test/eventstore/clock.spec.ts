/** The virtual clock on a real EventStoreDB with many events. contract.md section 10. */
import { afterAll, expect, inject, it } from 'vitest';
import { systemClock, virtualClock } from '../../src/engine/time/clock.ts';
import { clockOffsetMs } from '../../src/engine/control/time-travel.ts';
import { eventstoreDbStore } from '../../src/engine/log/eventstoredb/store.ts';
import { testApi } from '../support/api/api.ts';
import { moved } from '../support/domain/tickets.ts';
import { ticketLog } from '../support/log/ticket-log.ts';
import { until } from '../support/until.ts';

const url = inject('eventstoreUrl');
const log = eventstoreDbStore({ url });
afterAll(() => log.close());
// The server is shared, and its clock may have been moved.
const clock = virtualClock(systemClock, await clockOffsetMs(log));
const platform = testApi(() => ({ log: eventstoreDbStore({ url }), clock, timeTravel: true }));

it('advances after thousands of events, answered 202 or retried after 503', async () => {
  const tickets = ticketLog(log);
  const operator = platform.as('operator@atrium.test');
  const ids: string[] = [];
  const writer = async () => {
    while (ids.length < 1_000) {
      // Due in March 2026: both of its SLA clocks are already breached.
      const id = await tickets.open();
      ids.push(id);
      await tickets.command(id, [moved('new', 'triaged')]);
    }
  };
  await Promise.all(Array.from({ length: 32 }, writer));
  const key = { 'idempotency-key': 'an-hour-on' };
  const asked = () => operator.post('/api/v1/clock', { advance: 'PT1H' }, key);
  /** A 503 is repeated: the server of the log may be too slow for now. */
  const accepted = async () => {
    const { status, body } = await asked();
    expect([status, body.code]).toBeOneOf([
      [200, undefined],
      [202, undefined],
      [503, 'UNAVAILABLE'],
    ]);
    return status !== 503;
  };
  const reached = async () => {
    const { target, state } = (await operator.get('/api/v1/clock')).body;
    if (state === 'stopped') await accepted();
    return target === undefined;
  };
  await until(accepted, 'an answer that is no 503', { maxMs: 600_000 });
  await until(reached, 'the target', { everyMs: 1_000, maxMs: 600_000 });
  for (const id of ids.slice(0, 20)) {
    const types = (await log.readStream(`ticket-${id}`)).map(({ type }) => type);
    expect(types.filter((type) => type === 'SlaClockBreached')).toHaveLength(2);
  }
});
