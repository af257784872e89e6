import { setTimeout as sleep } from 'node:timers/promises';
import { leases as leasesIn } from '../../src/engine/consumers/leases.ts';
import { consumers as consumersOf } from '../../src/engine/consumers/runtime.ts';
import type { EventStore } from '../../src/engine/log/event-store.ts';
import type { Logger } from '../../src/engine/observe/logging.ts';
import type { Database } from '../../src/engine/postgres/pool.ts';
import type { AnyProjection } from '../../src/engine/projections/projection.ts';
import { readModels, type ReadModels } from '../../src/engine/projections/read-models.ts';
import { systemClock } from '../../src/engine/time/clock.ts';

export const until = async (holds: () => Promise<boolean>) => {
  while (!(await holds())) await sleep(20);
};

interface Fed {
  readonly log: EventStore;
  readonly db: Database;
  readonly logger: Logger;
  readonly rowsInMemoryMax?: number;
}

/** Feeds a read model in this process during `work`. */
export const fed = async (
  projection: AnyProjection,
  { log, db, logger, ...bounds }: Fed,
  work: (models: ReadModels) => Promise<void>,
) => {
  const leases = leasesIn({ db, logger });
  const stop = new AbortController();
  const consumers = consumersOf({ log, db, leases, clock: systemClock, logger });
  const models = readModels({ projections: [projection], consumers, ...bounds });
  const ended = consumers.start(models.runners, stop.signal);
  await work(models);
  stop.abort();
  await ended;
  await leases.close();
};

/**
 * A rebuild from its request to its end.
 *
 * @param onPhase Called with each phase and its duration in seconds. Default: no call.
 * @throws Error If the rebuild failed.
 */
export const rebuild = async (
  models: ReadModels,
  name: string,
  onPhase: (phase: string, seconds: number) => void = () => {},
) => {
  const { id } = await models.ask(name, { kind: 'rebuild', by: 'bench' });
  const find = async () => (await models.requests(name)).find((request) => request.id === id)!;
  let phase = '';
  let since = performance.now();
  await until(async () => {
    const { endedAt, progress } = await find();
    if (progress && progress.phase !== phase) {
      if (phase !== '') onPhase(phase, (performance.now() - since) / 1_000);
      phase = progress.phase;
      since = performance.now();
    }
    return endedAt !== null;
  });
  const { state, error } = await find();
  if (state !== 'done') throw new Error(`${state}: ${error}`);
};
