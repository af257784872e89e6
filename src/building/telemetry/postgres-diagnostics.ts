import type { Pool } from 'pg';
import { EVALUATED_BUILDINGS_AT_ONCE } from '../../domain/telemetry/limits.ts';
import { semaphore } from '../../engine/concurrency/semaphore.ts';
import type { Diagnostics } from './diagnostics.ts';
import { dryRun } from './dry-run.ts';
import { dueFaults } from './due-faults.ts';
import { evaluation } from './evaluation.ts';
import { faultList, faultsAlone } from './faults.ts';
import { diagnosticRules } from './rules.ts';
import type { RunSlice } from './run-slice.ts';

export interface PostgresDiagnosticsParts {
  /** A database that `migrate` has been run on. */
  readonly db: Pool;
  /** Called after each commit that left announcements to be moved to the log. */
  readonly announced: () => void;
  /** Called when something may be due sooner than was known. */
  readonly dueChanged: () => void;
  /** Waits for the platform's turn in the event loop. Default: no wait. */
  readonly turn?: (signal: AbortSignal) => Promise<void>;
}

export const postgresDiagnostics = (parts: PostgresDiagnosticsParts): Diagnostics => {
  const { db, announced, dueChanged, turn = async () => {} } = parts;
  // First in, first out: a building that has had its slice goes behind all others, so that no
  // building waits for more than one slice of another.
  const buildings = semaphore(EVALUATED_BUILDINGS_AT_ONCE);
  const runSlice: RunSlice = async (signal, slice) => {
    await turn(signal);
    return buildings.run(slice);
  };
  return {
    ...diagnosticRules({ db, dueChanged, announced }),
    ...dueFaults({ db, announced, runSlice }),
    dryRun: dryRun(db),
    faults: faultList(db),
    ...faultsAlone(db),
    ...evaluation({ db, announced, dueChanged, runSlice }),
  };
};
