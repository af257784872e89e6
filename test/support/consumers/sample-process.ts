/** A sample process and a sample timer table, and the receiver that counts their commands. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { refuse, type Occasion } from '../../../src/engine/aggregates/decider.ts';
import {
  deleteStreamsOf,
  type CommandEffect,
  type DeleteStreamEffect,
} from '../../../src/engine/processes/effects.ts';
import { done, ignore, type Outcome } from '../../../src/engine/processes/outcome.ts';
import type { EffectHandler, Process } from '../../../src/engine/processes/process.ts';
import type { TimerTable } from '../../../src/engine/timers/timer-table.ts';
import type { Projection } from '../../../src/engine/projections/projection.ts';
import { Refused } from '../../../src/engine/aggregates/aggregate.ts';
import { codecOf } from '../../../src/engine/log/codec.ts';
import type { EventStore, NewEvent } from '../../../src/engine/log/event-store.ts';
import { keyOf } from '../../../src/engine/log/streams.ts';

export type TaskEvent =
  | { type: 'TaskRequested'; dueAt: string; recipients: number }
  | { type: 'TaskDone' }
  | { type: 'TaskPostponed'; dueAt: string };

const instant = z.string();

const taskCodec = codecOf<TaskEvent>({
  TaskRequested: {
    schema: z.strictObject({
      type: z.literal('TaskRequested'),
      dueAt: instant,
      recipients: z.number(),
    }),
  },
  TaskDone: { schema: z.strictObject({ type: z.literal('TaskDone') }) },
  TaskPostponed: {
    schema: z.strictObject({ type: z.literal('TaskPostponed'), dueAt: instant }),
  },
});

export const taskEvent = (
  event: TaskEvent,
  at = '2026-03-02T12:00:00.000Z',
  id: string = randomUUID(),
): NewEvent =>
  taskCodec.encode(id, event, {
    commandId: id,
    at,
    by: { kind: 'user', id: 'ana' },
    origin: 'api',
    organisation: 'acme',
  });

export const requested = (dueAt = '2026-03-02T12:00:00.000Z', recipients = 1) =>
  taskEvent({ type: 'TaskRequested', dueAt, recipients });

type Notify = { readonly kind: 'recipient' } & CommandEffect<{ readonly type: 'Notify' }>;

/** Gives a command to each recipient. */
export const notifyingProcess = (
  receiver: CommandReceiver,
  log: Pick<EventStore, 'deleteStream'>,
): Process<TaskEvent, undefined, Notify | DeleteStreamEffect> => ({
  name: 'notifying',
  categories: ['task'],
  codec: taskCodec,
  on: {
    TaskRequested: ({ stream, event: { recipients } }) => {
      if (recipients < 0) throw new Error('less than no recipient');
      return Array.from({ length: recipients }, (_, at) => ({
        kind: 'recipient' as const,
        id: `${keyOf(stream)}/${at}`,
        command: { type: 'Notify' as const },
      }));
    },
    TaskPostponed: ({ stream }) => [{ kind: 'delete-stream', stream: `notes-${keyOf(stream)}` }],
  },
  effects: {
    recipient: receiver.handler('recipient'),
    'delete-stream': deleteStreamsOf(log),
  },
});

interface Task {
  readonly id: string;
  readonly dueAt: string | null;
}

export const tasks: Projection<TaskEvent, Task> = {
  name: 'tasks',
  version: 1,
  categories: ['task'],
  codec: taskCodec,
  table: {
    name: 'task',
    key: 'id',
    columns: { id: 'text not null', dueAt: 'timestamptz' },
    indexes: ['create index on $table (due_at)'],
  },
  keyOf: ({ stream }) => keyOf(stream),
  rowAfter: ({ event, stream }) =>
    event.type === 'TaskDone' ? null : { id: keyOf(stream), dueAt: event.dueAt },
};

type Finish = { readonly kind: 'task' } & CommandEffect<{ readonly type: 'Finish' }>;

export const taskTimers = (receiver: CommandReceiver): TimerTable<Task, Finish> => ({
  name: 'reminding',
  projection: tasks,
  dueAt: 'dueAt',
  origin: 'sla',
  fire: ({ id }) => ({ kind: 'task', id, command: { type: 'Finish' } }),
  effects: { task: receiver.handler('task') },
});

export interface ReceivedCommand {
  readonly to: string;
  readonly id: string;
  readonly commandId: string;
  readonly organisation: string | undefined;
  readonly occasion: Occasion;
}

/** Records received commands; `answer` may refuse, fail, or append events. */
export class CommandReceiver {
  readonly received: ReceivedCommand[] = [];
  answer: (given: ReceivedCommand) => Promise<unknown> = async () => {};
  /** The outcome of an effect; `undefined`: the usual one. */
  outcome: (given: ReceivedCommand) => Outcome | undefined = () => undefined;

  handler(to: string): EffectHandler<CommandEffect<unknown>> {
    return async ({ id, organisation: own }, { id: commandId, organisation, at, by, origin }) => {
      const occasion = { at, by, origin };
      const given = { to, id, commandId, organisation: own ?? organisation, occasion };
      this.received.push(given);
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

  /** Deduplicated by command id, as by a decider. */
  get distinct(): string[] {
    return [...new Map(this.received.map((each) => [each.commandId, each.id])).values()].sort();
  }
}

export const refused = () => new Refused(refuse('CONFLICT', 'It is too late.'));
