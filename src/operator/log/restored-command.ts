import { noServerRuns } from '../../consumers/log-change.ts';
import { transaction } from '../../db/transaction.ts';
import type { Env } from '../command-logger.ts';
import { onConsumers } from '../open-consumers.ts';
import { OperatorError } from '../operator-error.ts';
import { acceptCopy, restore, SERVING } from './restore.ts';
import { restorePlan, type PlanParts, type RestorePlan } from './restore-plan.ts';

export interface RestoredCommand {
  readonly dryRun?: boolean;
  /** Default `RESTORE_NUMBERS_SKIPPED`. */
  readonly skipNumbers?: string;
  /** The operator knows that the log holds all that was acknowledged. */
  readonly nothingLost?: boolean;
  readonly env: Env;
}

/**
 * `atrium log restored`: the log, or the database with it, was restored from a backup.
 * docs/operating/backup-and-restore.md.
 *
 * @returns The exit code: 0.
 * @throws `ServersRunning`; {@link OperatorError} where `nothingLost` is not so; whatever
 *   opening the log and the database throws.
 */
export const restoredCommand = (command: RestoredCommand): Promise<number> =>
  onConsumers(command.env, async ({ config, stored: log, db }) => {
    const skipNumbers = skippedBy(command.skipNumbers);
    const parts: PlanParts = {
      log,
      pool: db.pool,
      isLogInDatabase: config.eventstoreUrl === null,
      ...(skipNumbers === undefined ? {} : { skipNumbers }),
    };
    await carryOut(parts, command);
    return 0;
  });

const carryOut = async (
  parts: PlanParts,
  { dryRun = false, nothingLost = false }: RestoredCommand,
): Promise<void> => {
  const say = (line: string) => process.stdout.write(`${line}\n`);
  if (nothingLost) {
    const { reason } = await restorePlan({ ...parts, isLogInDatabase: false });
    if (reason !== null) throw new OperatorError(`something was lost: ${reason}`);
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
  if (plan.timeline === 'done') return ['this was put right already'];
  const { numbers, processes, auditLost, keys } = plan;
  return [
    plan.reason ?? 'nothing shows that the log lacks anything; it is taken for restored',
    `positions after ${plan.after ?? 'the beginning'} that clients keep are answered 410`,
    ...numbers.map(
      ({ organisation, next, moved, lost }) =>
        `${organisation}: ${lost} tickets are lost; numbers go on at ${moved}, not at ${next}`,
    ),
    `audit of keys: ${auditLost} records are lost`,
    ...keys.revoked.map(
      ({ keyId, organisation, at }) =>
        `key ${keyId} of ${organisation} was revoked at ${at}: that is recorded again`,
    ),
    ...keys.lost.map(
      ({ keyId, organisation, label }) =>
        `key ${keyId} of ${organisation} (${label}) is lost: it opens nothing; mint another one`,
    ),
    ...processes.map(({ name, position }) => `process ${name} goes on after ${position}`),
    'all read models are built from the start',
  ];
};

const skippedBy = (text: string | undefined): number | undefined => {
  if (text === undefined) return undefined;
  const numbers = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isNaN(numbers)) throw new OperatorError(`--skip-numbers: not a number: ${text}`);
  return numbers;
};
