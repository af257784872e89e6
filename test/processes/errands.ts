/** A process and a timer table small enough to be counted, and the receiver that counts. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { openDatabase, type Database } from '../../src/db/pool.ts';
import { ownership, type Ownership } from '../../src/consumers/leases.ts';
import { refuse, type Occasion } from '../../src/domain/decider.ts';
import { systemClock, type Clock } from '../../src/ops/clock.ts';
import { loggerOf } from '../../src/ops/logging.ts';
import type { Give, Process } from '../../src/processes/process.ts';
import {
  processRuntime,
  type Processes,
  type ProcessesParts,
} from '../../src/processes/processes.ts';
import { timers, type Timers } from '../../src/processes/timers.ts';
import type { TimerTable } from '../../src/processes/timer-table.ts';
import type { Projection } from '../../src/projections/projection.ts';
import { readModels, type ReadModels } from '../../src/projections/read-models.ts';
import { Refused } from '../../src/store/aggregate.ts';
import { codecOf } from '../../src/store/codec.ts';
import type { EventStore, NewEvent } from '../../src/store/event-store.ts';
import { keyOf } from '../../src/store/streams.ts';

export type ErrandEvent =
  | { type: 'ErrandAsked'; dueAt: string; helpers: number }
  | { type: 'ErrandDone' }
  | { type: 'ErrandPostponed'; dueAt: string };

const instant = z.string();

export const errandCodec = codecOf<ErrandEvent>({
  ErrandAsked: {
    schema: z.strictObject({ type: z.literal('ErrandAsked'), dueAt: instant, helpers: z.number() }),
  },
  ErrandDone: { schema: z.strictObject({ type: z.literal('ErrandDone') }) },
  ErrandPostponed: {
    schema: z.strictObject({ type: z.literal('ErrandPostponed'), dueAt: instant }),
  },
});

export const errandFact = (
  event: ErrandEvent,
  at = '2026-03-02T12:00:00.000Z',
  id: string = randomUUID(),
): NewEvent =>
  errandCodec.encode(id, event, {
    commandId: id,
    at,
    by: { kind: 'user', id: 'ana' },
    origin: 'api',
    organisation: 'acme',
  });

export const asked = (dueAt = '2026-03-02T12:00:00.000Z', helpers = 1) =>
  errandFact({ type: 'ErrandAsked', dueAt, helpers });

/** Asks each helper, once. */
export const helping: Process<ErrandEvent> = {
  name: 'helping',
  categories: ['errand'],
  codec: errandCodec,
  on: {
    ErrandAsked: ({ stream, event: { helpers } }) => {
      if (helpers < 0) throw new Error('nobody is no helper');
      return Array.from({ length: helpers }, (_, at) => ({
        kind: 'command' as const,
        to: 'helper',
        id: `${keyOf(stream)}/${at}`,
        command: { type: 'Help' },
      }));
    },
    ErrandPostponed: ({ stream }) => [{ kind: 'delete-stream', stream: `notes-${keyOf(stream)}` }],
  },
};

export interface Errand {
  readonly id: string;
  readonly dueAt: string | null;
}

export const errands: Projection<ErrandEvent, Errand> = {
  name: 'errands',
  version: 1,
  categories: ['errand'],
  codec: errandCodec,
  table: {
    name: 'errand',
    key: 'id',
    columns: { id: 'text not null', dueAt: 'timestamptz' },
    indexes: ['create index on $table (due_at)'],
  },
  keyOf: ({ stream }) => keyOf(stream),
  rowAfter: ({ event, stream }) =>
    event.type === 'ErrandDone' ? null : { id: keyOf(stream), dueAt: event.dueAt },
};

export const reminding: TimerTable<Errand> = {
  name: 'reminding',
  projection: errands,
  dueAt: 'dueAt',
  origin: 'sla',
  fire: ({ id }) => ({ to: 'errand', id, command: { type: 'Finish' } }),
};

export interface Given {
  readonly to: string;
  readonly id: string;
  readonly commandId: string;
  readonly organisation: string | undefined;
  readonly occasion: Occasion;
}

/** Counts what arrives, and how often; `answer` may refuse, fail, or record something. */
export class Receiver {
  readonly given: Given[] = [];
  answer: (given: Given) => Promise<unknown> = async () => {};

  readonly give: Give = async (to, id, { commandId, organisation }, occasion) => {
    const given = { to, id, commandId, organisation, occasion };
    this.given.push(given);
    await this.answer(given);
  };

  /** As a decider would see them: the same command id twice is one command. */
  get distinct(): string[] {
    return [...new Map(this.given.map((each) => [each.commandId, each.id])).values()].sort();
  }
}

export const refused = () => new Refused(refuse('CONFLICT', 'It is too late.'));

export interface Household {
  readonly processes: Processes;
  readonly models: ReadModels;
  readonly timers: Timers;
  readonly db: Pick<Database, 'pool'>;
  start(): void;
  stop(): Promise<void>;
}

export const household = (
  url: string,
  log: EventStore,
  receiver: Receiver,
  options: Partial<ProcessesParts> & {
    readonly clock?: Clock;
    readonly stuckFirstMs?: number;
    readonly sleepMaxMs?: number;
    readonly tables?: readonly TimerTable<Errand>[];
    readonly locks?: Ownership;
  } = {},
): Household => {
  const logger = loggerOf(process.env['TEST_LOG_LEVEL'] ?? 'silent');
  const own = openDatabase({ url, logger });
  const { db = own, clock = systemClock, tables = [reminding] } = options;
  const locks = ownership({ url, logger, silentMaxMs: 2_000 });
  const shared = { log, db, clock, logger, ownership: locks, give: receiver.give };
  const models = readModels({ ...shared, projections: [errands] });
  const its = processRuntime({ ...shared, processes: [helping], copyMs: 50, ...options, db });
  const wakers = timers({
    ...shared,
    models,
    tables,
    ...(options.stuckFirstMs === undefined ? {} : { stuckFirstMs: options.stuckFirstMs }),
    ...(options.sleepMaxMs === undefined ? {} : { sleepMaxMs: options.sleepMaxMs }),
  });
  const stopping = new AbortController();
  let running: Promise<unknown> | undefined;
  return {
    processes: its,
    models,
    timers: wakers,
    db,
    start() {
      const { signal } = stopping;
      running = Promise.all([its.start(signal), models.start(signal), wakers.start(signal)]);
    },
    async stop() {
      stopping.abort();
      await running;
      await locks.close();
      await own.close();
    },
  };
};

/** Waits until processes and read models have seen the head of the log. */
export const settled = async ({ processes, models }: Household, log: EventStore) => {
  const { position } = await log.head();
  if (position === null) return;
  const seen = await Promise.all([
    processes.waitFor(position, 10_000),
    models.waitFor(models.names, position, 10_000),
  ]);
  if (seen.includes(false)) throw new Error('the household did not follow');
};
