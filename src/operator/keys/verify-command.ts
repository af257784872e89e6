import { auditKeptSince } from '../../domain/retention/retention.ts';
import { AUDIT_VERIFY_WAIT_MS } from '../../limits.ts';
import { keyAudit } from '../../projections/keys/key-audit.ts';
import { LogBroken, type Position } from '../../store/event-store.ts';
import { clockOf } from '../open-log.ts';
import {
  againstIn,
  followedUpTo,
  verifyChains,
  type Against,
  type ChainVerdict,
} from '../audit-chain/verify-chains.ts';
import type { Env } from '../command-logger.ts';
import { walked } from '../events/walk.ts';
import { OperatorError } from '../operator-error.ts';
import { onModels, type OpenModels } from '../projections/open-models.ts';
import { differencesIn, outcomeOf, type Verdict } from '../projections/print.ts';
import { requested } from '../projections/requested.ts';
import { readUses, type UsesInLog } from './uses-in-log.ts';

export interface VerifyCommand {
  readonly json?: boolean;
  /** File of a checkpoint that was kept elsewhere. */
  readonly against?: string;
  /** File of the key that must have signed it. */
  readonly publicKey?: string;
  readonly env: Env;
}

export interface AuditVerdict {
  readonly equal: boolean;
  /** Records of the last 18 months, by the log. */
  readonly records: number;
  readonly organisations: number;
  /** What is wrong, a line each. */
  readonly differences: readonly string[];
  /** Uses after a revocation that had not been recorded when they were decided; a line each. */
  readonly late: readonly string[];
  readonly chains: Omit<ChainVerdict, 'differences'>;
}

/**
 * `atrium audit verify`: every record held against its hash chain and, with `against`, against a
 * checkpoint that was kept elsewhere; the audit compared with one that is built anew beside it; and
 * the log searched for uses that should not have been allowed. The server may run meanwhile.
 *
 * @returns The exit code: 0, or 1 where there are differences.
 * @throws {@link OperatorError} with one line if there is nothing to compare, or the checkpoint is
 *   not as it was signed.
 */
export const verifyCommand = async (command: VerifyCommand): Promise<number> => {
  const { env, json, against, publicKey } = command;
  if (publicKey !== undefined && against === undefined)
    throw new OperatorError('--public-key needs --against FILE');
  const checkpoint = against === undefined ? null : againstIn(against, publicKey);
  return onModels(env, keyAudit.name, async (opened) => {
    await opened.checkLog();
    const verdict = await verifyAudit(opened, checkpoint);
    process.stdout.write(`${json ? JSON.stringify(verdict) : linesOf(verdict)}\n`);
    return verdict.equal ? 0 : 1;
  });
};

/** What was found, or why nothing could be. */
interface Found<Value> {
  readonly value: Value | null;
  readonly differences: readonly string[];
}

const verifyAudit = async (opened: OpenModels, against: Against | null): Promise<AuditVerdict> => {
  const { config, log, models, consumers, feed } = opened;
  const now = (await clockOf(config, log)).now();
  const followed = await followedUpTo(consumers.checkpoints);
  const { position: head } = await log.head();
  await feed();
  if (head !== null) await models.waitFor([keyAudit.name], head, AUDIT_VERIFY_WAIT_MS);
  const compared = await comparedAudit(opened, head);
  const until = compared.value ? compared.value.position : head;
  const uses = await usesUntil(opened, until, auditKeptSince(now));

  const journals = uses.value?.journals ?? new Set<string>();
  const chained = await verifyChains({ log, now, followed, against, journals });
  const { differences: ofChains, ...chains } = chained;
  const differences = [...ofChains, ...compared.differences, ...uses.differences];
  const { records = 0, organisations = 0, late = [] } = uses.value ?? {};
  return { equal: differences.length === 0, records, organisations, differences, late, chains };
};

/** The audit beside one that is built anew. A log that is broken has none. */
const comparedAudit = async (
  opened: OpenModels,
  head: Position | null,
): Promise<Found<Verdict>> => {
  const asked = { kind: 'verify', by: 'atrium audit' } as const;
  const request = await requested(opened, keyAudit.name, asked);
  if (request.state !== 'done') return { value: null, differences: [outcomeOf(request)] };
  const value = request.result as Verdict | null;
  if (!value) throw new OperatorError('what the verification found is not known');
  const { live } = value.parked;
  const differences = [
    ...(await lagIn(opened, value.position, head)),
    ...(live === 0 ? [] : [`${live} streams are parked; see atrium projections parked key-audit`]),
    ...differencesIn(value),
  ];
  return { value, differences };
};

const usesUntil = async (
  { log, signal }: OpenModels,
  until: Position | null,
  since: string,
): Promise<Found<UsesInLog>> => {
  try {
    const value = await readUses(log, { until, since, signal });
    return { value, differences: value.breaches };
  } catch (error) {
    if (!(error instanceof LogBroken)) throw error;
    return { value: null, differences: [error.message] };
  }
};

/** What is none of the audit's is no lag, and where the audit is is written down a little later. */
const lagIn = async (
  { log, signal }: OpenModels,
  position: Position | null,
  head: Position | null,
): Promise<readonly string[]> => {
  const { categories } = keyAudit;
  for await (const events of walked(log, { after: position, until: head, categories, signal })) {
    if (events.length === 0) continue;
    const distance = log.distance(position, head);
    const by = distance === null ? '' : ` by ${distance} events`;
    return [`the audit is behind the log${by}: does a server run?`];
  }
  return [];
};

const linesOf = (verdict: AuditVerdict): string => {
  const { equal, records, organisations, differences, late, chains } = verdict;
  const counted = `${records} records of ${organisations} organisations`;
  const waiting = chains.waiting === 0 ? '' : `; ${chains.waiting} are not chained yet`;
  return [
    equal ? `the audit is what the log says: ${counted}` : 'the audit is not in order',
    ...differences.map((line) => `  ${line}`),
    ...late.map((line) => `  later in the log than it was decided: ${line}`),
    `${chains.records} records of ${chains.journals} journals are chained${waiting}`,
    ...chains.notes,
  ].join('\n');
};
