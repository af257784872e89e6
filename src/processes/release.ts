import type { AnyProjection } from '../projections/projection.ts';
import { keyAudit } from '../projections/key-audit.ts';
import { parkedMessages } from '../projections/parked-messages.ts';
import { ticketList } from '../projections/ticket-list.ts';
import { ticketMetadata } from '../projections/ticket-metadata.ts';
import { ticketSearch } from '../projections/ticket-search.ts';
import { journalExpiry } from './journal-retention.ts';
import { ticketSla } from './ticket-sla.ts';

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
