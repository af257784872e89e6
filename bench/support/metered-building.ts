import { migrate } from '../../src/engine/postgres/migrate.ts';
import { migrations } from '../../src/migrations/migrations.ts';
import { openDatabase, type Database } from '../../src/engine/postgres/pool.ts';
import { isRefusal } from '../../src/engine/aggregates/decider.ts';
import { outboxRelay } from '../../src/building/graph/outbox-relay.ts';
import { postgresGraph } from '../../src/building/graph/postgres-graph.ts';
import { systemClock } from '../../src/engine/time/clock.ts';
import { loggerOf } from '../../src/engine/observe/logging.ts';
import type { EventStore } from '../../src/engine/log/event-store.ts';
import { postgresEventStore, prepareLog } from '../../src/engine/log/postgres/store.ts';
import { postgresTelemetry } from '../../src/building/telemetry/postgres-telemetry.ts';
import type { Telemetry } from '../../src/building/telemetry/telemetry.ts';

/** A building with points in a new database, which also holds the log; with a running relay. */
export interface MeteredBuilding {
  readonly url: string;
  readonly db: Database['pool'];
  readonly log: EventStore;
  readonly telemetry: Telemetry;
  readonly buildingId: string;
  /** Ids of its points, whose series are numbered from 1 in this order. */
  readonly pointIds: readonly string[];
  close(): Promise<void>;
}

export const meteredBuilding = async (url: string, points: number): Promise<MeteredBuilding> => {
  const logger = loggerOf('warn');
  await prepareLog(url);
  const database = openDatabase({ url, logger });
  const db = database.pool;
  await migrate(db, migrations);
  const log = postgresEventStore({ url, logger });
  const relay = outboxRelay({ db, log, logger });
  const graph = postgresGraph({ db, announced: () => {}, followers: [] });
  const by = { kind: 'user', id: 'bench' } as const;
  const made = await graph.importBuilding('acme', documentOf(points), {
    at: systemClock.now(),
    by,
  });
  if (isRefusal(made)) throw new Error(made.detail);
  const { buildingId } = made;
  await db.query(
    `insert into telemetry.series (building_id, point_id)
     select $1, id from graph.point order by id`,
    [buildingId],
  );
  const { rows } = await db.query<{ id: string }>('select id from graph.point order by id');
  const announced = relay.wake;
  const telemetry = postgresTelemetry({ db, clock: systemClock, announced, retentionDays: null });
  const stop = new AbortController();
  const relaying = relay.run(stop.signal);
  return {
    url,
    db,
    log,
    telemetry,
    buildingId,
    pointIds: rows.map(({ id }) => id),
    async close() {
      stop.abort();
      await relaying;
      await log.close();
      await database.close();
    },
  };
};

const documentOf = (points: number) => ({
  site: { code: 'S', name: 'Site' },
  building: {
    code: 'B',
    name: 'Building',
    storeys: [
      {
        code: '00',
        name: 'Ground floor',
        level: 0,
        elements: [
          {
            code: 'E',
            name: 'Element',
            elementTypeSlug: 'ahu',
            points: Array.from({ length: points }, (_, index) => ({
              code: `P${index}`,
              name: `Point ${index}`,
              pointClass: 'Zone_Air_Temperature_Sensor',
              valueType: 'number' as const,
              unit: '°C',
            })),
          },
        ],
      },
    ],
  },
});
