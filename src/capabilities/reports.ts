import { REPORTS } from '../api/reports/limits.ts';
import { reportRoutes } from '../api/reports/routes.ts';
import { elementTypes } from '../building/graph/element-types.ts';
import { successors } from '../building/graph/successors.ts';
import { ticketReports } from '../projections/reports/history.ts';
import { reportQueries } from '../projections/reports/query/queries.ts';
import type { Capability } from '../composition/capability.ts';

/** Reports on the tickets of an organisation, from their events. contract.md section 5. */
export const reports: Capability = {
  tag: {
    name: 'reports',
    description: 'Backlog, throughput, durations and service levels of tickets over time.',
  },
  projections: [ticketReports],
  compose: ({ db, desks, graph, occasionOf, visibility, permits }) => ({
    routes: async (app) => {
      await app.register(reportRoutes, {
        queries: reportQueries({ pool: db.pool, elementTypes, successors }),
        desks,
        graph,
        reports: permits(REPORTS),
        occasionOf,
        visibility,
      });
    },
  }),
};
