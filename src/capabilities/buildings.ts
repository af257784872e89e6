import { buildingRoutes } from '../api/buildings/routes.ts';
import { SAMPLE_READS } from '../api/telemetry/limits.ts';
import { sweepPlaceWords } from '../building/graph/place-words.ts';
import { buildingCodec } from '../domain/buildings/codecs.ts';
import { announcementTerm } from '../domain/buildings/events.ts';
import type { Capability } from '../composition/capability.ts';

/** The building graph. interface.md «Building graph». */
export const buildings: Capability = {
  tag: {
    name: 'buildings',
    description: 'The building graph: storeys, spaces, elements, points.',
  },
  streams: [{ category: 'building', codec: buildingCodec, kept: announcementTerm }],
  compose: ({
    graph,
    dataLayers,
    plans,
    planColours,
    ticketQueries,
    imports,
    spacesPageMax,
    occasionOf,
    outbox,
    db,
    logger,
    permits,
    visibility,
    stopping,
  }) => ({
    routes: async (app) => {
      await app.register(buildingRoutes, {
        graph,
        dataLayers,
        plans,
        planColours,
        sampleReads: permits(SAMPLE_READS),
        queries: ticketQueries,
        imports,
        spacesPageMax,
        occasionOf,
        visibility,
        stopping,
      });
    },
    background: async (signal) => {
      await Promise.all([outbox.run(signal), sweepPlaceWords({ db: db.pool, logger }, signal)]);
    },
  }),
};
