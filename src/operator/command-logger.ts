import type { Config } from '../config/config.ts';
import { logDestination } from '../engine/observe/log-destination.ts';
import { loggerOf, type Logger } from '../engine/observe/logging.ts';

export type Env = Readonly<Record<string, string | undefined>>;

/**
 * The log of a command goes to standard error: standard output is for results. It has errors only
 * unless `LOG_LEVEL` is set.
 */
export const commandLogger = async (env: Env, { logLevel, logFormat }: Config): Promise<Logger> =>
  loggerOf(env['LOG_LEVEL'] ? logLevel : 'error', await logDestination('stderr', logFormat));
