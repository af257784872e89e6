/** Which of the events that wait for room proceed. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Backpressure } from '../../../src/processes/webhooks/backpressure.ts';
import { WEBHOOK_DIRECT_MAX } from '../../../src/processes/webhooks/limits.ts';

/** Without room for this organisation. */
const full = () => {
  const backpressure = new Backpressure();
  const count = WEBHOOK_DIRECT_MAX / 2;
  backpressure.add('acme', count);
  expect(backpressure.room('acme')).toBe(0);
  const events = (woken: () => void) =>
    Array.from({ length: 5 }, async () => {
      await backpressure.wait('acme', new AbortController().signal);
      woken();
    });
  /** All deliveries end in one turn, and none ends later. */
  const empty = () => {
    const { total } = backpressure;
    for (let ended = 0; ended < total; ended += 1) backpressure.add('acme', -1);
  };
  return { backpressure, events, empty };
};

it('all events proceed if none of them uses the room that it is offered', async () => {
  const { events, empty } = full();
  const waiting = events(() => {});
  empty();
  await Promise.all(waiting);
});

it('the other events go on waiting if the first one uses the room', async () => {
  const { backpressure, events, empty } = full();
  let woken = 0;
  const waiting = events(() => {
    woken += 1;
    backpressure.add('acme', WEBHOOK_DIRECT_MAX / 2);
  });
  for (const [index, one] of waiting.entries()) {
    empty();
    await one;
    // Events are woken between two turns of the event loop.
    await nextTurn();
    await nextTurn();
    expect(woken).toBe(index + 1);
  }
});
