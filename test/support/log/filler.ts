import { randomUUID } from 'node:crypto';
import { REBUILD_EVENTS_MIN } from '../../../src/engine/limits.ts';
import { postgresEventStore } from '../../../src/engine/log/postgres/store.ts';
import { loggerOf } from '../../../src/engine/observe/logging.ts';

const BATCH = 500;

/** Appends as many events that concern no read model as make it be built in one piece. */
export const fillLog = async (url: string): Promise<void> => {
  const log = postgresEventStore({ url, logger: loggerOf('silent') });
  for (let left = REBUILD_EVENTS_MIN; left > 0; left -= BATCH) {
    const events = Array.from({ length: BATCH }, () => ({
      id: randomUUID(),
      type: 'Filled',
      data: {},
      meta: {},
    }));
    await log.append('filler-1', 'any', events);
  }
  await log.close();
};
