import { attemptsOf } from '../api/public-reports/attempts.ts';
import { PUBLIC_REQUESTS, SOURCES_KEPT_MAX } from '../api/public-reports/limits.ts';
import { statusLinkRoutes } from '../api/public-reports/link-routes.ts';
import { publicReportMetrics } from '../api/public-reports/metrics.ts';
import { publicReportRoutes } from '../api/public-reports/routes.ts';
import { labelPlaces } from '../building/graph/label-places.ts';
import { statusLinkCodec } from '../domain/public-reports/codecs.ts';
import { tracedCommands } from '../engine/aggregates/traced-commands.ts';
import { lruCache } from '../engine/concurrency/lru-cache.ts';
import { admissionsIn } from '../projections/public-reports/admissions.ts';
import { timelines } from '../projections/tickets/feed/timeline.ts';
import { proofsOf } from '../use-cases/public-reports/proofs.ts';
import { STATUS_LINK_CATEGORY, statusLinksIn } from '../use-cases/public-reports/status-links.ts';
import { statusTokens } from '../use-cases/public-reports/status-tokens.ts';
import type { Capability } from '../composition/capability.ts';

/** Tickets raised without signing in. contract.md section 5. */
export const publicReports: Capability = {
  tag: {
    name: 'public-reports',
    description: 'Problem reports without sign-in, for organisations that accept them.',
  },
  streams: [{ category: STATUS_LINK_CATEGORY, codec: statusLinkCodec, kept: 'forever' }],
  // Every request to a sandbox needs a credential.
  isOutsideSandboxes: true,
  compose(core) {
    const { log, db, clock, secrets, tracing, tickets, graph, desks, numbers } = core;
    const { occasionOf, visibility } = core;
    const links = tracedCommands(tracing, STATUS_LINK_CATEGORY, statusLinksIn(log));
    return {
      routes: async (app) => {
        await app.register(publicReportRoutes, {
          tickets,
          graph,
          desks,
          numbers,
          links,
          clock,
          publicUrl: core.publicUrl,
          places: labelPlaces(db.pool),
          timelines: timelines(log, clock),
          tokens: statusTokens(secrets),
          proofs: proofsOf({ secrets, clock }),
          admissions: admissionsIn({
            pool: db.pool,
            clock,
            secrets,
            refused: lruCache<number>(SOURCES_KEPT_MAX),
          }),
          attempts: attemptsOf(clock),
          metrics: publicReportMetrics(core.metrics),
          permits: core.permits(PUBLIC_REQUESTS),
          visibility,
        });
        await app.register(statusLinkRoutes, { links, tickets, occasionOf, visibility });
      },
    };
  },
};
