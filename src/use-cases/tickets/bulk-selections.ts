import { bulkDecider, type BulkCommand } from '../../domain/tickets/bulk.ts';
import { bulkCodec } from '../../domain/tickets/codecs.ts';
import { aggregate, type Aggregate } from '../../engine/aggregates/aggregate.ts';
import type { EventStore } from '../../engine/log/event-store.ts';

/** The category of streams with the tickets of a bulk. */
export const BULK_CATEGORY = 'bulk';

/** The tickets of bulks, by their command ids. */
export const bulkSelections = (log: EventStore): Aggregate<BulkCommand, readonly string[]> =>
  aggregate({
    log,
    category: BULK_CATEGORY,
    codec: bulkCodec,
    decider: bulkDecider,
    viewAfter: ({ event }) => event.ticketIds,
  });
