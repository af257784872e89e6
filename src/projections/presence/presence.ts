/**
 * Presence at tickets, in rows that every process of the platform shares. A caller has one row for
 * each ticket; it expires unless renewed, so a closed tab need not notify. contract.md section 5.
 */
import type { Pool } from 'pg';
import { compareText } from '../../domain/compare-text.ts';
import type { Present, PresenceState } from '../../domain/presence/presence.ts';
import { refuse, type Actor, type Instant, type Refusal } from '../../engine/aggregates/decider.ts';
import type { Clock } from '../../engine/time/clock.ts';
import {
  PRESENCE_LASTS_MS,
  PRESENCE_SWEEP_MS,
  PRESENCE_UNWRITTEN_MS,
  PRESENT_AT_TICKET_MAX,
  PRESENT_OF_CALLER_MAX,
} from './limits.ts';

export interface Presence {
  /**
   * Marks the caller as present for {@link PRESENCE_LASTS_MS}; a repeat renews it. Returns all
   * present callers, as `at` does, from the same statement.
   *
   * Refuses `RATE_LIMITED` at {@link PRESENT_AT_TICKET_MAX} or {@link PRESENT_OF_CALLER_MAX}.
   *
   * @param organisation The organisation of the ticket and of the caller.
   * @throws As the database does.
   */
  enter(at: PresencePlace, state: PresenceState): Promise<readonly Present[] | Refusal>;
  /** Idempotent. Throws as `enter`. */
  leave(at: PresencePlace): Promise<void>;
  /** The callers present at the ticket, by `since`. Throws as `enter`. */
  at(ticketId: string): Promise<readonly Present[]>;
}

export interface PresencePlace {
  readonly ticketId: string;
  readonly organisation: string;
  readonly actor: Actor;
}

export interface PresenceParts {
  readonly pool: Pick<Pool, 'query'>;
  readonly clock: Clock;
}

export const presenceIn = ({ pool, clock }: PresenceParts): Presence => {
  let sweptMs = -Infinity;

  /** Runs after a caller's write, not by a timer: an idle platform sends no statements. */
  const sweep = async (now: Instant): Promise<void> => {
    const nowMs = Date.parse(now);
    if (nowMs - sweptMs < PRESENCE_SWEEP_MS) return;
    sweptMs = nowMs;
    await pool.query({
      name: 'presence sweep',
      text: 'delete from presence.present where expires_at <= $1',
      values: [now],
    });
  };

  return {
    async enter({ ticketId, organisation, actor }, state) {
      const now = clock.now();
      const { rows } = await pool.query<Entered>({
        name: 'presence enter',
        text: ENTER,
        values: [
          ticketId,
          callerOf(organisation, actor),
          JSON.stringify(actor),
          state,
          now,
          after(now, PRESENCE_LASTS_MS),
          after(now, PRESENCE_LASTS_MS - PRESENCE_UNWRITTEN_MS),
          PRESENT_AT_TICKET_MAX,
          PRESENT_OF_CALLER_MAX,
        ],
      });
      await sweep(now);
      const { outcome, since, others } = rows[0]!;
      if (outcome !== 'present') return refusals[outcome];
      return [...others, { actor, state, since }].toSorted(
        (a, b) =>
          compareText(a.since, b.since) ||
          compareText(callerOf(organisation, a.actor), callerOf(organisation, b.actor)),
      );
    },

    async leave({ ticketId, organisation, actor }) {
      await pool.query({
        name: 'presence leave',
        text: 'delete from presence.present where ticket_id = $1 and caller = $2',
        values: [ticketId, callerOf(organisation, actor)],
      });
    },

    async at(ticketId) {
      const { rows } = await pool.query<Present>({
        name: 'presence at',
        text: `select actor, state, since from presence.present
               where ticket_id = $1 and expires_at > $2
               order by since, caller limit $3`,
        values: [ticketId, clock.now(), PRESENT_AT_TICKET_MAX],
      });
      return rows;
    },
  };
};

interface Entered {
  readonly outcome: 'present' | 'ticket' | 'caller';
  /** Since when the caller is present. */
  readonly since: Instant;
  readonly others: readonly Present[];
}

const tooMany = (what: string): Refusal => ({
  ...refuse('RATE_LIMITED', what),
  retryAfterS: Math.ceil(PRESENCE_LASTS_MS / 1_000),
});

const refusals: Readonly<Record<Exclude<Entered['outcome'], 'present'>, Refusal>> = {
  ticket: tooMany(`At most ${PRESENT_AT_TICKET_MAX} callers are shown at one ticket.`),
  caller: tooMany(`One caller is present at ${PRESENT_OF_CALLER_MAX} tickets at most.`),
};

/**
 * One statement: bounds are counted only for new rows, and concurrent callers may exceed them by
 * their own number. A row that was renewed within {@link PRESENCE_UNWRITTEN_MS} is not written.
 */
const ENTER = `
  with own as (
    select state, since, expires_at from presence.present
    where ticket_id = $1 and caller = $2 and expires_at > $5
  ),
  outcome as (
    select case
      when exists (select from own) then 'present'
      when (select count(*) from presence.present
            where ticket_id = $1 and expires_at > $5) >= $8 then 'ticket'
      when (select count(*) from presence.present
            where caller = $2 and expires_at > $5) >= $9 then 'caller'
      else 'present' end as outcome
  ),
  written as (
    insert into presence.present as row (ticket_id, caller, actor, state, since, expires_at)
    select $1, $2, $3, $4, $5, $6 from outcome
    where outcome = 'present'
      and not exists (select from own where state = $4 and expires_at > $7)
    on conflict (ticket_id, caller) do update
      set actor = excluded.actor, state = excluded.state, expires_at = excluded.expires_at,
        since = case when row.state = excluded.state and row.expires_at > excluded.since
          then row.since else excluded.since end
  )
  select outcome,
    coalesce((select since from own where state = $4), $5::timestamptz) as since,
    coalesce((
      select json_agg(json_build_object('actor', actor, 'state', state, 'since', since))
      from (
        select actor, state,
          to_char(since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as since
        from presence.present where ticket_id = $1 and caller <> $2 and expires_at > $5
        order by since, caller limit $8
      ) as other
    ), '[]') as others
  from outcome`;

const after = (now: Instant, ms: number): Instant => new Date(Date.parse(now) + ms).toISOString();

/** Unique: ids may repeat between organisations, and an alias contains no blank. */
const callerOf = (organisation: string, { kind, id }: Actor): string =>
  `${organisation} ${kind}:${id}`;
