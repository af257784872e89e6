import { expect, it } from 'vitest';
import { systemClock } from '../../src/ops/clock.ts';
import { loggerOf } from '../../src/ops/logging.ts';
import { registration } from '../../src/processes/registration.ts';
import { LogUnavailable, type EventStore } from '../../src/store/event-store.ts';
import { memoryEventStore } from '../../src/store/memory.ts';
import { logWith } from '../projections/things.ts';
import { typesOf } from '../support/log.ts';

const parts = { clock: systemClock, logger: loggerOf('silent') };
const never = new AbortController().signal;

it('registers each process once, however many begin at once', async () => {
  const log = memoryEventStore();
  const all = Array.from({ length: 5 }, () =>
    registration({ ...parts, log, names: ['helping', 'mending'] }),
  );
  expect(all[0]!.ready()).not.toBe(true);
  await Promise.all(all.map((one) => one.register(never)));
  for (const one of all) expect(one.ready()).toBe(true);
  for (const name of ['helping', 'mending'])
    expect(typesOf(await log.readStream(`process-${name}`))).toEqual(['ProcessRegistered']);
});

it('does not give up on a log that is away', async () => {
  const log = memoryEventStore();
  let asked = 0;
  const readStream: EventStore['readStream'] = async (...of) => {
    if ((asked += 1) < 3) throw new LogUnavailable('away');
    return log.readStream(...of);
  };
  const one = registration({ ...parts, log: logWith(log, { readStream }), names: ['helping'] });
  await one.register(never);
  expect(one.ready()).toBe(true);
});

it('ends with its signal', async () => {
  const log = memoryEventStore();
  const readStream = () => Promise.reject(new LogUnavailable('away'));
  const ending = new AbortController();
  const one = registration({ ...parts, log: logWith(log, { readStream }), names: ['helping'] });
  const registering = one.register(ending.signal);
  ending.abort();
  await registering;
  expect(one.ready()).not.toBe(true);
});
