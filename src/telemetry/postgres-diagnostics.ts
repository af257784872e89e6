import type { Pool } from 'pg';
import { EVALUATED_BUILDINGS_AT_ONCE } from '../domain/telemetry/limits.ts';
import { slots } from '../ops/slots.ts';
import type { Diagnostics } from './diagnostics.ts';
import { dryRun } from './dry-run.ts';
import { dueFaults } from './due-faults.ts';
import { evaluation } from './evaluation.ts';
import { faultList } from './faults.ts';
import { diagnosticRules } from './rules.ts';

export interface PostgresDiagnosticsParts {
  /** A database that `migrate` has been run on. */
  readonly db: Pool;
  /** Called after each commit that left announcements to be moved to the log. */
  readonly announced: () => void;
  /** Called when something may be due sooner than was known. */
  readonly dueChanged: () => void;
}

export const postgresDiagnostics = (parts: PostgresDiagnosticsParts): Diagnostics => {
  const { db, announced, dueChanged } = parts;
  const turns = slots(EVALUATED_BUILDINGS_AT_ONCE);
  return {
    ...diagnosticRules(db, dueChanged),
    ...dueFaults({ db, announced, turns }),
    dryRun: dryRun(db),
    faults: faultList(db),
    ...evaluation({ db, announced, dueChanged, turns }),
  };
};
