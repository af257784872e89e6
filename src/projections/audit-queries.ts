import type { Database } from '../db/pool.ts';
import type { Instant } from '../domain/decider.ts';
import type { Clock } from '../ops/clock.ts';

/** The questions that are asked of the audit. */
export interface AuditQueries {
  /**
   * When each of the organisation's keys was last allowed to do anything, as far back as audit
   * records are kept; keys that were not are left out.
   */
  lastUses(organisation: string, keyIds: readonly string[]): Promise<ReadonlyMap<string, Instant>>;
}

export const auditQueries = (db: Database, clock: Clock): AuditQueries => ({
  lastUses: async () => new Map(),
});
