/** Compares what attachments need with what the store has. */
import type { Pool } from 'pg';
import { fileKeyOf } from './file-key.ts';
import { FileMissing, type FileName, type FileStore } from './file-store.ts';
import { FILES_COMPARED_AT_ONCE } from './limits.ts';

export interface Comparison {
  /** Stored files, and needed ones that are missing. */
  readonly compared: number;
  /** Files of attachments that the store lacks. */
  readonly missing: number;
  /** Some of the missing, with a ticket that has each. */
  readonly examples: readonly MissingFile[];
  /** Files that no attachment needs, left over from a restore. */
  readonly orphans: number;
  /** Where to continue; `null`: all were compared. */
  readonly next: string | null;
}

export interface MissingFile {
  readonly key: string;
  readonly ticketId: string;
}

export interface ComparisonParts {
  readonly pool: Pick<Pool, 'query'>;
  readonly files: Pick<FileStore, 'stored' | 'open'>;
  /** Only keys after this one. */
  readonly after?: string | undefined;
  readonly comparedMax: number;
  readonly examplesMax: number;
}

interface NeededFile extends FileName {
  readonly key: string;
  readonly ticketId: string;
}

/**
 * In the order of keys. Mismatches are checked again, because files come and go meanwhile.
 *
 * @throws `FilesUnavailable`.
 */
export const compareFiles = async ({
  pool,
  files,
  after = '',
  comparedMax,
  examplesMax,
}: ComparisonParts): Promise<Comparison> => {
  const result = { compared: 0, missing: 0, examples: [] as MissingFile[], orphans: 0 };
  const needed = neededAfter(pool, after);
  const stored = keysAfter(files, after);
  try {
    let need = (await needed.next()).value ?? null;
    let have = (await stored.next()).value ?? null;
    for (let last = after; need !== null || have !== null;) {
      if (result.compared >= comparedMax) return { ...result, next: last };
      const isNeeded = need !== null && (have === null || need.key <= have);
      const isStored = have !== null && (need === null || have <= need.key);
      last = isNeeded ? need!.key : have!;
      result.compared += 1;
      if (isNeeded && !isStored && (await isMissing(pool, files, need!))) {
        result.missing += 1;
        const { key, ticketId } = need!;
        if (result.examples.length < examplesMax) result.examples.push({ key, ticketId });
      }
      if (isStored && !isNeeded && !(await isNeededNow(pool, have!))) result.orphans += 1;
      if (isNeeded) need = (await needed.next()).value ?? null;
      if (isStored) have = (await stored.next()).value ?? null;
    }
    return { ...result, next: null };
  } finally {
    await needed.return();
    await stored.return();
  }
};

/** Without claims, whose bytes may be on their way. */
async function* neededAfter(
  pool: Pick<Pool, 'query'>,
  after: string,
): AsyncGenerator<NeededFile, void, undefined> {
  for (const organisation of await organisationsOf(pool)) {
    const folder = folderOf(organisation);
    if (folder < after.split('/')[0]!) continue;
    let from = folder === after.split('/')[0] ? after.slice(-SHA256_CHARACTERS) : '';
    for (;;) {
      const { rows } = await pool.query<{ sha256: string; ticketId: string }>(
        `select sha256, min(ticket_id::text) as "ticketId" from files.reference
         where organisation = $1 and sha256 > $2 and claimed_at is null
         group by sha256 order by sha256 limit $3`,
        [organisation, from, FILES_COMPARED_AT_ONCE],
      );
      for (const { sha256, ticketId } of rows) {
        const file = { organisation, sha256 };
        yield { ...file, ticketId, key: fileKeyOf(file) };
      }
      if (rows.length < FILES_COMPARED_AT_ONCE) break;
      from = rows.at(-1)!.sha256;
    }
  }
}

const SHA256_CHARACTERS = 64;

/** Sorted by the names of their folders. */
const organisationsOf = async (pool: Pick<Pool, 'query'>): Promise<readonly string[]> => {
  const { rows } = await pool.query<{ organisation: string }>(
    'select distinct organisation from files.reference',
  );
  const organisations = rows.map(({ organisation }) => organisation);
  return organisations.toSorted((a, b) => (folderOf(a) < folderOf(b) ? -1 : 1));
};

const folderOf = (organisation: string): string =>
  fileKeyOf({ organisation, sha256: '0'.repeat(SHA256_CHARACTERS) }).split('/')[0]!;

async function* keysAfter(
  files: Pick<FileStore, 'stored'>,
  after: string,
): AsyncGenerator<string, void, undefined> {
  for await (const keys of files.stored(after)) yield* keys;
}

const isMissing = async (
  pool: Pick<Pool, 'query'>,
  files: Pick<FileStore, 'open'>,
  { organisation, sha256 }: NeededFile,
): Promise<boolean> => {
  try {
    const opened = await files.open({ organisation, sha256 }, { start: 0, end: 0 });
    // A generator that is ended before its first chunk would leave its file or connection open.
    for await (const _ of opened) break;
    return false;
  } catch (error) {
    if (!(error instanceof FileMissing)) throw error;
  }
  const { rowCount } = await pool.query(
    `select from files.reference
     where organisation = $1 and sha256 = $2 and claimed_at is null limit 1`,
    [organisation, sha256],
  );
  return rowCount === 1;
};

const isNeededNow = async (pool: Pick<Pool, 'query'>, key: string): Promise<boolean> => {
  const [folder, , sha256] = key.split('/');
  for (const organisation of await organisationsOf(pool)) {
    if (folderOf(organisation) !== folder) continue;
    const { rowCount } = await pool.query(
      'select from files.reference where organisation = $1 and sha256 = $2 limit 1',
      [organisation, sha256],
    );
    return rowCount === 1;
  }
  return false;
};
