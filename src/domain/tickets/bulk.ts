/**
 * The tickets of one bulk with an `Idempotency-Key`: `bulk-<command id>`. A repeat continues with
 * them, even if its filter matches others by then. contract.md section 5.
 */
import { z } from 'zod';
import type { Decider } from '../../engine/aggregates/decider.ts';

export const bulkEventSchemas = {
  TicketsSelected: z.strictObject({
    type: z.literal('TicketsSelected'),
    /** In the order in which they are acted on. */
    ticketIds: z.array(z.uuid()).readonly(),
  }),
};

export type BulkEvent = Readonly<z.infer<typeof bulkEventSchemas.TicketsSelected>>;

export interface BulkCommand {
  readonly type: 'SelectTickets';
  readonly ticketIds: readonly string[];
}

/** The tickets; `null` before they are selected. */
export type Bulk = readonly string[] | null;

/** Refuses nothing; the first selection counts. */
export const bulkDecider: Decider<BulkCommand, Bulk, BulkEvent> = {
  initial: null,
  decide: ({ ticketIds }, selected) =>
    selected === null ? [{ type: 'TicketsSelected', ticketIds }] : [],
  evolve: ({ ticketIds }) => ticketIds,
};
