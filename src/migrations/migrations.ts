import { engineMigrations } from '../engine/consumers/migrations/migrations.ts';
import type { Migrations } from '../engine/postgres/migrate.ts';

/** Of this release, in their order. */
export const migrations: Migrations = {
  '0001-graph': async () => (await import('./0001-graph.ts')).graphTables,
  '0002-consumers': engineMigrations['0002-consumers'],
  '0003-telemetry': async () => (await import('./0003-telemetry.ts')).telemetryTables,
  '0004-data-layers': async () => (await import('./0004-data-layers.ts')).dataLayerTables,
  '0005-hosting': async () => (await import('./0005-hosting.ts')).hostingTables,
  '0006-log-standing': engineMigrations['0006-log-standing'],
  '0007-flapping-faults': async () => (await import('./0007-flapping-faults.ts')).flappingFaults,
  '0008-ended-keys': async () => (await import('./0008-ended-keys.ts')).endedKeys,
  '0009-restored-numbering': async () =>
    (await import('./0009-restored-numbering.ts')).restoredNumbering,
  '0010-sign-ins': async () => (await import('./0010-sign-ins.ts')).signInTables,
  '0011-presence': async () => (await import('./0011-presence.ts')).presenceTables,
  '0012-browser-sessions': async () => (await import('./0012-browser-sessions.ts')).browserSessions,
  '0014-plans': async () => (await import('./0014-plans.ts')).planTables,
  '0015-place-words': async () => (await import('./0015-place-words.ts')).placeWords,
  '0016-models': async () => (await import('./0016-models.ts')).modelColumns,
  '0017-fault-tickets': async () => (await import('./0017-fault-tickets.ts')).faultTickets,
  '0019-files': async () => (await import('./0019-files.ts')).fileTables,
  '0020-previews': async () => (await import('./0020-previews.ts')).previewTable,
  '0021-public-reports': async () => (await import('./0021-public-reports.ts')).publicReportTables,
  '0022-files-of-tickets': async () => (await import('./0022-files-of-tickets.ts')).filesOfTickets,
  '0023-sandbox-requests': async () => (await import('./0023-sandbox-requests.ts')).sandboxRequests,
  '0024-seeded-telemetry': async () => (await import('./0024-seeded-telemetry.ts')).seededTelemetry,
  '0025-person-keys': async () => (await import('./0025-person-keys.ts')).personKeyTable,
  '0028-releases': async () => (await import('./0028-releases.ts')).releaseTable,
  '0030-listed-erasures': async () =>
    (await import('./0030-listed-erasures.ts')).listedErasureTable,
  '0031-destroyed-keys': async () => (await import('./0031-destroyed-keys.ts')).destroyedKeyTable,
  '0032-node-words-due': async () => (await import('./0032-node-words-due.ts')).nodeWordsDue,
  '0033-session-organisations': async () =>
    (await import('./0033-session-organisations.ts')).sessionOrganisations,
  '0034-former-places': async () => (await import('./0034-former-places.ts')).formerPlaces,
  '0035-checkpoint-claims': engineMigrations['0035-checkpoint-claims'],
  '0036-place-successors': async () => (await import('./0036-place-successors.ts')).placeSuccessors,
  '0037-fault-indexes': async () => (await import('./0037-fault-indexes.ts')).faultIndexes,
};
