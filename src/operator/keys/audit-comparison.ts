import { FedFromAnotherLog } from '../../engine/consumers/log-change.ts';
import { RequestConflict } from '../../engine/consumers/requests.ts';
import { AUDIT_VERIFY_WAIT_MS } from '../limits.ts';
import { keyAudit } from '../../projections/keys/key-audit.ts';
import type { Position } from '../../engine/log/event-store.ts';
import { LogRefused } from '../../engine/log/log-refused.ts';
import { walked } from '../events/walk.ts';
import { OperatorError } from '../operator-error.ts';
import type { OpenModels } from '../projections/open-models.ts';
import { differencesIn, outcomeOf, type Verdict } from '../projections/print.ts';
import { requested } from '../projections/requested.ts';

/**
 * Compares the audit with a shadow copy rebuilt by the owner of its projection, which is this
 * process if there is no other.
 *
 * @param head The log's head at the beginning of the verification.
 * @returns The differences, one line each; or why the audit cannot be compared.
 */
export const comparedAudit = async (
  opened: OpenModels,
  head: Position | null,
): Promise<readonly string[]> => {
  try {
    await opened.checkLog();
    await opened.feed();
    if (head !== null) await opened.models.waitFor([keyAudit.name], head, AUDIT_VERIFY_WAIT_MS);
    opened.signal.throwIfAborted();
    return await compared(opened, head);
  } catch (error) {
    if (!REFUSALS.some((kind) => error instanceof kind)) throw error;
    return [notCompared((error as Error).message)];
  }
};

/** @param why One line. */
export const notCompared = (why: string): string =>
  `the audit was not compared with the log: ${why}`;

/** The comparison is not possible now; the other findings are still printed. */
const REFUSALS = [FedFromAnotherLog, LogRefused, OperatorError, RequestConflict];

const compared = async (opened: OpenModels, head: Position | null): Promise<readonly string[]> => {
  const verification = { kind: 'verify', by: 'atrium audit' } as const;
  const request = await requested(opened, keyAudit.name, verification);
  if (request.state !== 'done') return [outcomeOf(request)];
  const verdict = request.result as Verdict | null;
  if (!verdict) throw new OperatorError('the result of the verification is unknown');
  const { live } = verdict.parked;
  return [
    ...(await lagIn(opened, verdict.position, head)),
    ...(live === 0 ? [] : [`${live} streams are parked; see atrium projections parked key-audit`]),
    ...differencesIn(verdict),
  ];
};

/** Ignores events of other categories; the checkpoint is saved with a delay. */
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
