/** Restores a backup into an empty database, log and store. */
import type { Pool } from 'pg';
import type { EventStore } from '../../engine/log/event-store.ts';
import type { FileStore } from '../../files/file-store.ts';
import { erasableKeysIn } from '../../engine/personal/person-keys.ts';
import { accountsIn } from '../../projections/erasures/accounts.ts';
import { eraseKeys } from '../../use-cases/erasures/erase-keys.ts';
import type { ErasureList } from '../../use-cases/erasures/erasure-list.ts';
import { newestErasures } from './erasures.ts';
import { isDestination, markDestination, unmarkDestination } from './destination.ts';
import type { Manifest } from './manifest.ts';
import { restoreDatabase } from './restore-database.ts';
import { restoreFiles } from './restore-files.ts';
import { mustBeEmpty, mustFit, restoreLog } from './restore-log.ts';
import type { OnDamaged } from './refused.ts';
import type { Opening } from './sealed-stream.ts';
import type { Until } from './until.ts';

export interface RestoreParts {
  readonly manifest: Manifest;
  readonly opening: Opening;
  readonly pool: Pool;
  /** The connection string of the same database. */
  readonly url: string;
  /** For a backup whose log is in EventStoreDB; `null`: the log is in the database. */
  readonly log: EventStore | null;
  /** `null`: attachments are only compared. */
  readonly files: Pick<FileStore, 'open' | 'receive' | 'remove'> | null;
  /** All of the place, newest first: persons erased since the backup are erased again. */
  readonly manifests: readonly Manifest[];
  /** Called for a damaged list of erasures: the one before may lack the latest. */
  readonly onDamaged: OnDamaged;
  /** Called for each attachment whose part is missing or damaged: it is left out. */
  readonly onDamagedFile: OnDamaged;
  /** The list of erasures; `null`: nothing is erased, the copy is only compared. */
  readonly erasureList: ErasureList | null;
  /** `null`: the whole log. */
  readonly until: Until | null;
  readonly signal: AbortSignal;
  readonly onEvents: (events: number, share: number) => void;
}

/**
 * Restores the database first, then a log outside it, attachments last. Servers refuse the database
 * until the restore is finished. After an interruption the same call restarts the database and
 * continues the rest.
 *
 * @returns The number of attachments restored, or compared.
 * @throws `BackupRefused` with `NOT_EMPTY`, `NEWER_RELEASE`, `WRONG_IDENTITY`, `DAMAGED`,
 *   `NOT_COVERED`, `NO_SPACE`; `ServersRunning`; errors of the database, the log and the store.
 */
export const restoreBackup = async (parts: RestoreParts): Promise<number> => {
  const { manifest, pool, log, until, signal } = parts;
  const mark = { backup: manifest.id, until: until === null ? null : JSON.stringify(until) };
  const isRepeated = await isDestination(pool, mark);
  if (log !== null && !isRepeated) await mustBeEmpty(log);
  if (log !== null) await mustFit(manifest);
  await mustOpen(parts);
  await markDestination(pool, mark);
  await restoreDatabase(parts);
  if (log !== null) await restoreLog({ ...parts, log });
  const files = await restoreFiles(parts);
  await eraseListed(parts);
  signal.throwIfAborted();
  await unmarkDestination(pool);
  return files;
};

/** Destroys only the keys: `atrium log restored` records the erasures in the tickets. */
const eraseListed = async (parts: RestoreParts): Promise<void> => {
  const { manifest, opening, manifests, erasureList, pool, signal, onDamaged } = parts;
  const isSealed = manifest.migrations.includes(KEYS_OF_PERSONS);
  const erasing = { keys: erasableKeysIn(pool), accounts: accountsIn(pool) };
  for await (const entry of newestErasures(opening.place, manifests, onDamaged)) {
    signal.throwIfAborted();
    if (erasureList === null) continue;
    await erasureList.add(entry);
    if (isSealed) await eraseKeys(erasing, entry);
  }
};

/** The last migration of these tables; for a backup without it the server destroys the keys. */
const KEYS_OF_PERSONS = '0031-destroyed-keys';

/** Checks before any write that the identity opens the backup. */
const mustOpen = async ({ manifest, opening }: RestoreParts): Promise<void> => {
  const [part] = [...manifest.tables, ...manifest.log.segments].flatMap(({ parts }) => parts);
  if (part === undefined) return;
  const chunks = opening.identity.opened(opening.place.read(part));
  for await (const chunk of chunks) if (chunk.length > 0) return;
};
