/** An installation to back up, and one to restore into. */
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import type { Pool } from 'pg';
import { logIdentity } from '../../../src/engine/log/log-identity.ts';
import type { EventStore } from '../../../src/engine/log/event-store.ts';
import { postgresEventStore } from '../../../src/engine/log/postgres/store.ts';
import { openDatabase } from '../../../src/engine/postgres/pool.ts';
import { loggerOf } from '../../../src/engine/observe/logging.ts';
import { directoryStores } from '../../../src/files/directory-store.ts';
import type { FileStore } from '../../../src/files/file-store.ts';
import { makeMonths } from '../../../src/building/telemetry/months.ts';
import { transaction } from '../../../src/engine/postgres/transaction.ts';
import { createBackup, type BackupParts } from '../../../src/operator/backup/create.ts';
import { identityIn } from '../../../src/operator/backup/encryption.ts';
import { openBackupPlace, type BackupPlace } from '../../../src/operator/backup/place.ts';
import { restoreBackup, type RestoreParts } from '../../../src/operator/backup/restore.ts';
import type { Manifest } from '../../../src/operator/backup/manifest.ts';
import type { FilesPlace } from '../../../src/files/place.ts';
import { erasureListIn } from '../../../src/use-cases/erasures/erasure-list.ts';
import { unexpected } from '../../support/erasure-list.ts';
import { emptyDatabase, freshDatabase } from '../../support/postgres/database.ts';

export interface Installation {
  readonly url: string;
  readonly pool: Pool;
  readonly log: EventStore;
  readonly files: FileStore;
  /** The list of erasures. */
  readonly erasures: FileStore;
  readonly filesDirectory: string;
  close(): Promise<void>;
}

/** An empty or migrated database, with a log and a store of attachments. */
export const installationIn = async (
  directory: string,
  { empty = false }: { readonly empty?: boolean } = {},
): Promise<Installation> => {
  const { url, drop } = await (empty ? emptyDatabase() : freshDatabase());
  const db = openDatabase({ url, logger: loggerOf('silent') });
  const log = postgresEventStore({ url });
  return {
    url,
    pool: db.pool,
    log,
    files: directoryStores(directory).of('main'),
    erasures: directoryStores(directory).of('erasures'),
    filesDirectory: directory,
    async close() {
      await log.close();
      await db.close();
      await drop();
    },
  };
};

const BUILDING = randomUUID();

/** A building, samples of two months, drawn ticket numbers, ended keys. */
export const furnish = async ({ pool, log }: Installation): Promise<void> => {
  await logIdentity(log);
  await pool.query(
    `with site as (insert into graph.site (id, organisation, code, name)
       values (gen_random_uuid(), 'acme', 'S', E'tab\\t, "quote", \\\\N and ü') returning id)
     insert into graph.building (id, organisation, site_id) select $1, 'acme', id from site`,
    [BUILDING],
  );
  await pool.query(
    `insert into graph.node (id, building_id, kind, code, name)
     values ($1, $1, 'building', 'B', 'B')`,
    [BUILDING],
  );
  await pool.query(
    `insert into telemetry.series (building_id, point_id) values ($1, gen_random_uuid())`,
    [BUILDING],
  );
  const months = ['2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z'];
  await transaction(pool, (client) => makeMonths(client, months));
  await pool.query(
    `insert into telemetry.observation (series_id, observed_at, value)
     select s.id, at, 21.5 from telemetry.series as s,
       unnest('{2026-01-15T00:00:00Z, 2026-02-15T00:00:00Z}'::timestamptz[]) as at`,
  );
  await pool.query(
    `insert into consumers.heartbeat (holder, beat_at) values (gen_random_uuid(), now())`,
  );
};

/** Stores an attachment of acme that a ticket references. */
export const attach = async ({ pool, files }: Installation, text: string): Promise<string> => {
  const received = await files.receive(chunksOf(text));
  await received.keep('acme');
  await pool.query(
    `insert into files.reference (organisation, sha256, attachment_id, ticket_id)
     values ('acme', $1, gen_random_uuid(), gen_random_uuid())`,
    [received.sha256],
  );
  return received.sha256;
};

async function* chunksOf(text: string): AsyncGenerator<Uint8Array, void, undefined> {
  yield Buffer.from(text);
}

export const textOf = async ({ files }: Installation, sha256: string): Promise<string> =>
  Buffer.concat(
    await Array.fromAsync(await files.open({ organisation: 'acme', sha256 })),
  ).toString();

/** Number and hash of the rows of each persistent table. */
export const fingerprintOf = async (pool: Pool): Promise<Readonly<Record<string, string>>> => {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class as c
     join pg_namespace as n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p') and c.relpersistence = 'p' and n.nspname !~ '^pg_'
       and n.nspname not in ('information_schema', 'migration') order by 1`,
  );
  const found: Record<string, string> = {};
  for (const { name } of tables) {
    const { rows } = await pool.query<{ text: string }>(`select t::text as text from ${name} as t`);
    const text = rows.map((row) => row.text).toSorted();
    const digest = createHash('sha256').update(text.join('\n')).digest('hex').slice(0, 12);
    found[name] = `${rows.length} ${digest}`;
  }
  return found;
};

export interface Keys {
  readonly recipient: string;
  /** The file of the secret key. */
  readonly file: string;
}

export const keysIn = async (directory: string, name = 'key'): Promise<Keys> => {
  const identity = await generateX25519Identity();
  mkdirSync(directory, { recursive: true });
  const file = join(directory, `${name}.txt`);
  writeFileSync(file, `# created: today\n${identity}\n`);
  return { recipient: await identityToRecipient(identity), file };
};

/** A backup place in a new directory. */
export const placeIn = (directory: string): Promise<BackupPlace> => {
  mkdirSync(directory, { recursive: true });
  return openedPlace({ kind: 'directory', directory }, directory);
};

export const openedPlace = (place: FilesPlace, dataDirectory: string): Promise<BackupPlace> =>
  openBackupPlace(
    { backup: { place, recipients: [], everyMs: null, kept: 1 }, dataDirectory },
    { writes: true },
  );

export const backedUp = (
  { pool, log, files, erasures }: Installation,
  place: BackupPlace,
  { recipient }: Pick<Keys, 'recipient'>,
  more: Partial<BackupParts> = {},
): Promise<Manifest> =>
  createBackup({
    place,
    recipients: [recipient],
    pool,
    log,
    isLogInDatabase: true,
    files,
    erasureList: erasureListIn(erasures),
    onUnreadableErasure: unexpected,
    onDamaged: unexpected,
    secretsKeys: ['abcd1234'],
    kept: 10,
    signal: new AbortController().signal,
    onEvents: () => {},
    ...more,
  });

export const restoredInto = async (
  { pool, url, files, erasures }: Installation,
  place: BackupPlace,
  manifest: Manifest,
  { file }: Pick<Keys, 'file'>,
  more: Partial<RestoreParts> = {},
): Promise<number> =>
  restoreBackup({
    manifest,
    opening: { place, identity: await identityIn(file) },
    pool,
    url,
    log: null,
    files,
    manifests: [manifest],
    onDamaged: unexpected,
    onDamagedFile: unexpected,
    erasureList: erasureListIn(erasures),
    until: null,
    signal: new AbortController().signal,
    onEvents: () => {},
    ...more,
  });
