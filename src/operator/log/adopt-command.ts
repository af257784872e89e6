import { adoptLog, noServerRuns } from '../../engine/consumers/log-change.ts';
import { compareLog, type LogComparison } from '../../engine/consumers/restore-detection.ts';
import { transaction } from '../../engine/postgres/transaction.ts';
import { LogRestored } from '../../engine/log/log-refused.ts';
import type { Env } from '../command-logger.ts';
import { onConsumers } from '../open-consumers.ts';
import { OperatorError } from '../operator-error.ts';
import { restoredKeys, revokeAgain } from './restored-keys.ts';

export interface AdoptCommand {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  /** Asks the person at the terminal. @throws Unless the answer is yes. */
  readonly confirm: (question: string) => Promise<void>;
  readonly env: Env;
}

/**
 * `atrium log adopt`: continues the installation with the configured log, even if it is empty or
 * has another identity. docs/operating/backup-and-restore.md.
 *
 * @returns The exit code: 0.
 * @throws {@link OperatorError} for a log that is older than the database, which `atrium log
 *   restored` repairs; `ServersRunning`; errors of opening the log and the database.
 */
export const adoptCommand = ({ dryRun, yes, confirm, env }: AdoptCommand): Promise<number> =>
  onConsumers(env, async ({ config, stored, db }) => {
    const say = (line: string) => process.stdout.write(`${line}\n`);
    const options = { isLogInDatabase: config.eventstoreUrl === null };
    const standing = await compareLog(db.pool, stored, options);
    for (const line of linesOf(standing)) say(line);
    if (standing.kind !== 'another') return 0;
    if (dryRun) {
      say('nothing was changed');
      return 0;
    }
    const servers = { waiting: true };
    await transaction(db.pool, (client) => noServerRuns(client, servers));
    if (!yes) await confirm('Continue with this log?');
    const accept = (client: Parameters<typeof noServerRuns>[0]) => noServerRuns(client, servers);
    const { revoked } = await restoredKeys(stored, db.pool, null);
    await revokeAgain(stored, db.pool, revoked);
    await adoptLog(db.pool, stored, { ...options, accept });
    say('done: start the servers; the read models are built from the start');
    return 0;
  });

/** @throws {@link OperatorError} if another command repairs it. */
const linesOf = (standing: LogComparison): readonly string[] => {
  switch (standing.kind) {
    case 'new':
      return ['the database has not been fed from a log yet: a start adopts this one'];
    case 'same':
      return ["the log is this installation's already"];
    case 'imported':
      return ["the log was imported from this installation's: a start adopts it"];
    case 'restored':
      throw new OperatorError(new LogRestored(standing.reason).message);
    case 'another':
      return [
        standing.reason,
        'all read models are rebuilt from this log, without the events that it lacks',
        'cursors of clients belong to the other log: clients must start again',
      ];
  }
};
