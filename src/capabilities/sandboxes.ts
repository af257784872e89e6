import { sandboxAccess } from '../api/sandboxes/access.ts';
import { PLANTED_FAULT_READS, SANDBOX_REQUESTS_WAITS } from '../api/sandboxes/limits.ts';
import { sandboxRoutes } from '../api/sandboxes/routes.ts';
import { snapshotRoutes } from '../api/sandboxes/snapshots/routes.ts';
import { databaseBytesOf } from '../domain/sandboxes/queue.ts';
import type { SizeBounds } from '../domain/sandboxes/size.ts';
import {
  SANDBOX_BYTES_MAX_DEFAULT,
  SANDBOX_HOST_BYTES_MAX_DEFAULT,
} from '../domain/sandboxes/limits.ts';
import { sandboxQuotaProcess } from '../processes/sandboxes/quota.ts';
import { sandboxMetrics } from '../processes/sandboxes/metrics.ts';
import { SANDBOX_PROVISIONING, sandboxProvisioning } from '../processes/sandboxes/provisioning.ts';
import {
  SANDBOX_SNAPSHOTS,
  sandboxSnapshots,
  snapshotDue,
  snapshotTimes,
} from '../processes/sandboxes/snapshots.ts';
import { sandboxDue, sandboxTimes } from '../processes/sandboxes/times.ts';
import { sandboxList } from '../projections/sandboxes/list.ts';
import { sandboxRequestRows } from '../projections/sandboxes/requests.ts';
import { sandboxQueries } from '../projections/sandboxes/queries.ts';
import { snapshotList, snapshotQueries } from '../projections/sandboxes/snapshot-list.ts';
import { keyringRepository } from '../use-cases/keys/keyrings.ts';
import { allowanceRepository, sandboxRepository } from '../use-cases/sandboxes/sandboxes.ts';
import { snapshotRepository } from '../use-cases/sandboxes/snapshots.ts';
import type { Instant } from '../engine/aggregates/decider.ts';
import { tracedCommands } from '../engine/aggregates/traced-commands.ts';
import { timersId } from '../engine/consumers/consumer.ts';
import { clockCheck } from '../engine/consumers/clock-check.ts';
import type { DueTable } from '../engine/timers/timer-table.ts';
import { sandboxQuota } from '../use-cases/sandboxes/sandbox-quota.ts';
import { allowanceCodec, sandboxCodec, snapshotCodec } from '../domain/sandboxes/codecs.ts';
import type { Capability } from '../composition/capability.ts';

const defaultSizes: SizeBounds = {
  bytesMax: SANDBOX_BYTES_MAX_DEFAULT,
  hostBytesMax: SANDBOX_HOST_BYTES_MAX_DEFAULT,
};

/**
 * Sandboxes on demand: their ownership and lifecycle. src/hosting builds their databases, in
 * processes with the role `sandboxes`. interface.md «Sandboxes».
 */
export const sandboxes: Capability = {
  tag: {
    name: 'sandboxes',
    description: 'Isolated copies of the platform for development and testing.',
  },
  streams: [
    { category: 'sandbox', codec: sandboxCodec, kept: 'forever' },
    { category: 'allowance', codec: allowanceCodec, kept: 'forever' },
    { category: 'snapshots', codec: snapshotCodec, kept: 'forever' },
  ],
  isOutsideSandboxes: true,
  projections: [sandboxList, snapshotList],
  processes: ['sandbox-places', SANDBOX_PROVISIONING, SANDBOX_SNAPSHOTS],
  timers: [sandboxDue, snapshotDue],

  compose({ log, db, clock, logger, tracing, sandboxApiUrlOf, sandboxBuilder, ...core }) {
    const { occasionOf, visibility, metrics, sandboxSizes = defaultSizes } = core;
    const queries = sandboxQueries(db);
    const measured = sandboxMetrics(metrics, () => queries.count(clock.now()));
    const all = tracedCommands(tracing, 'sandbox', sandboxRepository(log));
    const snapshots = tracedCommands(tracing, 'snapshots', snapshotRepository(log));
    const kept = snapshotQueries(db);
    const usedBytes = async (at: Instant) =>
      databaseBytesOf(await queries.standing(at)) + (await kept.bytes(at));
    const room = { sizes: sandboxSizes, usedBytes };
    // Their databases are dropped, and cannot be brought back.
    const trusted = ({ name }: DueTable) =>
      clockCheck({ pool: db.pool, clock, logger, consumer: timersId(name) });
    const allowances = tracedCommands(tracing, 'allowance', allowanceRepository(log));
    return {
      routes: async (app) => {
        const keyrings = keyringRepository(log, core.keyUses);
        const shared = {
          sandboxes: all,
          snapshots,
          ...room,
          access: sandboxAccess({ sandboxes: all, snapshots, keyrings, clock }),
          clock,
          occasionOf,
          visibility,
        };
        await app.register(sandboxRoutes, {
          ...shared,
          quota: sandboxQuota({ allowances, sandboxes: all }),
          queries,
          apiUrlOf: sandboxApiUrlOf,
          requests: sandboxRequestRows(db),
          waits: core.permits(SANDBOX_REQUESTS_WAITS),
          stopping: core.stopping,
          plantedFaults: core.plantedFaults,
          computations: core.permits(PLANTED_FAULT_READS),
        });
        await app.register(snapshotRoutes, { ...shared, queries: kept });
      },
      processes: [sandboxQuotaProcess(allowances)],
      hosting: sandboxBuilder
        ? [
            sandboxProvisioning({
              sandboxes: all,
              allowances,
              queries,
              builder: sandboxBuilder,
              hostBytesMax: sandboxSizes.hostBytesMax,
              snapshotBytes: kept.bytes,
              models: core.models,
              logger,
              measured,
            }),
            sandboxSnapshots({ ...room, snapshots, builder: sandboxBuilder.snapshots, logger }),
          ]
        : [],
      timers: [
        sandboxTimes(all, trusted(sandboxDue)),
        snapshotTimes(snapshots, trusted(snapshotDue)),
      ],
    };
  },
};
