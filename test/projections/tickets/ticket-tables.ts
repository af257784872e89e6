import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { projectionId } from '../../../src/engine/consumers/consumer.ts';
import type { Actor } from '../../../src/engine/aggregates/decider.ts';
import type { TicketEvent } from '../../../src/domain/tickets/events.ts';
import { viewAfter, type TicketView } from '../../../src/domain/tickets/view.ts';
import type { AnyProjection } from '../../../src/engine/projections/projection.ts';
import { RowCache } from '../../../src/engine/projections/apply/row-cache.ts';
import { statementsOf } from '../../../src/engine/projections/apply/table-sql.ts';
import { ticketAnswers } from '../../../src/projections/tickets/answers.ts';
import { ticketList } from '../../../src/projections/tickets/list.ts';
import { ticketSearch } from '../../../src/projections/tickets/search.ts';
import { writer } from '../../../src/engine/projections/apply/writer.ts';
import { ticketCodec } from '../../../src/domain/tickets/codecs.ts';
import type { StoredEvent } from '../../../src/engine/log/event-store.ts';

/** One fact of a history, and when it was recorded. */
export interface Fact {
  readonly at: string;
  readonly event: TicketEvent;
  /** Default: the user Ana. */
  readonly by?: Actor | undefined;
}

const ana = { kind: 'user', id: 'ana', name: 'Ana' } as const;

/** A ticket's history as the log gives it back. */
export const storedOf = (facts: readonly Fact[]): StoredEvent[] => {
  const [opened] = facts;
  const key = opened?.event.type === 'TicketOpened' ? opened.event.ticketId : 'none';
  return facts.map(({ at, event, by = ana }, revision) => ({
    ...ticketCodec.encode(randomUUID(), event, { commandId: randomUUID(), at, by, origin: 'api' }),
    stream: `ticket-${key}`,
    revision,
    position: String(revision),
    recordedAt: at,
  }));
};

export const viewOf = (facts: readonly Fact[]): TicketView =>
  facts.reduce<TicketView | null>(
    (view, { at, event, by = ana }, revision) => viewAfter({ event, at, by, revision }, view),
    null,
  )!;

/** The tables of projections of tickets, filled by the runner's own writer. */
export const ticketTables = async (
  pool: Pool,
  projections: readonly AnyProjection[] = [ticketList, ticketSearch, ticketAnswers],
) => {
  const made = projections.map((projection) => {
    const statements = statementsOf(projection);
    return { projection, statements, ...writer(projection, statements, pool) };
  });
  for (const { projection, statements } of made) {
    for (const statement of statements.create) await pool.query(statement);
    await pool.query(
      `insert into consumers.checkpoint (consumer, epoch, updated_at)
       values ($1, 1, '2026-01-01T00:00:00.000Z')`,
      [projectionId(projection)],
    );
  }

  return {
    async clear() {
      for (const { statements } of made)
        await pool.query(`truncate ${statements.tables.join(', ')}`);
    },
    /** Applies the events as one batch, which finds the rows of earlier batches in the tables. */
    async apply(events: readonly StoredEvent[]) {
      for (const { projection, apply } of made) {
        const consumer = projectionId(projection);
        const move = { consumer, epoch: 1, from: null, to: null, caughtUp: true };
        const parked = await apply(
          { ...move, at: '2026-01-01T00:00:00.000Z' },
          events,
          new RowCache(10, false),
          new Set(),
        );
        if (parked.size > 0) throw new Error('parked', { cause: [...parked.values()][0]?.error });
      }
    },
  };
};
