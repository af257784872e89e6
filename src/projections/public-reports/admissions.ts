/**
 * The reports without sign-in of the last hour, in rows that every process shares: for the rate
 * limits and the used proofs. A source is stored as a keyed hash of this installation. Rows are
 * bounded by the limits and deleted after the hour. contract.md section 5.
 */
import { createHmac } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import { lockName } from '../../engine/postgres/advisory-lock.ts';
import {
  REPORT_WINDOW_MS,
  REPORTS_OF_ROOM_MAX,
  REPORTS_OF_SOURCE_MAX,
  REPORTS_UNPROVEN_MAX,
} from '../../domain/public-reports/limits.ts';
import { isRefusal, refuse, type Instant, type Refusal } from '../../engine/aggregates/decider.ts';
import type { LruCache } from '../../engine/concurrency/lru-cache.ts';
import { transaction } from '../../engine/postgres/transaction.ts';
import type { Secrets } from '../../engine/secrets/secrets.ts';
import type { Clock } from '../../engine/time/clock.ts';
import { ADMISSION_WAIT_MAX_MS, ADMISSIONS_SWEEP_MS } from './limits.ts';

export interface ReportToAdmit {
  /** The id of its command: a repeat is counted once. */
  readonly commandId: string;
  readonly organisation: string;
  /** In the form of `sourceNetwork`. */
  readonly source: string;
  /** The space, or the building if there is none. */
  readonly roomId: string;
  /** The nonce of the solved challenge; `null`: no proof. */
  readonly nonce: string | null;
}

export interface Admissions {
  /**
   * Counts a report and admits it. A repeated command is admitted without being counted.
   *
   * Refuses `RATE_LIMITED` with the seconds until one more is admitted, `of: 'source'` or `'room'`,
   * and `PROOF_REQUIRED` with its `reason`: `used` for a challenge of another report, `missing`
   * beyond {@link REPORTS_UNPROVEN_MAX} of the organisation.
   *
   * @throws As the database does.
   */
  admit(report: ReportToAdmit): Promise<Refusal | { readonly isCounted: boolean }>;
  /** Whether the command was counted within the hour. @throws As the database does. */
  isAdmitted(commandId: string): Promise<boolean>;
  /**
   * A cached refusal, if this process knows that the limit is still exceeded: without a query.
   * `null`: it may be admitted.
   *
   * @param isProven Whether it comes with a proof.
   */
  refusal(
    report: Pick<ReportToAdmit, 'source' | 'organisation'>,
    isProven: boolean,
  ): Refusal | null;
}

export interface AdmissionParts {
  readonly pool: Pool;
  readonly clock: Clock;
  readonly secrets: Secrets;
  /** By source or organisation, until when it is refused, in ms since 1970; a bounded cache. */
  readonly refused: Pick<LruCache<number>, 'get' | 'set'>;
}

export const admissionsIn = ({ pool, clock, secrets, refused }: AdmissionParts): Admissions => {
  const [key] = secrets.derived('report-source');
  const codeOf = (source: string) => createHmac('sha256', key!).update(source).digest();
  let sweptMs = -Infinity;

  /** Runs after an admission, not by a timer: an idle platform sends no statements. */
  const sweep = async (nowMs: number): Promise<void> => {
    if (nowMs - sweptMs < ADMISSIONS_SWEEP_MS) return;
    sweptMs = nowMs;
    await pool.query({
      name: 'public reports sweep',
      text: 'delete from public_report.admitted where at <= $1',
      values: [instant(nowMs - REPORT_WINDOW_MS)],
    });
  };

  return {
    async admit(report) {
      const nowMs = Date.parse(clock.now());
      const source = codeOf(report.source);
      const outcome = await transaction(pool, (client) =>
        counted(client, { ...report, source }, nowMs),
      );
      if (isRefusal(outcome)) {
        if (outcome.untilMs !== undefined) refused.set(keyOf(outcome, report), outcome.untilMs);
        const { untilMs: _, ...refusal } = outcome;
        return refusal;
      }
      await sweep(nowMs);
      return outcome;
    },

    async isAdmitted(commandId) {
      const { rowCount } = await pool.query({
        name: 'public report admitted',
        text: 'select from public_report.admitted where command_id = $1',
        values: [commandId],
      });
      return rowCount === 1;
    },

    refusal({ source, organisation }, isProven) {
      const nowMs = Date.parse(clock.now());
      const isUntil = (key: string) => (refused.get(key) ?? 0) - nowMs;
      const leftMs = isUntil(sourceKey(source));
      if (leftMs > 0) return rateLimited('source', REPORTS_OF_SOURCE_MAX, nowMs + leftMs, nowMs);
      const isProofNeeded = !isProven && isUntil(organisationKey(organisation)) > 0;
      return isProofNeeded ? proofRequired('missing') : null;
    },
  };
};

const sourceKey = (source: string): string => `source ${source}`;
const organisationKey = (organisation: string): string => `organisation ${organisation}`;

const keyOf = (
  { extra }: Refusal,
  { source, organisation }: Pick<ReportToAdmit, 'source' | 'organisation'>,
): string => (extra?.['of'] === 'source' ? sourceKey(source) : organisationKey(organisation));

/** `untilMs`: the refusal can be cached until then; absent if it depends on the room. */
type Remembered = Refusal & { readonly untilMs?: number };

type Counted = Omit<ReportToAdmit, 'source'> & { readonly source: Buffer };

const counted = async (
  client: PoolClient,
  { commandId, organisation, source, roomId, nonce }: Counted,
  nowMs: number,
): Promise<Remembered | { readonly isCounted: boolean }> => {
  // Locked in one order everywhere, so that two reports cannot deadlock.
  const locks = [`source ${source.toString('hex')}`, `room ${roomId}`];
  if (nonce === null) locks.push(`organisation ${organisation}`);
  else locks.push(`proof ${nonce}`);
  await client.query(`set local lock_timeout = ${ADMISSION_WAIT_MAX_MS}`);
  for (const name of locks.toSorted()) await lockName(client, name);
  const { rows } = await client.query<Found>({
    name: 'public report counts',
    text: COUNTS,
    values: [commandId, organisation, source, roomId, nonce, instant(nowMs - REPORT_WINDOW_MS)],
  });
  const found = rows[0]!;
  if (found.isKnown) return { isCounted: false };
  const limit = limitReached(found, nonce, nowMs);
  if (limit !== null) return limit;
  await client.query({
    name: 'public report admit',
    text: `insert into public_report.admitted (command_id, organisation, source, room_id, nonce, at)
           values ($1, $2, $3, $4, $5, $6)`,
    values: [commandId, organisation, source, roomId, nonce, instant(nowMs)],
  });
  return { isCounted: true };
};

interface Found {
  readonly isKnown: boolean;
  readonly isUsed: boolean;
  /** The time of the n-th last report, where n is the limit; `null`: there are fewer. */
  readonly sourceSince: Instant | null;
  readonly roomSince: Instant | null;
  readonly unprovenSince: Instant | null;
}

const COUNTS = `select
  exists (select from public_report.admitted where command_id = $1) as "isKnown",
  exists (select from public_report.admitted where nonce = $5) as "isUsed",
  (select at from public_report.admitted where organisation = $2 and nonce is null and at > $6
   order by at desc offset ${REPORTS_UNPROVEN_MAX - 1} limit 1) as "unprovenSince",
  (select at from public_report.admitted where source = $3 and at > $6
   order by at desc offset ${REPORTS_OF_SOURCE_MAX - 1} limit 1) as "sourceSince",
  (select at from public_report.admitted where room_id = $4 and at > $6
   order by at desc offset ${REPORTS_OF_ROOM_MAX - 1} limit 1) as "roomSince"`;

const limitReached = (
  { sourceSince, roomSince, unprovenSince, isUsed }: Found,
  nonce: string | null,
  nowMs: number,
): Remembered | null => {
  if (sourceSince !== null) {
    const untilMs = endOf(sourceSince);
    return { ...rateLimited('source', REPORTS_OF_SOURCE_MAX, untilMs, nowMs), untilMs };
  }
  if (roomSince !== null) return rateLimited('room', REPORTS_OF_ROOM_MAX, endOf(roomSince), nowMs);
  if (isUsed) return proofRequired('used');
  if (nonce !== null || unprovenSince === null) return null;
  return { ...proofRequired('missing'), untilMs: endOf(unprovenSince) };
};

/** When a report of this time no longer counts. */
const endOf = (since: Instant): number => Date.parse(since) + REPORT_WINDOW_MS;

const rateLimited = (
  of: 'source' | 'room',
  max: number,
  untilMs: number,
  nowMs: number,
): Refusal => ({
  refused: 'RATE_LIMITED',
  detail: `One ${of === 'source' ? 'address' : 'room'} may report ${max} times an hour.`,
  extra: { of },
  retryAfterS: Math.max(1, Math.ceil((untilMs - nowMs) / 1_000)),
});

export type ProofReason = 'missing' | 'invalid' | 'expired' | 'used';

/** The refusal of a report without a valid proof of work. */
export const proofRequired = (reason: ProofReason): Refusal =>
  refuse('PROOF_REQUIRED', PROOF_DETAILS[reason], { reason });

const PROOF_DETAILS: Readonly<Record<ProofReason, string>> = {
  missing: 'This report needs a proof of work.',
  invalid: 'The proof of work solves no challenge of this server.',
  expired: 'The challenge has expired.',
  used: 'The challenge was used for another report.',
};

const instant = (ms: number): Instant => new Date(ms).toISOString();
