/** Status links in the log: `statusLink-<ticketId>`. */
import { statusLinkCodec } from '../../domain/public-reports/codecs.ts';
import {
  statusLinkAfter,
  statusLinkDecider,
  type StatusLink,
  type StatusLinkCommand,
} from '../../domain/public-reports/status-link.ts';
import { aggregate, type Aggregate } from '../../engine/aggregates/aggregate.ts';
import type { EventStore } from '../../engine/log/event-store.ts';

export const STATUS_LINK_CATEGORY = 'statusLink';

export type StatusLinks = Aggregate<StatusLinkCommand, StatusLink>;

export const statusLinksIn = (log: EventStore): StatusLinks =>
  aggregate({
    log,
    category: STATUS_LINK_CATEGORY,
    codec: statusLinkCodec,
    decider: statusLinkDecider,
    viewAfter: statusLinkAfter,
  });
