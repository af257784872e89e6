import type { Config } from '../config/config.ts';
import { logDestination } from '../engine/observe/log-destination.ts';
import { loggerOf, type Logger } from '../engine/observe/logging.ts';

export type Env = Readonly<Record<string, string | undefined>>;

/**
 * A command logs to standard error, because standard output is for results, and only errors unless
 * `LOG_LEVEL` is set.
 */
export const commandLogger = async (env: Env, { logLevel, logFormat }: Config): Promise<Logger> =>
  loggerOf(env['LOG_LEVEL'] ? logLevel : 'error', await logDestination('stderr', logFormat));
