/** Where the database keeps which migrations it has had. */
export const HISTORY_SCHEMA = 'migration';

/** Of this release, in their order. */
export const migrationNames = [
  '0001-graph',
  '0002-consumers',
  '0003-telemetry',
  '0004-data-layers',
  '0005-hosting',
  '0006-log-standing',
  '0007-flapping-faults',
  '0008-ended-keys',
  '0009-restored-numbering',
] as const;

export type MigrationName = (typeof migrationNames)[number];

export const isOfThisRelease = (name: string): boolean =>
  (migrationNames as readonly string[]).includes(name);
