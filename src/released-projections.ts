import type { AnyProjection } from './projections/projection.ts';
import { keyAudit } from './projections/keys/key-audit.ts';
import { parkedMessages } from './projections/bus/parked-messages.ts';
import { ticketList } from './projections/tickets/list.ts';
import { ticketMetadata } from './projections/tickets/metadata.ts';
import { ticketSearch } from './projections/tickets/search.ts';
import { journalExpiry } from './processes/journal-retention.ts';
import { ticketSla } from './processes/ticket-sla.ts';

/**
 * The read models of this release, each in the version that it feeds and reads. An older release
 * beside it goes on with its own.
 */
export const releasedProjections: readonly AnyProjection[] = [
  ticketList,
  ticketSearch,
  ticketMetadata,
  keyAudit,
  parkedMessages,
  journalExpiry.projection,
  ...ticketSla.map(({ projection }) => projection),
];
