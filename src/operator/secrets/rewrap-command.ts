import type { Pool } from 'pg';
import { configOf } from '../../config/config.ts';
import { currentInstallation } from '../../engine/log/installation.ts';
import type { EventStore } from '../../engine/log/event-store.ts';
import type { Logger } from '../../engine/observe/logging.ts';
import { openDatabase } from '../../engine/postgres/pool.ts';
import { keyIdOf, type Secrets } from '../../engine/secrets/secrets.ts';
import { databasesOn } from '../../hosting/databases.ts';
import { databaseNames } from '../../hosting/names.ts';
import { secretKeysIn } from '../../projections/webhooks/secret-keys.ts';
import { openCommandAdapters } from '../adapters.ts';
import { commandLogger, type Env } from '../command-logger.ts';
import { reasonOf } from '../doctor/check.ts';
import { exitCodeOf, interruption } from '../interruption.ts';
import { rewrapped, rewrappedIfThere, sealedTables } from './rewrap.ts';

/**
 * `atrium secrets rewrap`: reseals all data that `ATRIUM_SECRETS_KEY` seals in Postgres under its
 * first key, in the databases of the platform and of sandboxes, so that the other keys can be
 * removed. Servers may run, if all have the first key. The log is not changed.
 * docs/operating/personal-data.md.
 *
 * @returns The exit code: 0; 1 if rows are left that no configured key opens, or a sandbox's
 *   database failed; 130 or 143 if interrupted.
 * @throws `BadConfiguration`, `OperatorError`, `CannotOpen` without any key.
 */
export const rewrapCommand = async ({ env }: { readonly env: Env }): Promise<number> => {
  const config = configOf(env);
  const logger = await commandLogger(env, config);
  const { db, secrets, stored, databaseUrl, close } = await openCommandAdapters(config, logger);
  const signal = interruption();
  try {
    const closed = new Set<string>();
    for (const one of sealedTables) {
      const found = await rewrapped(db.pool, secrets, one, signal);
      say(`${one.table}: ${rowsOf(found.rows)}`);
      for (const [keyId, rows] of found.closed) {
        closed.add(keyId);
        say(`${one.table}: ${rows} rows stay: no configured key opens what key ${keyId} sealed`);
      }
    }
    // The database where the hosting server creates the sandboxes.
    const hosted = config.sandboxDatabaseUrl ?? databaseUrl;
    const parts = { stored, databaseUrl: hosted, logger, secrets, signal, closed };
    const failed = await rewrapSandboxes(parts);
    await sayWhatWebhooksNeed(db.pool, secrets, 'webhook secrets in the log need');
    if (signal.aborted) say('interrupted; the same command goes on from here');
    if (signal.aborted) return exitCodeOf(signal);
    return closed.size + failed > 0 ? 1 : 0;
  } finally {
    await close();
  }
};

interface Sandboxes {
  readonly stored: EventStore;
  readonly databaseUrl: string;
  readonly logger: Logger;
  readonly secrets: Secrets;
  readonly signal: AbortSignal;
  /** Ids of missing keys. */
  readonly closed: Set<string>;
}

/** @returns How many databases failed; the others are rewrapped. */
const rewrapSandboxes = async (parts: Sandboxes): Promise<number> => {
  const { stored, databaseUrl, logger, secrets, signal, closed } = parts;
  const installation = await currentInstallation(stored);
  if (installation === null) return 0;
  const databases = databasesOn(databaseUrl);
  const owner = decodeURIComponent(new URL(databaseUrl).pathname.slice(1));
  const names = databaseNames(owner, installation);
  const all = await databases.names();
  let failed = 0;
  for (const name of all.filter((one) => names.read(one) !== null)) {
    const db = openDatabase({ url: databases.urlOf(name), logger, connectionsMax: 1 });
    try {
      let rows = 0;
      for (const one of sealedTables) {
        const found = await rewrappedIfThere(db.pool, secrets, one, signal);
        rows += found.rows;
        for (const keyId of found.closed.keys()) {
          closed.add(keyId);
          say(`sandbox ${name}: no configured key opens what key ${keyId} sealed`);
        }
      }
      say(`sandbox ${name}: ${rowsOf(rows)}`);
      await sayWhatWebhooksNeed(db.pool, secrets, `sandbox ${name}: webhook secrets need`);
    } catch (error) {
      // The sandbox was reset or deleted meanwhile.
      if (!(await databases.names()).includes(name)) continue;
      failed += 1;
      say(`sandbox ${name}: its rows stay: ${reasonOf(error)}; run the command again`);
    } finally {
      await db.close();
    }
  }
  const snapshots = all.filter((one) => names.readSnapshot(one) !== null);
  if (snapshots.length > 0)
    say(
      `snapshots of sandboxes stay as they are (${snapshots.length}): new sandboxes from them ` +
        'need the keys that they were made with',
    );
  return failed;
};

/** Secrets of webhooks are in events, which cannot be rewrapped. */
const sayWhatWebhooksNeed = async (pool: Pool, secrets: Secrets, need: string): Promise<void> => {
  const first = keyIdOf(secrets.seal('', 'first'));
  const { open, closed } = await secretKeysIn(pool, secrets);
  const needed = [...open, ...closed].filter((keyId) => keyId !== first);
  if (needed.length > 0)
    say(`${need} key ${needed.join(', ')} until each of these webhooks has a new secret`);
};

const rowsOf = (rows: number): string =>
  rows === 1 ? '1 row rewrapped' : `${rows} rows rewrapped`;

const say = (line: string): void => void process.stdout.write(`${line}\n`);
