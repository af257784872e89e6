/** Reminders: an aggregate, a list and a timer, on the embedded Postgres log. */
import { z } from 'zod';
import { aggregate } from '../../src/engine/aggregates/aggregate.ts';
import { refuse, tableOf, type Decider } from '../../src/engine/aggregates/decider.ts';
import type { Decision, Instant, Occasion } from '../../src/engine/aggregates/decider.ts';
import { leases } from '../../src/engine/consumers/leases.ts';
import { engineMigrations } from '../../src/engine/consumers/migrations/migrations.ts';
import { platformLog } from '../../src/engine/consumers/platform-log.ts';
import { consumers } from '../../src/engine/consumers/runtime.ts';
import { codecOf } from '../../src/engine/log/codec.ts';
import { postgresEventStore, prepareLog } from '../../src/engine/log/postgres/store.ts';
import { keyOf } from '../../src/engine/log/streams.ts';
import type { Logger } from '../../src/engine/observe/logging.ts';
import { migrate } from '../../src/engine/postgres/migrate.ts';
import { openDatabase } from '../../src/engine/postgres/pool.ts';
import { commandsTo, type CommandEffect } from '../../src/engine/processes/effects.ts';
import type { Projection } from '../../src/engine/projections/projection.ts';
import { readModels } from '../../src/engine/projections/read-models.ts';
import type { Clock } from '../../src/engine/time/clock.ts';
import { timeOrderedId } from '../../src/engine/time/time-ordered-id.ts';
import type { TimerTable } from '../../src/engine/timers/timer-table.ts';
import { timers } from '../../src/engine/timers/timers.ts';

// The aggregate: commands become events, or are refused.

type Command = { type: 'SetReminder'; text: string; dueAt: Instant } | { type: 'RingReminder' };
type Event = { type: 'ReminderSet'; text: string; dueAt: Instant } | { type: 'ReminderRang' };
type State = { readonly dueAt: Instant | null };

const codec = codecOf<Event>({
  ReminderSet: {
    schema: z.strictObject({
      type: z.literal('ReminderSet'),
      text: z.string(),
      dueAt: z.iso.datetime(),
    }),
  },
  ReminderRang: { schema: z.strictObject({ type: z.literal('ReminderRang') }) },
});

const reminder: Decider<Command, State, Event> = {
  initial: { dueAt: null },
  decide: tableOf<Command, [State, Occasion], Decision<Event>>({
    SetReminder: ({ text, dueAt }, _state, { at }) =>
      dueAt > at
        ? [{ type: 'ReminderSet', text, dueAt }]
        : refuse('CONFLICT', 'A reminder must be in the future.'),
    RingReminder: (_command, { dueAt }, { at }) =>
      dueAt !== null && dueAt <= at ? [{ type: 'ReminderRang' }] : [],
  }),
  evolve: tableOf<Event, [State, Instant], State>({
    ReminderSet: ({ dueAt }) => ({ dueAt }),
    ReminderRang: () => ({ dueAt: null }),
  }),
};

// The list: a fold from events to rows, fed in transactions with its checkpoint.

export interface Reminder {
  readonly id: string;
  readonly text: string;
  /** `null`: it rang. */
  readonly dueAt: Instant | null;
}

const reminders: Projection<Event, Reminder> = {
  name: 'reminders',
  version: 1,
  categories: ['reminder'],
  codec,
  table: {
    name: 'reminder',
    key: 'id',
    columns: { id: 'text not null', text: 'text not null', dueAt: 'timestamptz' },
    indexes: ['create index on $table (due_at)'],
  },
  keyOf: ({ stream }) => keyOf(stream),
  rowAfter: ({ stream, event }, row) =>
    event.type === 'ReminderSet'
      ? { id: keyOf(stream), text: event.text, dueAt: event.dueAt }
      : row && { ...row, dueAt: null },
};

// The timer: rows of the list that have a due time. Firing one gives a command.

type Ring = { readonly kind: 'ring' } & CommandEffect<Command>;

// All of it, composed.

export const reminderApplication = async (parts: {
  readonly databaseUrl: string;
  readonly clock: Clock;
  readonly logger: Logger;
}) => {
  const { databaseUrl: url, clock, logger } = parts;
  const db = openDatabase({ url, logger });
  await migrate(db.pool, engineMigrations);
  await prepareLog(url);
  const stored = postgresEventStore({ url, logger });
  const isJournal = () => false;
  const { log, watch } = platformLog({ log: stored, pool: db.pool, logger, isJournal });
  await watch.adopt();

  const all = aggregate<Command, State, State, Event>({
    log,
    category: 'reminder',
    codec,
    decider: reminder,
    viewAfter: ({ event, at }, view) => reminder.evolve(event, view ?? reminder.initial, at),
  });
  const ringing: TimerTable<Reminder, Ring> = {
    name: 'ringing',
    projection: reminders,
    dueAt: 'dueAt',
    fire: ({ id }) => ({ kind: 'ring', id, command: { type: 'RingReminder' } }),
    effects: { ring: commandsTo(all) },
  };

  const held = leases({ db, logger });
  const following = consumers({ log, db, leases: held, clock, logger });
  const models = readModels({ projections: [reminders], consumers: following });
  const due = timers({ tables: [ringing], consumers: following });
  const stopping = new AbortController();
  const running = following.start([...models.runners, ...due.runners], stopping.signal);

  return {
    async remind(id: string, text: string, dueAt: Instant, by: string): Promise<void> {
      const { position } = await all.give(
        id,
        { commandId: timeOrderedId(), command: { type: 'SetReminder', text, dueAt } },
        { at: clock.now(), by: { kind: 'user', id: by }, origin: 'api' },
      );
      // The caller reads its own write.
      await models.waitFor(['reminders'], position, 10_000);
    },

    async list(): Promise<readonly Reminder[]> {
      const { rows } = await db.pool.query<Reminder>(
        'select id, text, due_at as "dueAt" from reminders_v1.reminder order by id',
      );
      return rows;
    },

    async stop(): Promise<void> {
      stopping.abort();
      await running;
      await held.close();
      await log.close();
      await db.close();
    },
  };
};
