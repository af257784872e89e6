import { AUDIT_RETENTION_MONTHS } from '../../domain/keys/limits.ts';
import { AUDIT_EXPORT_AT_ONCE_ROWS } from './limits.ts';
import type { Database } from '../../engine/postgres/pool.ts';
import type { Instant } from '../../engine/aggregates/decider.ts';
import { auditKeptSince } from '../../domain/keys/retention.ts';
import type { Clock } from '../../engine/time/clock.ts';
import { keyAudit, type AuditAction, type AuditRow } from './key-audit.ts';
import type { Position } from '../../engine/log/event-store.ts';
import { positionIn, sortableOf } from '../../engine/log/positions.ts';
import { statementsOf } from '../../engine/projections/apply/table-sql.ts';

/** Queries of the audit. None returns records older than 18 months. */
export interface AuditQueries {
  /**
   * When each of the organisation's keys last had an allowed use, as far back as audit records are
   * kept; keys without one are omitted.
   *
   * @param asOf Ignores later uses. Default: none.
   */
  lastUses(
    organisation: string,
    keyIds: readonly string[],
    asOf?: Instant,
  ): Promise<ReadonlyMap<string, Instant>>;
  /** The newest `limit` records of the selection before `before`; `null`: the newest of all. */
  page(
    selection: AuditSelection,
    before: AuditCursor | null,
    limit: number,
  ): Promise<readonly AuditRow[]>;
  /**
   * The first `limit` records of the selection after `after` in log order; `null`: from the oldest
   * that is kept.
   */
  following(
    selection: AuditSelection,
    after: Position | null,
    limit: number,
  ): Promise<readonly AuditRow[]>;
  /** The position of the organisation's last record in log order; `null`: it has none. */
  last(organisation: string | null): Promise<Position | null>;
  /**
   * All current records of the selection, newest first, in pages. A page is queried when the one
   * before has been consumed, so a slow reader holds no resources.
   */
  all(selection: AuditSelection): AsyncGenerator<readonly AuditRow[], void, undefined>;
}

export interface AuditSelection {
  /** `null`: the records without an organisation. */
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

    async last(organisation) {
      const own = organisation === null ? 'is null' : '= $1';
      const { rows } = await pool.query<{ place: string }>(
        `select place from ${TABLE} where organisation_id ${own}
         order by organisation_id desc, place desc limit 1`,
        organisation === null ? [] : [organisation],
      );
      return rows[0] ? positionIn(rows[0].place) : null;
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
 * Each arm walks one index in its order and stops after `limit` rows: a key has one for allowed and
 * one for denied uses, so that a flood of one does not slow down queries for the other.
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
  // The organisation comes first, because Postgres does not see that "is null" leaves only one
  // order.
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

/** Equivalent to `isAuditKept`: Postgres adds months alike. The bound on `at` uses the index. */
const keptAt = (now: string): string =>
  `(at at time zone 'UTC') + interval '${AUDIT_RETENTION_MONTHS} months'
   >= ${now}::timestamptz at time zone 'UTC'`;

/** The conditions of the selection except the outcome, which may become separate arms. */
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

/** Only uses can be denied: a filter that follows from the other allows a smaller index. */
const implied = ({ action, outcome }: AuditSelection) => {
  if (action !== undefined && action !== 'key.used')
    return { action, outcome: 'allowed', none: outcome === 'denied' } as const;
  return { action: outcome === 'denied' ? 'key.used' : action, outcome, none: false } as const;
};
