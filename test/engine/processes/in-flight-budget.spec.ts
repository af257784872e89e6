import { expect, it } from 'vitest';
import { IN_FLIGHT_WEIGHT_MAX } from '../../../src/engine/limits.ts';
import { InFlightBudget } from '../../../src/engine/processes/in-flight-budget.ts';

const { signal } = new AbortController();
const heldUp = async (room: InFlightBudget) => {
  const passed = { yet: false };
  const waiting = room.wait(signal).then(() => (passed.yet = true));
  await new Promise((turn) => setImmediate(turn));
  return { passed, waiting };
};

it('blocks new work while too much is not durable, and resumes all of it afterwards', async () => {
  const room = new InFlightBudget();
  const durable = room.add(IN_FLIGHT_WEIGHT_MAX);
  const [one, other] = [await heldUp(room), await heldUp(room)];
  expect([one.passed.yet, other.passed.yet]).toEqual([false, false]);
  durable();
  durable();
  await Promise.all([one.waiting, other.waiting]);
  expect((await heldUp(room)).passed.yet).toBe(true);
});

it('estimates the weight of started work by the last known one', async () => {
  const room = new InFlightBudget();
  room.add(IN_FLIGHT_WEIGHT_MAX / 2)();
  const [known] = [room.begin(), room.begin()];
  const { passed, waiting } = await heldUp(room);
  expect(passed.yet).toBe(false);
  known();
  await waiting;
});

it('ends a wait with the signal', async () => {
  const room = new InFlightBudget();
  room.add(IN_FLIGHT_WEIGHT_MAX);
  const over = new AbortController();
  const waiting = room.wait(over.signal);
  over.abort();
  await waiting;
});
