import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PREVIEW_ATTEMPTS_MAX } from '../../../src/files/limits.ts';
import { NoDecoder, type Drawing } from '../../../src/files/previews/draw.ts';
import { previewsOf } from '../../../src/files/previews/previews.ts';
import { fileReferences } from '../../../src/files/references.ts';
import { inPieces } from '../../support/pictures.ts';
import { freshDatabase } from '../../support/postgres/database.ts';
import { poolOf } from '../../support/postgres/pool.ts';

type Fresh = Awaited<ReturnType<typeof freshDatabase>>;

let database: Fresh;
let db: ReturnType<typeof poolOf>;
beforeAll(async () => {
  database = await freshDatabase();
  db = poolOf(database.url);
});
afterAll(async () => {
  await db.end();
  await database.drop();
});
beforeEach(() => db.query('delete from files.reference; delete from files.preview'));

const FILE = { organisation: 'acme', sha256: 'a' };
const reference = { ...FILE, attachmentId: randomUUID(), ticketId: randomUUID() };
const going = new AbortController().signal;
const PICTURE = Buffer.from('preview');
const drawn: Drawing = { is: 'drawn', picture: PICTURE };
const failed: Drawing = { is: 'failed', reason: 'it crashed' };
const noPicture: Drawing = { is: 'no-picture', reason: 'it is text' };

/** Draws as the list says, one after the other. */
const drawing = (...results: (Drawing | Error)[]) => {
  let count = 0;
  const previews = previewsOf({
    pool: db,
    files: { open: async () => inPieces(Buffer.from('x')) },
    logger: pino({ level: 'silent' }),
    async draw() {
      const result = results[count];
      count += 1;
      if (!result) throw new Error('it is drawn once more');
      if (result instanceof Error) throw result;
      return result;
    },
  });
  return { previews, count: () => count };
};

const references = () => fileReferences(db, { remove: async () => {} });
const rows = async () => (await db.query('select from files.preview')).rowCount;

describe('the preview of a stored picture', () => {
  beforeEach(() => references().record(reference));

  it('is drawn once, and kept', async () => {
    const { previews, count } = drawing(drawn);
    expect(await previews.kept(FILE)).toBeUndefined();
    for (const _ of [1, 2]) expect(await previews.make(FILE, going)).toEqual(PICTURE);
    expect(await previews.kept(FILE)).toEqual(PICTURE);
    expect(count()).toBe(1);
    expect(await previews.kept({ ...FILE, organisation: 'globex' })).toBeUndefined();
  });

  it('that cannot be is not drawn again', async () => {
    const { previews } = drawing(noPicture);
    for (const _ of [1, 2]) expect(await previews.make(FILE, going)).toBeNull();
    expect(await previews.kept(FILE)).toBeNull();
    expect(await previews.without('acme', ['a', 'b'])).toEqual(new Set(['a']));
    expect(await previews.without('globex', ['a'])).toEqual(new Set());
  });

  it('that fails is drawn again, and not for ever', async () => {
    const { previews, count } = drawing(
      ...Array.from({ length: PREVIEW_ATTEMPTS_MAX }, () => failed),
    );
    for (let at = 0; at < PREVIEW_ATTEMPTS_MAX; at += 1) {
      expect(await previews.kept(FILE)).toBeUndefined();
      expect(await previews.make(FILE, going)).toBeNull();
    }
    expect(await previews.kept(FILE)).toBeNull();
    expect(await previews.make(FILE, going)).toBeNull();
    expect(count()).toBe(PREVIEW_ATTEMPTS_MAX);
  });

  it('that failed is kept once it was drawn', async () => {
    const { previews } = drawing(failed, drawn);
    expect(await previews.make(FILE, going)).toBeNull();
    expect(await previews.make(FILE, going)).toEqual(PICTURE);
    expect(await previews.without('acme', ['a'])).toEqual(new Set());
  });

  it('counts no attempt where nothing can be decoded', async () => {
    const { previews } = drawing(new NoDecoder('not installed'));
    await expect(previews.make(FILE, going)).rejects.toThrow(NoDecoder);
    expect(await rows()).toBe(0);
  });

  it('is removed with the last attachment of the file', async () => {
    const other = { ...reference, attachmentId: randomUUID() };
    await references().record(other);
    const { previews } = drawing(drawn);
    await previews.make(FILE, going);
    await references().release(reference);
    expect(await rows()).toBe(1);
    await references().release(other);
    expect(await rows()).toBe(0);
  });

  it('is not kept of a file that no attachment has any more', async () => {
    await references().release(reference);
    const { previews } = drawing(drawn);
    expect(await previews.make(FILE, going)).toEqual(PICTURE);
    expect(await rows()).toBe(0);
  });
});
