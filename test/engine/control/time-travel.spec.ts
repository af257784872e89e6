import { pino } from 'pino';
import { expect, it } from 'vitest';
import { systemClock, virtualClock } from '../../../src/engine/time/clock.ts';
import type { ProcessStatus } from '../../../src/engine/control/process-control.ts';
import { timeTravel } from '../../../src/engine/control/time-travel.ts';
import { AdvanceUnfinished } from '../../../src/engine/control/virtual-time.ts';
import type { ProjectionStatus } from '../../../src/engine/projections/read-models.ts';
import { memoryEventStore } from '../../../src/engine/log/memory/store.ts';
import { happened } from '../../support/log/events.ts';

const lag = { lagEvents: 0, lagSeconds: 0, owner: 'this', parked: 0, lastError: null } as const;
const listAt = (position: string): ProjectionStatus => ({
  ...lag,
  name: 'list',
  version: 1,
  position,
  state: 'live',
  work: null,
});
const processAt = (position: string): ProcessStatus => ({
  ...lag,
  name: 'process',
  kind: 'process',
  position,
  retrying: 0,
  nextDueAt: null,
});

it('does not wait for a process without progress, though the read models have some', async () => {
  const log = memoryEventStore();
  await log.append('note-1', 'no_stream', [happened('Noted'), happened('Noted')]);
  let looks = 0;
  const travel = timeTravel({
    log,
    clock: virtualClock(systemClock),
    models: {
      names: ['list'],
      ready: async () => true,
      waitFor: async () => true,
      status: async () => {
        if ((looks += 1) > 20) throw new Error('it waits for ever');
        return [listAt(`${2 + looks}`)];
      },
    },
    processes: { waitFor: async () => false, nextRetryAt: () => null, wake() {} },
    control: { status: async () => [processAt('1')] },
    timers: { earliest: async () => null, fireDue: async () => {}, wake() {} },
    runsAll: true,
    logger: pino({ level: 'silent' }),
    stopping: new AbortController().signal,
  });

  await expect(travel.advance(60_000)).rejects.toBeInstanceOf(AdvanceUnfinished);
});
