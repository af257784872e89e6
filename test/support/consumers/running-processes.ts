/** The processes and timers of one platform process, over a log and a database. */
import type { ConsumerRequest } from '../../../src/engine/consumers/requests.ts';
import type { Database } from '../../../src/engine/postgres/pool.ts';
import type { AnyProcess } from '../../../src/engine/processes/process.ts';
import {
  processControl,
  type ProcessControl,
} from '../../../src/engine/control/process-control.ts';
import { processRuntime, type Processes } from '../../../src/engine/processes/processes.ts';
import type { AnyTimerTable } from '../../../src/engine/timers/timer-table.ts';
import { timers, type Timers } from '../../../src/engine/timers/timers.ts';
import { readModels, type ReadModels } from '../../../src/engine/projections/read-models.ts';
import type { EventStore } from '../../../src/engine/log/event-store.ts';
import { until, WAITS_MAX_MS } from '../until.ts';
import { testConsumers, type TestConsumersOptions } from './consumers.ts';
import { notifyingProcess, tasks, taskTimers, type CommandReceiver } from './sample-process.ts';

export interface RunningProcesses {
  readonly processes: Processes;
  readonly control: ProcessControl;
  readonly models: ReadModels;
  readonly timers: Timers;
  readonly db: Pick<Database, 'pool'>;
  start(): void;
  stop(): Promise<void>;
}

interface ProcessesOptions extends TestConsumersOptions {
  readonly copyMs?: number;
  readonly holdsCheckpointMaxMs?: number;
  readonly stuckFirstMs?: number;
  readonly sleepMaxMs?: number;
  readonly tables?: readonly AnyTimerTable[];
  readonly processes?: readonly AnyProcess[];
  /** Whether it feeds read models. Default true. */
  readonly feeds?: boolean;
}

export const processesOn = (
  url: string,
  log: EventStore,
  receiver: CommandReceiver,
  options: ProcessesOptions = {},
): RunningProcesses => {
  const { tables = [taskTimers(receiver)], processes = [notifyingProcess(receiver, log)] } =
    options;
  const { feeds = true } = options;
  const { consumers, db, start, stop } = testConsumers(url, log, {
    // A slow process must not be regarded as a dead one.
    silentMaxMs: 10_000,
    ...options,
  });
  const models = readModels({ projections: [tasks], consumers });
  const reacting = processRuntime({ copyMs: 50, ...options, processes, consumers });
  const due = timers({ ...options, tables, consumers });
  const names = processes.map(({ name }) => name);
  return {
    processes: reacting,
    control: processControl({ processes: names, timers: tables, consumers }),
    models,
    timers: due,
    db,
    start: () => start([...(feeds ? models.runners : []), ...reacting.runners, ...due.runners]),
    stop,
  };
};

/** Waits until processes and read models have seen the head of the log. */
export const settled = async ({ processes, models }: RunningProcesses, log: EventStore) => {
  const { position } = await log.head();
  if (position === null) return;
  const seen = await Promise.all([
    processes.waitFor(position, WAITS_MAX_MS),
    models.waitFor(models.names, position, WAITS_MAX_MS),
  ]);
  if (seen.includes(false)) throw new Error('the processes did not follow');
};

/** Requests a retry or skip of a parked stream or a stuck timer, and waits for its end. */
export const askedAgain = async (
  { control }: RunningProcesses,
  name: string,
  kind: 'retry' | 'skip',
  stream: string,
): Promise<ConsumerRequest | null> => {
  const made = await control.ask(name, { kind, stream, by: 'ana' });
  if (!made) return null;
  let request: ConsumerRequest | null = null;
  await until(async () => {
    request = await control.request(made.id);
    return request?.endedAt !== null;
  }, 'the request');
  return request;
};
