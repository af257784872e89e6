import { ticketBulkRoutes } from '../api/tickets/bulk.ts';
import { changeRoutes } from '../api/tickets/changes.ts';
import { ticketExportRoutes } from '../api/tickets/export.ts';
import { ticketImportRoutes } from '../api/tickets/import.ts';
import {
  LISTS,
  SEARCHES,
  TICKET_BULKS,
  TICKET_EXPORTS,
  TICKET_IMPORTS,
} from '../api/tickets/limits.ts';
import { ticketLookupRoutes } from '../api/tickets/lookup.ts';
import { requesterRoutes } from '../api/tickets/requester-routes.ts';
import { ticketRoutes } from '../api/tickets/routes.ts';
import { timelineRoutes } from '../api/tickets/timeline.ts';
import { changeFeed } from '../projections/tickets/feed/feed.ts';
import { timelines } from '../projections/tickets/feed/timeline.ts';
import {
  CHANGES_WAITING_MAX,
  CHANGES_WAITING_OF_CALLER_MAX,
  CHANGES_WAITING_OF_ORGANISATION_MAX,
} from '../domain/tickets/limits.ts';
import { fileReferences } from '../files/references.ts';
import { fairSemaphore } from '../engine/concurrency/fair-semaphore.ts';
import { ticketPublishing } from '../processes/tickets/publishing.ts';
import { ticketRelocation } from '../processes/tickets/relocation.ts';
import { slaProjections, slaTimers, ticketSla } from '../processes/tickets/sla.ts';
import { ticketPositionIndex } from '../projections/position-queries.ts';
import { ticketPositions } from '../projections/tickets/positions.ts';
import type { ReadModels } from '../engine/projections/read-models.ts';
import { ticketAnswers } from '../projections/tickets/answers.ts';
import { ticketList } from '../projections/tickets/list.ts';
import { ticketMetadata } from '../projections/tickets/metadata.ts';
import { ticketSearch } from '../projections/tickets/search.ts';
import { bulkCodec, feedSkipCodec, numberingCodec, ticketCodec } from '../domain/tickets/codecs.ts';
import { BULK_CATEGORY, bulkSelections } from '../use-cases/tickets/bulk-selections.ts';
import { FEED_SKIP_CATEGORY } from '../use-cases/tickets/feed-skips.ts';
import { feedMetrics } from '../processes/tickets/feed-metrics.ts';
import { readinessError, type Ready } from '../engine/observe/readiness-error.ts';
import { singleFlight } from '../engine/concurrency/single-flight.ts';
import { READINESS_KEPT_MS } from '../limits.ts';
import type { Capability } from '../composition/capability.ts';

/** The service desk's tickets, their clocks and their feed. interface.md «Service-desk tickets». */
export const tickets: Capability = {
  tag: {
    name: 'tickets',
    description: 'Requests to the service desk and their history.',
  },
  streams: [
    { category: 'ticket', codec: ticketCodec, kept: 'forever' },
    { category: 'numbering', codec: numberingCodec, kept: 'forever' },
    { category: BULK_CATEGORY, codec: bulkCodec, kept: 'forever' },
    { category: FEED_SKIP_CATEGORY, codec: feedSkipCodec, kept: 'forever' },
  ],
  projections: [
    ticketList,
    ticketSearch,
    ticketMetadata,
    ticketAnswers,
    ticketPositions,
    ...slaProjections,
  ],
  processes: ['ticket-publishing', 'ticket-relocation'],
  timers: slaTimers,

  compose(core) {
    const { log, clock, logger, consumers, models, graph, desks, numbers, changes, stopping } =
      core;
    const { occasionOf, visibility, ticketQueries: queries } = core;
    const opening = { tickets: core.tickets, graph, numbers, desks };
    const searchReady = searchReadiness(models);
    const blocked = singleFlight(() => core.feedControl.blocked(), READINESS_KEPT_MS);
    feedMetrics(core.metrics, async () => (await blocked()).length);
    return {
      routes: async (app) => {
        await app.register(ticketRoutes, {
          ...opening,
          queries,
          people: core.people,
          occasionOf,
          visibility,
          lists: core.permits(LISTS),
          searches: core.permits(SEARCHES),
          searchReady,
        });
        await app.register(requesterRoutes, { ...opening, occasionOf, visibility });
        await app.register(ticketExportRoutes, {
          attachments: core.attachments,
          references: fileReferences(core.db.pool, core.files),
          queries,
          desks,
          log,
          clock,
          occasionOf,
          visibility,
          searchReady,
          exports: core.permits(TICKET_EXPORTS),
        });
        await app.register(ticketImportRoutes, {
          ...opening,
          occasionOf,
          visibility,
          stopping,
          imports: core.permits(TICKET_IMPORTS),
        });
        await app.register(ticketBulkRoutes, {
          tickets: core.tickets,
          graph,
          desks,
          queries,
          people: core.people,
          selections: bulkSelections(log),
          occasionOf,
          visibility,
          searchReady,
          stopping,
          bulks: core.permits(TICKET_BULKS),
        });
        const feed = changeFeed({
          log,
          index: ticketPositionIndex(core),
          indexWaitMs: visibility.readWaitMs,
          reader: consumers.reader,
          changes,
          logger,
          onBlocked: core.feedControl.note,
        });
        const readers = fairSemaphore({
          ofCaller: CHANGES_WAITING_OF_CALLER_MAX,
          ofOrganisation: CHANGES_WAITING_OF_ORGANISATION_MAX,
          inAll: CHANGES_WAITING_MAX,
        });
        await app.register(changeRoutes, { feed, readers, cursors: core.cursors, stopping });
        await app.register(timelineRoutes, {
          tickets: core.tickets,
          timelines: timelines(log, clock),
        });
        await app.register(ticketLookupRoutes, { queries, visibility });
      },
      processes: [
        ticketRelocation({ tickets: core.tickets, graph, queries, models }),
        ticketPublishing(changes, core.bus.publish),
      ],
      timers: ticketSla(core.tickets),
      degradable: [
        { part: 'change-feed', reason: async () => feedReadiness((await blocked()).length) },
      ],
    };
  },
};

/** Without the tickets' ids, because readiness is public. */
export const feedReadiness = (blocked: number): Ready =>
  blocked === 0 ||
  readinessError(`${blocked} unreadable tickets block the change feed: atrium feed blocked`);

/** Queries the status until the search is built; a later loss of its table fails its queries. */
const searchReadiness = (models: ReadModels): (() => Promise<true | string>) => {
  let built = false;
  return async () => {
    const isSearch = ({ name }: { name: string }) => name === ticketSearch.name;
    built ||= (await models.status()).find(isSearch)?.state !== 'building';
    return built || 'The search is still being built.';
  };
};
