/** Makes a backup: the database in one snapshot, then a log outside it, attachments last. */
import manifestOfServer from '../../../package.json' with { type: 'json' };
import type { Client, Pool } from 'pg';
import type { EventStore } from '../../engine/log/event-store.ts';
import { logIdentity } from '../../engine/log/log-identity.ts';
import { currentInstallation } from '../../engine/log/installation.ts';
import { onDedicatedConnection } from '../../engine/postgres/dedicated-connection.ts';
import { appliedMigrations } from '../../engine/postgres/migrate.ts';
import { systemClock } from '../../engine/time/clock.ts';
import type { FileStore } from '../../files/file-store.ts';
import { copyAttachments } from './attachments.ts';
import { lastingTables, sequencesOf, type TableShape } from './catalog.ts';
import { tableRows } from './copy.ts';
import type { ErasureList, OnUnreadable } from '../../use-cases/erasures/erasure-list.ts';
import { copyErasures } from './erasures.ts';
import { expire } from './expiry.ts';
import { refuseOtherLineage } from './lineage.ts';
import { logExports } from './log-exports.ts';
import { logSegments } from './log-segments.ts';
import type { Manifest, SealedTable } from './manifest.ts';
import type { BackupPlace } from './place.ts';
import { BackupRefused, type OnDamaged } from './refused.ts';
import { sealedStream, type Sealing } from './sealed-stream.ts';

export interface BackupParts {
  readonly place: BackupPlace;
  /** Public keys of age, sorted. */
  readonly recipients: readonly string[];
  readonly pool: Pool;
  readonly log: EventStore;
  /** If false, the log is in EventStoreDB. */
  readonly isLogInDatabase: boolean;
  readonly files: Pick<FileStore, 'open'>;
  readonly erasureList: Pick<ErasureList, 'all'>;
  /** Called for each erasure that cannot be read, which the backup lacks. */
  readonly onUnreadableErasure: OnUnreadable;
  /** Called for each damaged attachment or file of earlier backups, some of them twice. */
  readonly onDamaged: OnDamaged;
  /** Ids of the configured keys. */
  readonly secretsKeys: readonly string[];
  /** The number of backups to keep. */
  readonly kept: number;
  readonly signal: AbortSignal;
  readonly onEvents: (events: number, share: number | null) => void;
}

/**
 * A backup exists once its manifest is stored. The next one first removes what a failed or killed
 * one has left, so that repeated failures do not fill the place. Damaged files of earlier backups
 * do not prevent it: it shares none of them.
 *
 * @throws {@link BackupRefused} `RUNNING`, `OTHER_INSTALLATION`, `PLACE_UNAVAILABLE`,
 *   `FILES_UNAVAILABLE`;
 *   `LogUnavailable`, and errors of the database.
 */
export const createBackup = (parts: BackupParts): Promise<Manifest> => {
  const { pool, signal } = parts;
  return onDedicatedConnection({ pool, name: 'atrium backup', signal }, async (client) => {
    const { rows } = await client.query<{ mine: boolean }>(
      `select pg_try_advisory_lock(hashtextextended('atrium/backup', 0)) as mine`,
    );
    if (!rows[0]!.mine) throw new BackupRefused('RUNNING', 'another process makes a backup');
    return created(client, parts);
  });
};

const created = async (client: Client, parts: BackupParts): Promise<Manifest> => {
  const { place, recipients, log, isLogInDatabase, secretsKeys, signal } = parts;
  const { onDamaged, onEvents } = parts;
  const installation = await currentInstallation(log);
  const identity = await logIdentity(log);
  let isWhole = true;
  const others = await place.manifests((error) => {
    isWhole = false;
    onDamaged(error);
  });
  await refuseOtherLineage(place, others, log);
  const previous = others[0] ?? null;
  const id = idAfter(previous);
  const isForSame = previous?.recipients.join() === recipients.join();
  const base = isForSame ? previous : null;
  const shared = base?.log.identity === identity ? base : null;
  const sealing: Sealing = { place, recipients };
  await place.removeUnfinished();
  // The expiry at the end reports damage.
  await expire(place, others, others.length, isWhole, () => {});
  const stored = await storedIn(place);
  const has = (part: string) => stored.has(part);

  await beginSnapshot(client);
  const database = await databaseCopy(client, sealing, isLogInDatabase);
  const segments = { sealing, previous: shared?.log.segments ?? [], has, onEvents };
  const inDatabase = isLogInDatabase ? await logSegments({ ...segments, client }) : null;
  await client.query('commit');
  const copied = inDatabase ?? (await logExports({ ...segments, log, identity, signal }));
  const tables = inDatabase
    ? database.tables
    : await withLaterPersons(client, sealing, database.tables);
  const attachments = await copyAttachments({ ...parts, previous: base, has });
  // Read after the keys, so that it names every destroyed key that this copy may have.
  const { erasureList, onUnreadableErasure } = parts;
  const erasures = await copyErasures(place, erasureList, others, onUnreadableErasure, onDamaged);
  signal.throwIfAborted();

  const manifest: Manifest = {
    atriumBackup: 1,
    id,
    finishedAt: systemClock.now(),
    release: manifestOfServer.version,
    installation,
    previous: shared?.id ?? null,
    recipients: [...recipients],
    secretsKeys: [...secretsKeys],
    ...database,
    tables,
    log: { isInDatabase: isLogInDatabase, identity, ...copied },
    files: attachments,
    erasures,
  };
  // Fails if the connection was lost: without its lock another backup may have removed these parts.
  await client.query('select');
  await place.add(manifest);
  await expire(place, [manifest, ...others], parts.kept, isWhole, onDamaged);
  return manifest;
};

/** Backups are ordered by id, also after one that was made while the clock was ahead. */
const idAfter = (previous: Manifest | null): string => {
  const now = systemClock.now();
  if (previous === null || previous.id < now) return now;
  return new Date(Date.parse(previous.id) + 1).toISOString();
};

const storedIn = async (place: BackupPlace): Promise<ReadonlySet<string>> =>
  new Set((await Array.fromAsync(place.stored())).flat());

const beginSnapshot = async (client: Client): Promise<void> => {
  await client.query('begin isolation level repeatable read read only');
  // Rows in storage order.
  await client.query('set local synchronize_seqscans = off');
};

const databaseCopy = async (
  client: Client,
  sealing: Sealing,
  isLogInDatabase: boolean,
): Promise<Pick<Manifest, 'migrations' | 'tables' | 'sequences'>> => {
  const migrations = await appliedMigrations(client);
  const shapes = await lastingTables(client, isLogInDatabase);
  await client.query(
    `lock table ${shapes.map(({ name }) => name).join(', ')} in access share mode`,
  );
  const tables: SealedTable[] = [];
  for (const shape of shapes) tables.push(await sealedTable(client, sealing, shape));
  const sequences = await sequencesOf(client, shapes);
  return { migrations: [...migrations!], tables, sequences: [...sequences] };
};

const sealedTable = async (
  client: Client,
  sealing: Sealing,
  shape: TableShape,
): Promise<SealedTable> => {
  const { chunks, rows } = tableRows(client, shape);
  const stored = await sealedStream(sealing, chunks);
  const { name, columns, partition } = shape;
  return { name, columns: [...columns], partition, ...stored, rows: rows() };
};

/**
 * A log that was copied after the database has events under newer keys, which would be read as
 * erased. A copy of the keys made after both has these keys, and lacks those erased meanwhile; so
 * do the rows that a restore erases by these keys.
 */
const withLaterPersons = async (
  client: Client,
  sealing: Sealing,
  tables: readonly SealedTable[],
): Promise<SealedTable[]> => {
  const copied: SealedTable[] = [];
  await beginSnapshot(client);
  for (const table of tables)
    copied.push(OF_PERSONS.has(table.name) ? await sealedTable(client, sealing, table) : table);
  await client.query('commit');
  return copied;
};

/** Keys, the record of destroyed keys, and the durable rows beside the log that name an account. */
const OF_PERSONS = new Set(['"personal"."keys"', '"personal"."destroyed"', '"people"."sign_ins"']);
