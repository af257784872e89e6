import { isOfAnotherLog } from '../../engine/consumers/log-change.ts';
import { auditKeptSince } from '../../domain/keys/retention.ts';
import { keyAudit } from '../../projections/keys/key-audit.ts';
import { LogBroken, type Position } from '../../engine/log/event-store.ts';
import { clockOf } from '../open-log.ts';
import {
  againstIn,
  followedUpTo,
  verifyChains,
  type Against,
  type ChainVerdict,
} from '../audit-chain/verify-chains.ts';
import type { Env } from '../command-logger.ts';
import { Interrupted, UsageError } from '../operator-error.ts';
import { onModels, type OpenModels } from '../projections/open-models.ts';
import { comparedAudit, notCompared } from './audit-comparison.ts';
import { readUses, type UsesInLog } from './uses-in-log.ts';

export interface VerifyCommand {
  readonly json?: boolean;
  /** File of a checkpoint kept elsewhere. */
  readonly against?: string;
  /** File of the key that must have signed it. */
  readonly publicKey?: string;
  readonly env: Env;
}

export interface AuditVerdict {
  readonly equal: boolean;
  /** Number of records of the last 18 months in the log. */
  readonly records: number;
  readonly organisations: number;
  /** One line each. */
  readonly differences: readonly string[];
  /** Uses recorded after a revocation, but decided before it was recorded; one line each. */
  readonly late: readonly string[];
  readonly chains: Omit<ChainVerdict, 'differences'>;
}

/**
 * `atrium audit verify`: searches the log for uses that should have been denied; compares every
 * record with its hash chain and, with `against`, with a checkpoint kept elsewhere; then compares
 * the audit with one rebuilt beside it. The server may run meanwhile.
 *
 * @returns The exit code: 0, or 1 if there are differences.
 * @throws {@link OperatorError} with one line if there is nothing to compare, or the checkpoint's
 *   signature does not match; {@link Interrupted}.
 */
export const verifyCommand = async (command: VerifyCommand): Promise<number> => {
  const { env, json, against, publicKey } = command;
  if (publicKey !== undefined && against === undefined)
    throw new UsageError('--public-key needs --against FILE');
  const checkpoint = against === undefined ? null : againstIn(against, publicKey);
  return onModels(env, keyAudit.name, async (opened) => {
    // A checkpoint is authoritative; without one only the log's internal consistency can be
    // checked.
    if (checkpoint === null) await opened.checkLog();
    const verdict = await verifyAudit(opened, checkpoint).catch((error: unknown) => {
      if (error !== opened.signal.reason) throw error;
      throw new Interrupted('interrupted: nothing is verified', opened.signal);
    });
    process.stdout.write(`${json ? JSON.stringify(verdict) : linesOf(verdict)}\n`);
    return verdict.equal ? 0 : 1;
  });
};

/** The log is verified first, so that its errors are reported whatever the audit's state. */
const verifyAudit = async (opened: OpenModels, against: Against | null): Promise<AuditVerdict> => {
  // The unguarded log: a refused log can be verified too.
  const { config, stored: log, db, consumers, signal } = opened;
  const now = (await clockOf(config, log)).now();
  const isForeign = await isOfAnotherLog(db.pool, log);
  const followed = isForeign ? null : await followedUpTo(consumers.checkpoints);
  const { position: head } = await log.head();
  const uses = await usesUntil(opened, head, auditKeptSince(now));
  const journals = uses.value?.journals ?? new Set<string>();
  const chained = await verifyChains({ log, now, followed, against, journals, signal });
  const ofAudit = uses.value
    ? await comparedAudit(opened, head)
    : [notCompared('nothing follows a log that is broken')];
  signal.throwIfAborted();
  const { differences: ofChains, ...chains } = chained;
  const differences = [...ofChains, ...uses.differences, ...ofAudit];
  const { records = 0, organisations = 0, late = [] } = uses.value ?? {};
  return { equal: differences.length === 0, records, organisations, differences, late, chains };
};

/** A result, or why there is none. */
interface Found<Value> {
  readonly value: Value | null;
  readonly differences: readonly string[];
}

const usesUntil = async (
  { stored, signal }: OpenModels,
  until: Position | null,
  since: string,
): Promise<Found<UsesInLog>> => {
  try {
    const value = await readUses(stored, { until, since, signal });
    return { value, differences: value.breaches };
  } catch (error) {
    if (!(error instanceof LogBroken)) throw error;
    return { value: null, differences: [error.message] };
  }
};

const linesOf = (verdict: AuditVerdict): string => {
  const { equal, records, organisations, differences, late, chains } = verdict;
  const counted = `${records} records of ${organisations} organisations`;
  const waiting = chains.waiting === 0 ? '' : `; ${chains.waiting} are not chained yet`;
  return [
    equal ? `the audit matches the log: ${counted}` : 'the audit is not in order',
    ...differences.map((line) => `  ${line}`),
    ...late.map((line) => `  later in the log than it was decided: ${line}`),
    `${chains.records} records of ${chains.journals} journals are chained${waiting}`,
    ...chains.notes,
  ].join('\n');
};
