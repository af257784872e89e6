import type { Pool } from 'pg';
import type { Diagnostics } from './diagnostics.ts';
import { dryRun } from './dry-run.ts';
import { evaluation } from './evaluation.ts';
import { faultList } from './faults.ts';
import { diagnosticRules } from './rules.ts';
import { stalePoints } from './stale.ts';

export interface PostgresDiagnosticsParts {
  /** A database that `migrate` has been run on. */
  readonly db: Pool;
  /** Called after each commit that left announcements to be moved to the log. */
  readonly announced: () => void;
  /** Called when a rule was made. */
  readonly ruleMade: () => void;
}

export const postgresDiagnostics = (parts: PostgresDiagnosticsParts): Diagnostics => {
  const { db, announced, ruleMade } = parts;
  return {
    ...diagnosticRules(db, ruleMade),
    ...stalePoints(db, announced),
    dryRun: dryRun(db),
    faults: faultList(db),
    ...evaluation(db, announced),
  };
};
