/** A process and a timer table small enough to be counted, and the receiver that counts. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Database } from '../../../src/db/pool.ts';
import { refuse, type Occasion } from '../../../src/domain/decider.ts';
import {
  deleteStreamsOf,
  type CommandEffect,
  type DeleteStreamEffect,
} from '../../../src/processes/effects.ts';
import { done, ignore, type Outcome } from '../../../src/processes/outcome.ts';
import type { AnyProcess, EffectHandler, Process } from '../../../src/processes/process.ts';
import { processRuntime, type Processes } from '../../../src/processes/processes.ts';
import type { AnyTimerTable, TimerTable } from '../../../src/processes/timer-table.ts';
import { timers, type Timers } from '../../../src/processes/timers.ts';
import type { Projection } from '../../../src/projections/projection.ts';
import { readModels, type ReadModels } from '../../../src/projections/read-models.ts';
import { Refused } from '../../../src/store/aggregate.ts';
import { codecOf } from '../../../src/store/codec.ts';
import type { EventStore, NewEvent } from '../../../src/store/event-store.ts';
import { keyOf } from '../../../src/store/streams.ts';
import { testConsumers, type TestConsumersOptions } from './consumers.ts';

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

type Help = { readonly kind: 'helper' } & CommandEffect<{ readonly type: 'Help' }>;

/** Asks each helper, once. */
export const helpingWith = (
  receiver: Receiver,
  log: Pick<EventStore, 'deleteStream'>,
): Process<ErrandEvent, undefined, Help | DeleteStreamEffect> => ({
  name: 'helping',
  categories: ['errand'],
  codec: errandCodec,
  on: {
    ErrandAsked: ({ stream, event: { helpers } }) => {
      if (helpers < 0) throw new Error('nobody is no helper');
      return Array.from({ length: helpers }, (_, at) => ({
        kind: 'helper' as const,
        id: `${keyOf(stream)}/${at}`,
        command: { type: 'Help' as const },
      }));
    },
    ErrandPostponed: ({ stream }) => [{ kind: 'delete-stream', stream: `notes-${keyOf(stream)}` }],
  },
  effects: {
    helper: receiver.handler('helper'),
    'delete-stream': deleteStreamsOf(log),
  },
});

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

type Finish = { readonly kind: 'errand' } & CommandEffect<{ readonly type: 'Finish' }>;

export const remindingWith = (receiver: Receiver): TimerTable<Errand, Finish> => ({
  name: 'reminding',
  projection: errands,
  dueAt: 'dueAt',
  origin: 'sla',
  fire: ({ id }) => ({ kind: 'errand', id, command: { type: 'Finish' } }),
  effects: { errand: receiver.handler('errand') },
});

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
  /** How an effect ends, where it is not as usual. */
  outcome: (given: Given) => Outcome | undefined = () => undefined;

  handler(to: string): EffectHandler<CommandEffect<unknown>> {
    return async ({ id, organisation: own }, { id: commandId, organisation, at, by, origin }) => {
      const occasion = { at, by, origin };
      const given = { to, id, commandId, organisation: own ?? organisation, occasion };
      this.given.push(given);
      try {
        await this.answer(given);
      } catch (error) {
        if (error instanceof Refused)
          return ignore(`${error.refusal.refused}: ${error.refusal.detail}`);
        throw error;
      }
      return this.outcome(given) ?? done;
    };
  }

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

export interface HouseholdOptions extends TestConsumersOptions {
  readonly copyMs?: number;
  readonly holdsCheckpointMaxMs?: number;
  readonly stuckFirstMs?: number;
  readonly sleepMaxMs?: number;
  readonly tables?: readonly AnyTimerTable[];
  readonly processes?: readonly AnyProcess[];
}

export const household = (
  url: string,
  log: EventStore,
  receiver: Receiver,
  options: HouseholdOptions = {},
): Household => {
  const { tables = [remindingWith(receiver)], processes = [helpingWith(receiver, log)] } = options;
  const { consumers, db, start, stop } = testConsumers(url, log, {
    silentMaxMs: 2_000,
    ...options,
  });
  const models = readModels({ projections: [errands], consumers });
  const reacting = processRuntime({ copyMs: 50, ...options, processes, consumers });
  const due = timers({ ...options, tables, consumers });
  return {
    processes: reacting,
    models,
    timers: due,
    db,
    start: () => start([...models.runners, ...reacting.runners, ...due.runners]),
    stop,
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
