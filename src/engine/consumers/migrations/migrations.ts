import type { Migrations } from '../../postgres/migrate.ts';

/** The tables of the engine itself: every application has them among its migrations. */
export const engineMigrations = {
  '0002-consumers': async () => (await import('./0002-consumers.ts')).consumerTables,
  '0006-log-standing': async () => (await import('./0006-log-standing.ts')).logStanding,
  '0035-checkpoint-claims': async () =>
    (await import('./0035-checkpoint-claims.ts')).checkpointClaims,
} as const satisfies Migrations;
