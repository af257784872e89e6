/** The files that attachments need, compared with those in a store. */
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { compareFiles } from '../../src/files/comparison.ts';
import { directoryStores } from '../../src/files/directory-store.ts';
import { fileKeyOf } from '../../src/files/file-key.ts';
import type { FileName } from '../../src/files/file-store.ts';
import { fileReferences } from '../../src/files/references.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { freshDatabase } from '../support/postgres/database.ts';
import { poolOf } from '../support/postgres/pool.ts';

type Fresh = Awaited<ReturnType<typeof freshDatabase>>;

const root = temporaryDirectory('comparison');
const files = directoryStores(root).of('main');
let database: Fresh;
let pool: ReturnType<typeof poolOf>;
beforeAll(async () => {
  database = await freshDatabase();
  pool = poolOf(database.url);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
  rmSync(root, { recursive: true, force: true });
});
beforeEach(async () => {
  await pool.query('delete from files.reference');
  rmSync(root, { recursive: true, force: true });
});

const kept = async (organisation: string, text: string): Promise<FileName> => {
  const chunks = async function* () {
    yield Buffer.from(text);
  };
  const received = await files.receive(chunks());
  await received.keep(organisation);
  return { organisation, sha256: received.sha256 };
};
const needed = async (file: FileName): Promise<string> => {
  const ticketId = randomUUID();
  await fileReferences(pool, files).record({ ...file, ticketId, attachmentId: randomUUID() });
  return ticketId;
};
const compared = (over: { after?: string; comparedMax?: number } = {}) =>
  compareFiles({ pool, files, comparedMax: 1_000, examplesMax: 2, ...over });

it('finds nothing wrong where each file is needed, however often, and each is there', async () => {
  for (let at = 0; at < 6; at += 1) {
    const file = await kept(at % 2 ? 'acme' : 'globex', `file ${at}`);
    await needed(file);
    await needed(file);
  }
  const nothing = { missing: 0, examples: [], orphans: 0, next: null };
  expect(await compared()).toEqual({ compared: 6, ...nothing });
});

it('counts missing files with a ticket of each, and orphaned files', async () => {
  const gone: { key: string; ticketId: string }[] = [];
  for (const organisation of ['acme', 'globex']) {
    await needed(await kept(organisation, 'there'));
    const file = await kept(organisation, 'gone');
    gone.push({ key: fileKeyOf(file), ticketId: await needed(file) });
    await files.remove(file);
    await kept(organisation, 'left over');
  }
  await kept('an organisation without any', 'left over');
  const { examples, ...counts } = await compared();
  expect(counts).toEqual({ compared: 7, missing: 2, orphans: 3, next: null });
  expect(examples).toEqual(gone.toSorted((a, b) => (a.key < b.key ? -1 : 1)));
});

it('treats a claim neither as an attachment, nor its file as an orphan', async () => {
  const file = await kept('acme', 'on its way');
  const reference = { ...file, ticketId: randomUUID(), attachmentId: randomUUID() };
  await fileReferences(pool, files).claim(reference);
  expect(await compared()).toMatchObject({ missing: 0, orphans: 0 });
  await files.remove(file);
  expect(await compared()).toMatchObject({ missing: 0, orphans: 0 });
});

it('resumes where it stopped, with the same result', async () => {
  for (let at = 0; at < 5; at += 1) {
    const file = await kept(at % 2 ? 'acme' : 'globex', `file ${at}`);
    if (at > 0) await needed(file);
    if (at > 2) await files.remove(file);
  }
  const sum = { compared: 0, missing: 0, orphans: 0 };
  let runs = 0;
  for (let after: string | null = ''; after !== null;) {
    const part = await compared({ after, comparedMax: 2 });
    sum.compared += part.compared;
    sum.missing += part.missing;
    sum.orphans += part.orphans;
    after = part.next;
    runs += 1;
  }
  expect([runs, sum]).toEqual([3, { compared: 5, missing: 2, orphans: 1 }]);
});
