/**
 * The reports without sign-in of the last hour, in rows that every process shares: what the limits
 * count, and the proofs that were used. A source is stored as a code that only this installation
 * can compute. Rows are bounded by the limits and deleted after the hour. contract.md section 5.
 */
import { createHmac } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import {
  REPORT_WINDOW_MS,
  REPORTS_OF_ROOM_MAX,
  REPORTS_OF_SOURCE_MAX,
  REPORTS_UNPROVEN_MAX,
} from '../../domain/public-reports/limits.ts';
import { refuse, type Instant, type Refusal } from '../../engine/aggregates/decider.ts';
import { transaction } from '../../engine/postgres/transaction.ts';
import type { Secrets } from '../../engine/secrets/secrets.ts';
import type { Clock } from '../../engine/time/clock.ts';
import { ADMISSION_WAIT_MAX_MS, ADMISSIONS_SWEEP_MS } from './limits.ts';

export interface ReportToAdmit {
  /** Of its command: a repeat is counted once. */
  readonly commandId: string;
  readonly organisation: string;
  /** As `sourceNetwork` writes it. */
  readonly source: string;
  /** The space, or the building if there is none. */
  readonly roomId: string;
  /** Of the challenge that was solved; `null`: none was. */
  readonly nonce: string | null;
}

export interface Admissions {
  /**
   * Counts a report and admits it. The same command again is admitted, uncounted.
   *
   * Refuses `RATE_LIMITED` with the seconds until one more is admitted, `of: 'source'` or `'room'`,
   * and `PROOF_REQUIRED` with its `reason`: `used` for a challenge of another report, `missing`
   * beyond {@link REPORTS_UNPROVEN_MAX} of the organisation.
   *
   * @throws As the database does.
   */
  admit(report: ReportToAdmit): Promise<Refusal | { readonly isCounted: boolean }>;
  /**
   * How many seconds this source is refused anyway; `null`: it may be admitted. Exact where this
   * process has refused it, and otherwise not known.
   */
  refusedFor(source: string): number | null;
}

export interface AdmissionParts {
  readonly pool: Pool;
  readonly clock: Clock;
  readonly secrets: Secrets;
  /** Sources whose refusal is remembered. */
  readonly refused: RefusedSources;
}

/** Until when a source is refused, in ms since 1970; a bounded cache. */
export interface RefusedSources {
  get(source: string): number | undefined;
  set(source: string, untilMs: number): void;
}

export const admissionsIn = ({ pool, clock, secrets, refused }: AdmissionParts): Admissions => {
  const [key] = secrets.derived('report-source');
  const codeOf = (source: string) => createHmac('sha256', key!).update(source).digest();
  let sweptMs = -Infinity;

  /** Behind an admission, so that an idle platform sends nothing. */
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
      if (outcome !== null && 'refused' in outcome) {
        if (outcome.extra?.['of'] === 'source')
          refused.set(report.source, nowMs + outcome.retryAfterS! * 1_000);
        return outcome;
      }
      await sweep(nowMs);
      return { isCounted: outcome !== null };
    },

    refusedFor(source) {
      const leftMs = (refused.get(source) ?? 0) - Date.parse(clock.now());
      return leftMs > 0 ? Math.ceil(leftMs / 1_000) : null;
    },
  };
};

type Counted = Omit<ReportToAdmit, 'source'> & { readonly source: Buffer };

/** `null`: the command was counted before. */
const counted = async (
  client: PoolClient,
  { commandId, organisation, source, roomId, nonce }: Counted,
  nowMs: number,
): Promise<Refusal | { readonly at: Instant } | null> => {
  // In one order everywhere, so that two reports never wait for each other.
  const locks = [`source ${source.toString('hex')}`, `room ${roomId}`];
  if (nonce === null) locks.push(`organisation ${organisation}`);
  else locks.push(`proof ${nonce}`);
  await client.query(`set local lock_timeout = ${ADMISSION_WAIT_MAX_MS}`);
  for (const name of locks.toSorted())
    await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [name]);
  const { rows } = await client.query<Found>({
    name: 'public report counts',
    text: COUNTS,
    values: [commandId, organisation, source, roomId, nonce, instant(nowMs - REPORT_WINDOW_MS)],
  });
  const found = rows[0]!;
  if (found.isKnown) return null;
  const limit = limitReached(found, nowMs);
  if (limit !== null) return limit;
  if (found.isUsed) return proofRequired('used');
  if (nonce === null && found.unproven >= REPORTS_UNPROVEN_MAX) return proofRequired('missing');
  const at = instant(nowMs);
  await client.query({
    name: 'public report admit',
    text: `insert into public_report.admitted (command_id, organisation, source, room_id, nonce, at)
           values ($1, $2, $3, $4, $5, $6)`,
    values: [commandId, organisation, source, roomId, nonce, at],
  });
  return { at };
};

interface Found {
  readonly isKnown: boolean;
  readonly isUsed: boolean;
  readonly unproven: number;
  /** Times of the last reports, as many as there may be, the oldest of them; `null`: fewer. */
  readonly sourceSince: Instant | null;
  readonly roomSince: Instant | null;
}

const COUNTS = `select
  exists (select from public_report.admitted where command_id = $1) as "isKnown",
  exists (select from public_report.admitted where nonce = $5) as "isUsed",
  (select count(*)::int from public_report.admitted
   where organisation = $2 and nonce is null and at > $6) as unproven,
  (select at from public_report.admitted where source = $3 and at > $6
   order by at desc offset ${REPORTS_OF_SOURCE_MAX - 1} limit 1) as "sourceSince",
  (select at from public_report.admitted where room_id = $4 and at > $6
   order by at desc offset ${REPORTS_OF_ROOM_MAX - 1} limit 1) as "roomSince"`;

const limitReached = ({ sourceSince, roomSince }: Found, nowMs: number): Refusal | null => {
  if (sourceSince !== null) return rateLimited('source', REPORTS_OF_SOURCE_MAX, sourceSince, nowMs);
  if (roomSince !== null) return rateLimited('room', REPORTS_OF_ROOM_MAX, roomSince, nowMs);
  return null;
};

const rateLimited = (
  of: 'source' | 'room',
  max: number,
  since: Instant,
  nowMs: number,
): Refusal => ({
  refused: 'RATE_LIMITED',
  detail: `One ${of === 'source' ? 'address' : 'room'} may report ${max} times an hour.`,
  extra: { of },
  retryAfterS: Math.max(1, Math.ceil((Date.parse(since) + REPORT_WINDOW_MS - nowMs) / 1_000)),
});

export type ProofReason = 'missing' | 'invalid' | 'expired' | 'used';

/** The refusal of a report without a proof of work, or with one that is none. */
export const proofRequired = (reason: ProofReason): Refusal =>
  refuse('PROOF_REQUIRED', PROOF_DETAILS[reason], { reason });

const PROOF_DETAILS: Readonly<Record<ProofReason, string>> = {
  missing: 'This report needs a proof of work.',
  invalid: 'The proof of work solves no challenge of this server.',
  expired: 'The challenge has expired.',
  used: 'The challenge was used for another report.',
};

const instant = (ms: number): Instant => new Date(ms).toISOString();
