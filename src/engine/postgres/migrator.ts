import { Kysely, PostgresDialect } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import type { Pool } from 'pg';
import { HISTORY_SCHEMA, type MigrationName } from './migration-names.ts';
import { graphTables } from '../../migrations/0001-graph.ts';
import { consumerTables } from '../consumers/migrations/0002-consumers.ts';
import { telemetryTables } from '../../migrations/0003-telemetry.ts';
import { dataLayerTables } from '../../migrations/0004-data-layers.ts';
import { hostingTables } from '../../migrations/0005-hosting.ts';
import { logStanding } from '../consumers/migrations/0006-log-standing.ts';
import { flappingFaults } from '../../migrations/0007-flapping-faults.ts';
import { endedKeys } from '../../migrations/0008-ended-keys.ts';
import { restoredNumbering } from '../../migrations/0009-restored-numbering.ts';

/** In the order of their names. One that was released is never changed: add another. */
const migrations: Readonly<Record<MigrationName, Migration>> = {
  '0001-graph': graphTables,
  '0002-consumers': consumerTables,
  '0003-telemetry': telemetryTables,
  '0004-data-layers': dataLayerTables,
  '0005-hosting': hostingTables,
  '0006-log-standing': logStanding,
  '0007-flapping-faults': flappingFaults,
  '0008-ended-keys': endedKeys,
  '0009-restored-numbering': restoredNumbering,
};

/** @param newer Names that the library would miss. */
export const migratorOf = (db: Pool, newer: readonly string[]): Migrator => {
  const done: Migration = { up: async () => {} };
  const known = { ...migrations, ...Object.fromEntries(newer.map((name) => [name, done])) };
  return new Migrator({
    // Never destroyed: that would end the caller's pool.
    db: new Kysely<unknown>({ dialect: new PostgresDialect({ pool: db }) }),
    provider: { getMigrations: async () => known },
    migrationTableSchema: HISTORY_SCHEMA,
    // One that was forgotten is run again, though later ones have been run meanwhile.
    allowUnorderedMigrations: true,
  });
};
