/** The projections of one process, over a log and a database that others may share. */
import type { Leases } from '../../../src/engine/consumers/leases.ts';
import type { Database } from '../../../src/engine/postgres/pool.ts';
import {
  readModels,
  type Asked,
  type ReadModels,
  type ReadModelsParts,
} from '../../../src/engine/projections/read-models.ts';
import type { EventStore } from '../../../src/engine/log/event-store.ts';
import { until, WAITS_MAX_MS } from '../until.ts';
import { testConsumers, type TestConsumersOptions } from './consumers.ts';
import { perTest, type PerTest } from './per-test.ts';
import { widgets } from './sample-projection.ts';

export interface RunningProjections {
  readonly models: ReadModels;
  readonly db: Pick<Database, 'pool'>;
  readonly leases: Leases;
  start(): void;
  stop(): Promise<void>;
}

export type ProjectionsOptions = TestConsumersOptions & Partial<Omit<ReadModelsParts, 'consumers'>>;

/** Not started. Default: the sample projection alone. */
export const projectionsOn = (
  url: string,
  log: EventStore,
  options: ProjectionsOptions = {},
): RunningProjections => {
  const { projections = [widgets], ...bounds } = options;
  const { consumers, leases, db, start, stop } = testConsumers(url, log, options);
  const models = readModels({ projections, ...bounds, consumers });
  return { models, db, leases, start: () => start(models.runners), stop };
};

interface ProjectionTests extends PerTest {
  /** Not started. */
  open(options?: ProjectionsOptions, log?: EventStore): RunningProjections;
  start(options?: ProjectionsOptions, log?: EventStore): RunningProjections;
}

/** @param defaults Of the projections of every test. */
export const projectionTests = (defaults: ProjectionsOptions = {}): ProjectionTests => {
  const test = perTest();
  const open: ProjectionTests['open'] = (options = {}, log = test.log) =>
    test.runs(projectionsOn(test.url, log, { ...defaults, ...options }));
  const start: ProjectionTests['start'] = (options, log) => {
    const one = open(options, log);
    one.start();
    return one;
  };
  return Object.assign(test, { open, start });
};

/** Waits until the read model shows the head of the log. */
export const caughtUp = async (models: ReadModels, log: EventStore, name = 'widgets') => {
  const { position } = await log.head();
  if (position === null) return;
  if (!(await models.waitFor([name], position, WAITS_MAX_MS)))
    throw new Error(`${name} did not catch up`);
};

/** Asks the owner of a read model for something and waits for its end. */
export const requestDone = async (
  { models }: Pick<RunningProjections, 'models'>,
  asked: Omit<Asked, 'by'>,
  name = 'widgets',
) => {
  const { id } = await models.ask(name, { ...asked, by: 'ana' });
  return requestEnded({ models }, id, name);
};

export const requestEnded = async (
  { models }: Pick<RunningProjections, 'models'>,
  id: string,
  name = 'widgets',
) => {
  const find = async () => (await models.requests(name)).find((request) => request.id === id)!;
  await until(async () => (await find()).endedAt !== null, 'the end of a request');
  return find();
};
