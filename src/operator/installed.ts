/** Operators' commands work on an existing installation, and never create one. */
import { existsSync } from 'node:fs';
import { postgresDirectory, type Config } from '../config/config.ts';
import { appliedMigrations } from '../engine/postgres/migrate.ts';
import { poolOn } from '../engine/postgres/pool.ts';
import { databaseUnreachable } from './database-unreachable.ts';
import { placeOf } from './doctor/secrets.ts';
import { OperatorError } from './operator-error.ts';

/**
 * @param tables Whether a configured database must have its tables. Default true.
 * @throws {@link OperatorError} if there is no installation, or its database cannot be reached,
 *   with the place that was searched.
 */
export const mustBeInstalled = async (
  config: Config,
  { tables = true }: { readonly tables?: boolean } = {},
): Promise<void> => {
  const { databaseUrl } = config;
  if (databaseUrl === null) {
    const directory = postgresDirectory(config);
    if (existsSync(directory)) return;
    throw new OperatorError(
      `there is no installation in ${config.dataDirectory}: ` +
        'set ATRIUM_DATA or DATABASE_URL as the server has them; a server makes it when it starts',
    );
  }
  if (!tables || (await hasTables(databaseUrl).catch(databaseUnreachable(databaseUrl)))) return;
  throw new OperatorError(
    `there is no installation in ${placeOf(databaseUrl)}: ` +
      'set DATABASE_URL as the server has it; a server makes its tables when it starts',
  );
};

const hasTables = async (url: string): Promise<boolean> => {
  const pool = poolOn(url, 'atrium', { max: 1 });
  try {
    return (await appliedMigrations(pool)) !== null;
  } finally {
    await pool.end();
  }
};
