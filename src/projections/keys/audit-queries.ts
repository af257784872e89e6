import { AUDIT_RETENTION_MONTHS } from '../../engine/limits.ts';
import { AUDIT_EXPORT_AT_ONCE_ROWS } from './limits.ts';
import type { Database } from '../../engine/postgres/pool.ts';
import type { Instant } from '../../engine/aggregates/decider.ts';
import { auditKeptSince } from '../../engine/retention/retention.ts';
import type { Clock } from '../../engine/time/clock.ts';
import { keyAudit, type AuditAction, type AuditRow } from './key-audit.ts';
import type { Position } from '../../engine/log/event-store.ts';
import { sortableOf } from '../../engine/log/positions.ts';
import { statementsOf } from '../../engine/projections/apply/table-sql.ts';

/** The questions that are asked of the audit. None shows what is older than 18 months. */
export interface AuditQueries {
  /**
   * When each of the organisation's keys was last allowed to do anything, as far back as audit
   * records are kept; keys that were not are left out.
   *
   * @param asOf Uses after it do not count. Default: all do.
   */
  lastUses(
    organisation: string,
    keyIds: readonly string[],
    asOf?: Instant,
  ): Promise<ReadonlyMap<string, Instant>>;
  /** The newest `limit` records of the selection that lie before `before`; `null`: of all. */
  page(
    selection: AuditSelection,
    before: AuditCursor | null,
    limit: number,
  ): Promise<readonly AuditRow[]>;
  /**
   * The first `limit` records of the selection that the log has after `after`, in its order;
   * `null`: from the oldest that is kept.
   */
  following(
    selection: AuditSelection,
    after: Position | null,
    limit: number,
  ): Promise<readonly AuditRow[]>;
  /**
   * All records of the selection that are there now, newest first, in pages. A page is asked for
   * when the one before has been taken: nothing is held meanwhile, however slow the reader is.
   */
  all(selection: AuditSelection): AsyncGenerator<readonly AuditRow[], void, undefined>;
}

export interface AuditSelection {
  /** `null`: the records that belong to nobody. */
  readonly organisation: string | null;
  readonly action?: AuditAction | undefined;
  readonly keyId?: string | undefined;
  readonly outcome?: AuditRow['outcome'] | undefined;
  /** Inclusive. */
  readonly from?: Instant | undefined;
  /** Exclusive. */
  readonly to?: Instant | undefined;
}

/** A record in the order of the list: by its time, then its id. */
export type AuditCursor = Pick<AuditRow, 'at' | 'id'>;

export const auditQueries = ({ pool }: Pick<Database, 'pool'>, clock: Clock): AuditQueries => {
  const read = async (
    selection: AuditSelection,
    now: Instant,
    before: AuditCursor | null,
    limit: number,
  ): Promise<readonly AuditRow[]> => {
    const { text, values } = pageStatement(selection, now, before, limit);
    const { rows } = await pool.query<AuditRow>(text, values);
    return rows;
  };

  return {
    async lastUses(organisation, keyIds, asOf) {
      if (keyIds.length === 0) return new Map();
      const now = clock.now();
      const { rows } = await pool.query<{ keyId: string; at: Instant }>(
        `select key_id as "keyId", used.at
         from unnest($2::text[]) as asked (key_id)
         cross join lateral (
           select at from ${TABLE} as r
           where organisation_id = $1 and r.key_id = asked.key_id and outcome = 'allowed'
             and action = 'key.used' and at >= $3 and ${keptAt('$5')}
             and ($4::timestamptz is null or at <= $4)
           order by at desc limit 1
         ) as used`,
        [organisation, keyIds, auditKeptSince(now), asOf ?? null, now],
      );
      return new Map(rows.map(({ keyId, at }) => [keyId, at]));
    },

    page: (selection, before, limit) => read(selection, clock.now(), before, limit),

    async following(selection, after, limit) {
      const { values, bound, conditions, outcome } = conditionsOf(selection, clock.now());
      const also = outcome === undefined ? '' : ` and outcome = ${bound(outcome)}`;
      const place = bound(after === null ? '' : sortableOf(after));
      const { rows } = await pool.query<AuditRow>(
        `select ${members} from ${TABLE} where ${conditions}${also} and place > ${place}
         order by organisation_id, place limit ${bound(limit)}`,
        values,
      );
      return rows;
    },

    async *all(selection) {
      const now = clock.now();
      let before: AuditCursor | null = null;
      for (;;) {
        const rows: readonly AuditRow[] = await read(
          selection,
          now,
          before,
          AUDIT_EXPORT_AT_ONCE_ROWS,
        );
        yield rows;
        if (rows.length < AUDIT_EXPORT_AT_ONCE_ROWS) return;
        before = rows.at(-1)!;
      }
    },
  };
};

const {
  tables: [TABLE],
  members,
} = statementsOf(keyAudit);

/**
 * Each arm walks one index in its order and stops after `limit` rows: a key has one for what it
 * was allowed and one for what it was denied, so that a flood of the one does not have to be read
 * to find the other.
 */
const pageStatement = (
  selection: AuditSelection,
  now: Instant,
  before: AuditCursor | null,
  limit: number,
): { readonly text: string; readonly values: unknown[] } => {
  const { values, bound, conditions: selected, outcome } = conditionsOf(selection, now);
  const place =
    before === null
      ? ''
      : ` and (at, id) < (${bound(before.at)}::timestamptz, ${bound(before.id)}::uuid)`;
  const conditions = `${selected}${place}`;
  const at = bound(limit);
  // The organisation leads, because Postgres does not see that "is null" leaves but one order.
  const arm = (also: string) =>
    `(select * from ${TABLE} where ${conditions}${also}
      order by organisation_id, at desc, id desc limit ${at})`;
  const isOfKey = selection.keyId !== undefined;
  const outcomes = outcome === undefined && isOfKey ? OUTCOMES : [outcome];
  const arms = outcomes.map((one) => arm(one === undefined ? '' : ` and outcome = ${bound(one)}`));
  return {
    text: `select ${members} from (${arms.join(' union all ')}) as r
           order by at desc, id desc limit ${at}`,
    values,
  };
};

const OUTCOMES = ['allowed', 'denied'] as const;

/** As `isAuditKept`: Postgres counts months in the same way. The index is served by `at` alone. */
const keptAt = (now: string): string =>
  `(at at time zone 'UTC') + interval '${AUDIT_RETENTION_MONTHS} months'
   >= ${now}::timestamptz at time zone 'UTC'`;

/** What the selection asks for, but for the outcome, which may be answered by arms of its own. */
const conditionsOf = (selection: AuditSelection, now: Instant) => {
  const since = auditKeptSince(now);
  const { organisation, keyId, from, to } = selection;
  const { action, outcome, none } = implied(selection);
  const values: unknown[] = [];
  const bound = (value: unknown): string => `$${values.push(value)}`;
  const conditions = [
    organisation === null ? 'organisation_id is null' : `organisation_id = ${bound(organisation)}`,
    `at >= ${bound(from !== undefined && from > since ? from : since)}`,
    keptAt(bound(now)),
    ...(to === undefined ? [] : [`at < ${bound(to)}`]),
    ...(keyId === undefined ? [] : [`key_id = ${bound(keyId)}`]),
    ...(action === undefined ? [] : [`action = ${bound(action)}`]),
    ...(none ? ['false'] : []),
  ].join(' and ');
  return { values, bound, conditions, outcome };
};

/** Only uses are denied: what follows from one filter for the other finds a shorter index. */
const implied = ({ action, outcome }: AuditSelection) => {
  if (action !== undefined && action !== 'key.used')
    return { action, outcome: 'allowed', none: outcome === 'denied' } as const;
  return { action: outcome === 'denied' ? 'key.used' : action, outcome, none: false } as const;
};
