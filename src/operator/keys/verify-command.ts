import { auditKeptSince } from '../../domain/retention/retention.ts';
import { AUDIT_VERIFY_WAIT_MS } from '../../limits.ts';
import { keyAudit } from '../../projections/keys/key-audit.ts';
import type { EventStore, Position } from '../../store/event-store.ts';
import { clockOf } from '../adapters.ts';
import type { Env } from '../command-logger.ts';
import { OperatorError } from '../operator-error.ts';
import { onModels, type OpenModels } from '../projections/open-models.ts';
import { differencesIn, outcomeOf, type Verdict } from '../projections/print.ts';
import { requested } from '../projections/requested.ts';
import { readUses } from './uses-in-log.ts';

export interface VerifyCommand {
  readonly json?: boolean;
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
}

/**
 * `atrium audit verify`: the audit comparison with one that is built anew beside it, and the log
 * searched for uses that should not have been allowed. The server may run meanwhile.
 *
 * @returns The exit code: 0, or 1 where there are differences.
 * @throws {@link OperatorError} with one line if the two cannot be comparison.
 */
export const verifyCommand = ({ env, json }: VerifyCommand): Promise<number> =>
  onModels(env, keyAudit.name, async (opened) => {
    await opened.checkLog();
    const verdict = await verifyAudit(opened);
    process.stdout.write(`${json ? JSON.stringify(verdict) : linesOf(verdict)}\n`);
    return verdict.equal ? 0 : 1;
  });

const verifyAudit = async (opened: OpenModels): Promise<AuditVerdict> => {
  const { config, log, models, signal, feed } = opened;
  const now = (await clockOf(config, log)).now();
  const { position: head } = await log.head();
  await feed();
  if (head !== null) await models.waitFor([keyAudit.name], head, AUDIT_VERIFY_WAIT_MS);
  const request = await requested(opened, keyAudit.name, { kind: 'verify', by: 'atrium audit' });
  if (request.state !== 'done') throw new OperatorError(outcomeOf(request));
  const comparison = request.result as Verdict | null;
  if (!comparison) throw new OperatorError('what the verification found is not known');

  const since = auditKeptSince(now);
  const logged = await readUses(log, { until: comparison.position, since, signal });
  const differences = [
    ...lagIn(log, comparison.position, head),
    ...(comparison.parked.live === 0
      ? []
      : [`${comparison.parked.live} streams are parked; see atrium projections parked key-audit`]),
    ...differencesIn(comparison),
    ...logged.breaches,
  ];
  const { records, organisations, late } = logged;
  return { equal: differences.length === 0, records, organisations, differences, late };
};

const lagIn = (log: EventStore, position: Position | null, head: Position | null): string[] => {
  if (log.compare(position, head) >= 0) return [];
  const events = log.distance(position, head);
  const by = events === null ? '' : ` by ${events} events`;
  return [`the audit is behind the log${by}: does a server run?`];
};

const linesOf = ({ equal, records, organisations, differences, late }: AuditVerdict): string => {
  const counted = `${records} records of ${organisations} organisations`;
  return [
    equal ? `the audit is what the log says: ${counted}` : 'the audit is not in order',
    ...differences.map((line) => `  ${line}`),
    ...late.map((line) => `  later in the log than it was decided: ${line}`),
  ].join('\n');
};
