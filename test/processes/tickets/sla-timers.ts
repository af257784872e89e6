/** SLA timers on a log: tickets, the timers of their clocks, and nothing else of a platform. */
import { randomUUID } from 'node:crypto';
import type { Database } from '../../../src/engine/postgres/pool.ts';
import type { TicketEvent, TicketFact } from '../../../src/domain/tickets/events.ts';
import { systemClock, type Clock } from '../../../src/engine/time/clock.ts';
import { stuckTimers, type StuckTimer } from '../../../src/engine/timers/stuck-timers.ts';
import { slaProjections, ticketSla } from '../../../src/processes/tickets/sla.ts';
import { timers, type Timers } from '../../../src/engine/timers/timers.ts';
import { readModels, type ReadModels } from '../../../src/engine/projections/read-models.ts';
import { ticketCodec } from '../../../src/domain/tickets/codecs.ts';
import type { EventStore } from '../../../src/engine/log/event-store.ts';
import { streamOf } from '../../../src/engine/log/streams.ts';
import { testConsumers } from '../../support/consumers/consumers.ts';
import { noon } from '../../support/domain/specify.ts';
import { opened } from '../../support/domain/tickets.ts';
import { ticketRepository } from '../../../src/use-cases/tickets/tickets.ts';

export interface RunningSlaTimers {
  readonly db: Pick<Database, 'pool'>;
  readonly timers: Timers;
  /** Timers whose effect recorded no event. */
  stuck(): Promise<readonly StuckTimer[]>;
  readonly models: ReadModels;
  start(): void;
  stop(): Promise<void>;
}

export const slaTimersOn = (
  url: string,
  log: EventStore,
  clock: Clock = systemClock,
): RunningSlaTimers => {
  const { consumers, db, start, stop } = testConsumers(url, log, { clock, silentMaxMs: 2_000 });
  const models = readModels({ projections: slaProjections, consumers });
  const tickets = ticketRepository(log);
  const due = timers({ tables: ticketSla(tickets), consumers });
  return {
    db,
    timers: due,
    stuck: () => stuckTimers(db.pool).list(due.names),
    models,
    start: () => start([...models.runners, ...due.runners]),
    stop,
  };
};

/** Opens a ticket as its aggregate would, at `at`; answers its id. */
export const openTicket = async (
  log: EventStore,
  at: string,
  over: Partial<TicketFact<'TicketOpened'>>,
): Promise<string> => {
  const ticketId = randomUUID();
  await record(log, ticketId, at, [opened({ ticketId, ...over })]);
  return ticketId;
};

/** Records events of a ticket as one command, at `at`. */
export const record = async (
  log: EventStore,
  ticketId: string,
  at: string,
  facts: readonly TicketEvent[],
): Promise<void> => {
  const stream = streamOf('ticket', ticketId);
  const { length } = await log.readStream(stream);
  const meta = { ...noon, at, commandId: randomUUID(), organisation: 'acme' };
  await log.append(
    stream,
    length === 0 ? 'no_stream' : length - 1,
    facts.map((fact) => ticketCodec.encode(randomUUID(), fact, meta)),
  );
};

/** The events of a ticket in the log. */
export const recordedOf = async (log: EventStore, ticketId: string) =>
  (await log.readStream(streamOf('ticket', ticketId))).map((stored) => ticketCodec.decode(stored));

/** The SLA events of a ticket in the log, as `SlaWarningRaised resolution`. */
export const slaEventsOf = async (log: EventStore, ticketId: string): Promise<string[]> =>
  (await recordedOf(log, ticketId)).flatMap(({ event }) =>
    event.type === 'SlaWarningRaised' || event.type === 'SlaClockBreached'
      ? [`${event.type} ${event.clock}`]
      : [],
  );
