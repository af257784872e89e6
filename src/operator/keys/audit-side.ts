import type { Instant } from '../../domain/decider.ts';
import type { Database } from '../../db/pool.ts';
import { auditQueries, type AuditSelection } from '../../projections/keys/audit-queries.ts';
import { checkpoints } from '../../consumers/checkpoints.ts';
import { projectionId } from '../../consumers/consumer.ts';
import { auditActions, keyAudit } from '../../projections/keys/key-audit.ts';
import { statementsOf } from '../../projections/apply/table-sql.ts';
import type { Position } from '../../store/event-store.ts';
import { monthOf, Tallies, type Selected } from './tallies.ts';

/** What the audit answers, all of one moment. */
export interface AuditSide {
  readonly tallies: Tallies;
  /** How much of the log it shows. */
  readonly position: Position | null;
  readonly parkedStreams: number;
}

/** How much of the log the audit shows; `null` where the read model has not been built. */
export const shownBy = async ({
  pool,
}: Database): Promise<{ readonly position: Position | null } | null> => {
  const checkpoint = (await checkpoints(pool).of([AUDIT])).get(AUDIT);
  return checkpoint && !checkpoint.tablesMissing ? checkpoint : null;
};

/**
 * Asks the audit everything that a reader could ask: the whole list of each organisation, its
 * filters one by one, and when each key was last used.
 *
 * @param db With one connection: all of it is asked in one snapshot.
 * @param now Records that are too old by then are not shown.
 */
export const readAudit = async ({ pool }: Database, now: Instant): Promise<AuditSide> => {
  const queries = auditQueries({ pool }, { now: () => now });
  const tallies = new Tallies();
  const count = async (selected: Selected, selection: AuditSelection) => {
    for await (const rows of queries.all(selection)) {
      for (const row of rows) tallies.add(row, [selected]);
    }
  };

  await pool.query('begin isolation level repeatable read, read only');
  try {
    const its = (await checkpoints(pool).of([AUDIT])).get(AUDIT);
    const { rows: pairs } = await pool.query<{ organisation: string | null; key: string | null }>(
      `select distinct organisation_id as organisation, key_id as key from ${TABLE}`,
    );
    for (const organisation of new Set(pairs.map((pair) => pair.organisation))) {
      for await (const rows of queries.all({ organisation })) {
        for (const row of rows) tallies.add(row, [monthOf(row)]);
      }
      for (const action of auditActions) {
        await count({ organisation, action }, { organisation, action });
      }
      for (const outcome of ['allowed', 'denied'] as const) {
        await count({ organisation, outcome }, { organisation, outcome });
      }
      const keyIds = pairs.flatMap(({ organisation: owner, key }) =>
        owner === organisation && key !== null ? [key] : [],
      );
      for (const keyId of keyIds) {
        await count({ organisation, keyId }, { organisation, keyId });
      }
      if (organisation === null) continue;
      for (const [keyId, at] of await queries.lastUses(organisation, keyIds)) {
        tallies.used(organisation, keyId, at);
      }
    }
    return { tallies, position: its?.position ?? null, parkedStreams: its?.parked ?? 0 };
  } finally {
    await pool.query('rollback');
  }
};

const AUDIT = projectionId(keyAudit);

const {
  tables: [TABLE],
} = statementsOf(keyAudit);
