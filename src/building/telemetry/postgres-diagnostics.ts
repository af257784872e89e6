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
  /** A migrated database. */
  readonly db: Pool;
  /** Called after each commit that left announcements to be moved to the log. */
  readonly announced: () => void;
  /** Called when the next due time may be earlier than before. */
  readonly dueChanged: () => void;
  /** Dry runs evaluate no older samples. Default: unlimited retention. */
  readonly keptFromMs?: () => number;
  /** Waits for the platform's turn in the event loop. Default: no wait. */
  readonly turn?: (signal: AbortSignal) => Promise<void>;
}

export const postgresDiagnostics = (parts: PostgresDiagnosticsParts): Diagnostics => {
  const { db, announced, dueChanged, turn = async () => {} } = parts;
  const { keptFromMs = () => -Infinity } = parts;
  // FIFO: after its slice a building queues behind all others, so that no building waits for more
  // than one slice of another.
  const buildings = semaphore(EVALUATED_BUILDINGS_AT_ONCE);
  const runSlice: RunSlice = async (signal, slice) => {
    await turn(signal);
    return buildings.run(slice);
  };
  const { forget, ...due } = dueFaults({ db, announced, runSlice });
  return {
    ...diagnosticRules({ db, dueChanged, announced }),
    ...due,
    dryRun: dryRun(db, keptFromMs),
    faults: faultList(db),
    ...faultsAlone(db),
    ...evaluation({ db, announced, dueChanged, silenceEnded: forget, runSlice }),
  };
};
