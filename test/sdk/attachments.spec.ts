/** Files by the SDK, against the API as it is and connections that break. */
import { randomBytes } from 'node:crypto';
import { openAsBlob, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AtriumError, createAtrium } from '../../packages/sdk/src/index.ts';
import { testApi } from '../support/api/api.ts';
import { temporaryDirectory } from '../support/directory.ts';

const directory = temporaryDirectory('sdk-attachments');
afterAll(() => rmSync(directory, { recursive: true, force: true }));
const platform = testApi();
let buildingId: string;
beforeAll(async () => {
  buildingId = await platform.importBuilding();
});

type Fetch = (request: Request) => Promise<Response>;

const atriumOf = (fetch: Fetch = globalThis.fetch) =>
  createAtrium({
    url: platform.address,
    token: () => platform.issuer.tokenOf('agent@acme.test'),
    fetch,
  });
const raised = async (): Promise<string> => {
  const { data } = await atriumOf().POST('/api/service-desk/requests', {
    body: { buildingId, description: 'x' },
  });
  return data.id;
};
const attachmentsOf = async (id: string) => {
  const path = '/api/service-desk/requests/{id}/attachments';
  return (await atriumOf().GET(path, { params: { path: { id } } })).data.items;
};
const textOf = (stream: ReadableStream<Uint8Array>) => new Response(stream).text();

/** The answer to the first POST is lost on its way. */
const losingFirst = (): Fetch => {
  let lost = false;
  return async (request) => {
    const answer = await globalThis.fetch(request);
    if (request.method !== 'POST' || lost) return answer;
    lost = true;
    await answer.body?.cancel();
    throw new TypeError('the connection broke');
  };
};

describe('the SDK', () => {
  it('attaches files of every kind of content, and reads them back', async () => {
    const id = await raised();
    const path = join(directory, 'file.txt');
    writeFileSync(path, 'from a file');
    const { attachments } = atriumOf();
    const contents = {
      text: 'a text',
      bytes: new TextEncoder().encode('bytes'),
      blob: new Blob(['a blob']),
      file: await openAsBlob(path),
      stream: Readable.from([Buffer.from('a '), Buffer.from('stream')]),
    };
    for (const [name, content] of Object.entries(contents)) {
      await attachments.add(id, { name: `${name}.txt`, content }, { visibility: 'public' });
    }
    const all = await attachmentsOf(id);
    expect(all.map(({ name, visibility }) => [name, visibility])).toEqual(
      Object.keys(contents).map((name) => [`${name}.txt`, 'public']),
    );
    const read = await Promise.all(
      all.map(async ({ attachmentId }) => textOf(await attachments.download(id, attachmentId))),
    );
    expect(read).toEqual(['a text', 'bytes', 'a blob', 'from a file', 'a stream']);
    const rest = await attachments.download(id, all[4]!.attachmentId, { from: 2 });
    expect(await textOf(rest)).toBe('stream');
  });

  it.each([
    ['a file', undefined],
    ['a file with reported progress', () => {}],
  ])('attaches %s once where the answer is lost', async (_, onProgress) => {
    const id = await raised();
    const content = Readable.from([randomBytes(1_000).toString('hex')].map(Buffer.from));
    const made = await atriumOf(losingFirst()).attachments.add(
      id,
      { name: 'once.txt', content },
      onProgress ? { onProgress } : {},
    );
    expect(await attachmentsOf(id)).toEqual([made]);
    expect(made).toMatchObject({ name: 'once.txt', bytes: 2_000, visibility: 'internal' });
  });

  it('adds a note with files once where the answer is lost', async () => {
    const id = await raised();
    const files = ['a', 'b'].map((content) => ({ name: `${content}.txt`, content }));
    const note = await atriumOf(losingFirst()).attachments.addNote(
      id,
      { body: 'See', files },
      { visibility: 'public' },
    );
    expect(note).toMatchObject({ body: 'See', visibility: 'public' });
    expect(await attachmentsOf(id)).toEqual(note.attachments);
    expect(note.attachments).toHaveLength(2);
  });

  it('reports the sent share of the file', async () => {
    const id = await raised();
    const content = new Blob([randomBytes(400_000).toString('hex')]);
    const shares: number[] = [];
    const onProgress = (sent: number, total: number) => shares.push(sent / total);
    await atriumOf().attachments.add(id, { name: 'large.txt', content }, { onProgress });
    expect(shares.length).toBeGreaterThan(2);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(shares.at(-1)).toBe(1);
  });

  it('throws the reason of a refused file, and does not retry it', async () => {
    const id = await raised();
    let sent = 0;
    const { attachments } = atriumOf((request) => {
      sent += 1;
      return globalThis.fetch(request);
    });
    const program = { name: 'a.txt', content: new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 2, 1]) };
    const error: unknown = await attachments.add(id, program).catch((failure) => failure);
    expect(AtriumError.is(error, 'ATTACHMENT_REFUSED') && error.problem.reason).toBe('type');
    expect(sent).toBe(1);
  });

  it('does not keep a stream without end, and ends with its signal', async () => {
    const id = await raised();
    const endless = (function* () {
      for (;;) yield Buffer.alloc(1024 * 1024, 'a');
    })();
    const content = Readable.from(endless);
    const { attachments } = atriumOf();
    await expect(attachments.add(id, { name: 'a.txt', content })).rejects.toThrow(RangeError);
    const signal = AbortSignal.abort(new Error('no longer wanted'));
    const file = { name: 'a.txt', content: 'a' };
    await expect(attachments.add(id, file, { signal })).rejects.toThrow('no longer wanted');
    expect(await attachmentsOf(id)).toEqual([]);
  });
});
