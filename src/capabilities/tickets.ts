import { changeRoutes } from '../api/tickets/changes.ts';
import { ticketLookupRoutes } from '../api/tickets/lookup.ts';
import { ticketRoutes } from '../api/tickets/routes.ts';
import { timelineRoutes } from '../api/tickets/timeline.ts';
import { changeFeed } from '../feed/feed.ts';
import { timelines } from '../feed/timeline.ts';
import {
  CHANGES_WAITING_MAX,
  CHANGES_WAITING_OF_CALLER_MAX,
  CHANGES_WAITING_OF_ORGANISATION_MAX,
  SEARCH_PLACE_WAIT_MS,
  SEARCHES_MAX,
  SEARCHES_OF_CALLER_MAX,
  SEARCHES_OF_ORGANISATION_MAX,
} from '../limits.ts';
import { places } from '../ops/places.ts';
import { ticketPublishing } from '../processes/ticket-publishing.ts';
import { ticketRelocation } from '../processes/ticket-relocation.ts';
import { slaProjections, slaTimers, ticketSla } from '../processes/ticket-sla.ts';
import type { ReadModels } from '../projections/read-models.ts';
import { ticketList } from '../projections/tickets/list.ts';
import { ticketMetadata } from '../projections/tickets/metadata.ts';
import { ticketSearch } from '../projections/tickets/search.ts';
import type { Capability } from './capability.ts';

/** The service desk's tickets, their clocks and their feed. interface.md «Service-desk tickets». */
export const tickets: Capability = {
  projections: [ticketList, ticketSearch, ticketMetadata, ...slaProjections],
  processes: ['ticket-publishing', 'ticket-relocation'],
  timers: slaTimers,

  compose(core) {
    const { log, logger, consumers, models, graph, desks, numbers, changes, stopping } = core;
    const { occasionOf, visibility, ticketQueries: queries } = core;
    return {
      routes: async (app) => {
        await app.register(ticketRoutes, {
          tickets: core.tickets,
          queries,
          graph,
          numbers,
          desks,
          occasionOf,
          visibility,
          searches: places({
            ofCaller: SEARCHES_OF_CALLER_MAX,
            ofOrganisation: SEARCHES_OF_ORGANISATION_MAX,
            inAll: SEARCHES_MAX,
            waitMs: SEARCH_PLACE_WAIT_MS,
          }),
          searchReady: searchReadiness(models),
        });
        const feed = changeFeed({ log, reader: consumers.reader, changes, logger });
        const readers = places({
          ofCaller: CHANGES_WAITING_OF_CALLER_MAX,
          ofOrganisation: CHANGES_WAITING_OF_ORGANISATION_MAX,
          inAll: CHANGES_WAITING_MAX,
        });
        await app.register(changeRoutes, { feed, readers, visibility, stopping });
        await app.register(timelineRoutes, { tickets: core.tickets, timelines: timelines(log) });
        await app.register(ticketLookupRoutes, { queries, visibility });
      },
      processes: [
        ticketRelocation({ tickets: core.tickets, graph, queries, models }),
        ticketPublishing(changes, core.bus.publish),
      ],
      timers: ticketSla(core.tickets),
    };
  },
};

/** Asked again while it is being built; once it has been, its table says so when it goes. */
const searchReadiness = (models: ReadModels): (() => Promise<true | string>) => {
  let built = false;
  return async () => {
    const isSearch = ({ name }: { name: string }) => name === ticketSearch.name;
    built ||= (await models.status()).find(isSearch)?.state !== 'building';
    return built || 'The search is still being built.';
  };
};
