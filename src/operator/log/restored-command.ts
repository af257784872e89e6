import { noServerRuns } from '../../engine/consumers/log-change.ts';
import { compareLog } from '../../engine/consumers/restore-detection.ts';
import { transaction } from '../../engine/postgres/transaction.ts';
import type { Env } from '../command-logger.ts';
import { openedErasures } from '../opened-erasures.ts';
import { onConsumers } from '../open-consumers.ts';
import { OperatorError, UsageError } from '../operator-error.ts';
import { wholeNumber } from '../whole-number.ts';
import { acceptCopy, restore, SERVING } from './restore.ts';
import { restorePlan, type PlanParts, type RestorePlan } from './restore-plan.ts';

export interface RestoredCommand {
  readonly dryRun?: boolean;
  /** Default `RESTORE_NUMBERS_SKIPPED`. */
  readonly skipNumbers?: string;
  /** Name of the restore, which makes the command idempotent. Default: the time. */
  readonly name?: string;
  /** The operator's assurance that the log has all acknowledged events. */
  readonly nothingLost?: boolean;
  readonly env: Env;
}

/**
 * `atrium log restored`: the log, or the database with it, was restored from a backup.
 * docs/operating/backup-and-restore.md.
 *
 * @returns The exit code: 0; 1 if erasures cannot be read, and so are not recorded again.
 * @throws `ServersRunning`; {@link OperatorError} if `nothingLost` does not hold, or the restore
 *   cannot be distinguished from an earlier one; errors of opening the log and the database.
 */
export const restoredCommand = (command: RestoredCommand): Promise<number> =>
  onConsumers(command.env, async ({ config, stored: log, db }) => {
    const { skipNumbers, name } = command;
    await using stores = openedErasures(config);
    const unreadable = new Map<string, string>();
    const parts: PlanParts = {
      log,
      pool: db.pool,
      erasureList: stores.list,
      onUnreadableErasure: ({ entry, message }) => unreadable.set(entry, message),
      isLogInDatabase: config.eventstoreUrl === null,
      ...(skipNumbers === undefined
        ? {}
        : { skipNumbers: wholeNumber('--skip-numbers', skipNumbers) }),
      ...(name === undefined ? {} : { name: checkedName(name) }),
    };
    await carryOut(parts, command);
    for (const message of unreadable.values())
      process.stderr.write(`${message}: the person may be back; bring the file back\n`);
    return unreadable.size === 0 ? 0 : 1;
  });

const carryOut = async (
  parts: PlanParts,
  { dryRun = false, nothingLost = false }: RestoredCommand,
): Promise<void> => {
  const say = (line: string) => process.stdout.write(`${line}\n`);
  if (nothingLost) {
    const standing = await compareLog(parts.pool, parts.log);
    if (standing.kind === 'restored')
      throw new OperatorError(`events were lost: ${standing.reason}`);
    if (!dryRun) {
      await transaction(parts.pool, (client) => noServerRuns(client, SERVING));
      await acceptCopy(parts);
    }
    say(dryRun ? 'nothing would be changed but the note of the cluster' : 'noted');
    return;
  }
  const plan = await restorePlan(parts);
  for (const line of linesOf(plan)) say(line);
  if (dryRun) say('nothing was changed');
  else if (plan.timeline !== 'done') {
    await restore(parts, plan);
    say('done: start the servers; the read models are built from the start');
  }
};

const linesOf = (plan: RestorePlan): readonly string[] => {
  if (plan.timeline === 'done') return [`restore ${plan.name}: carried out already`];
  const { numbers, processes, auditLost, keys, erasures } = plan;
  return [
    plan.reason ?? 'there is no evidence of lost events; whether any were lost is unknown',
    `restore: ${plan.name}`,
    `positions after ${plan.after ?? 'the beginning'} that clients keep are answered 410`,
    ...numbers.map(
      ({ organisation, next, moved, lost }) =>
        `${organisation}: ${lost ?? UNKNOWN} tickets are lost; numbers continue at ${moved}, ` +
        `not at ${next}`,
    ),
    `audit of keys: ${auditLost ?? UNKNOWN} records are lost`,
    ...keys.revoked.map(
      ({ keyId, organisation, at }) =>
        `key ${keyId} of ${organisation} was revoked at ${at}: the revocation is recorded ` +
        'again',
    ),
    ...keys.lost.map(
      ({ keyId, organisation, label }) =>
        `key ${keyId} of ${organisation} (${label}) is lost and no longer works; mint ` +
        'another one',
    ),
    ...(erasures === 0 ? [] : [`${erasures} erasures of persons are repeated`]),
    ...processes.map(({ name, position }) => `process ${name} goes on after ${position}`),
    'all read models are built from the start',
  ];
};

const UNKNOWN = 'an unknown number of';

const checkedName = (name: string): string => {
  if (/^[\P{C}]{1,100}$/u.test(name)) return name;
  throw new UsageError('--name: 1 to 100 printable characters');
};
