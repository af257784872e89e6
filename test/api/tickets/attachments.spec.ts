import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { readdir } from 'node:fs/promises';
import { rmSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { rangeIn } from '../../../src/api/http/bytes.ts';
import { RETRY_AFTER_S } from '../../../src/api/http/limits.ts';
import type { ProcessPermits } from '../../../src/composition/process-permits.ts';
import { ATTACHMENT_BYTES_MAX } from '../../../src/domain/tickets/limits.ts';
import { fairSemaphore } from '../../../src/engine/concurrency/fair-semaphore.ts';
import { directoryStores } from '../../../src/files/directory-store.ts';
import { testApi } from '../../support/api/api.ts';
import type { Caller } from '../../support/api/caller.ts';
import { BOUNDARY, formHeaders, formOf } from '../../support/api/form.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { letPass, until } from '../../support/until.ts';

const REQUESTS = '/api/service-desk/requests';
const root = temporaryDirectory('attachments');
afterAll(() => rmSync(root, { recursive: true, force: true }));

const platform = testApi(() => ({ files: directoryStores(root).of('main') }));
const agent = platform.as('agent@acme.test');
const manager = platform.as('manager@acme.test');
const viewer = platform.as('viewer@acme.test');
const auditor = platform.as('auditor@acme.test');
let buildingId: string;
beforeAll(async () => {
  buildingId = await platform.importBuilding();
});

const raised = async (): Promise<string> => {
  const { body } = await agent.post(REQUESTS, { buildingId, description: 'x' });
  return `${REQUESTS}/${body.id}/attachments`;
};
const text = (content: string | Uint8Array = `Leak ${randomUUID()}`, fileName = 'leak.txt') => ({
  name: 'file',
  fileName,
  content,
});
const shownToAll = { name: 'visibility', content: 'public' };
const upload = (
  path: string,
  body: Uint8Array,
  caller: Caller = agent,
  headers: Record<string, string> = {},
) => caller.post(path, body, { ...formHeaders, ...headers });

/** Relative paths of all files in the store. */
const stored = async (): Promise<readonly string[]> => {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return entries.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
};
/** Files of removed attachments may go meanwhile. */
const storedSince = async (before: readonly string[]) =>
  (await stored()).filter((one) => !before.includes(one));
const storedAs = async (sha256: string) => (await stored()).filter((one) => one.endsWith(sha256));
const unfinished = async () => (await stored()).filter((one) => one.includes('unfinished'));
const sha256Of = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe('POST {id}/attachments', () => {
  it('attaches a file, and returns its record', async () => {
    const path = await raised();
    const content = 'Leak in the server room: Ölstand';
    const { status, body, headers } = await upload(path, formOf(text(content, 'Öl leak.svg')));
    expect([status, body]).toEqual([
      201,
      {
        attachmentId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        name: 'Öl leak.svg',
        mediaType: 'text/plain',
        bytes: Buffer.byteLength(content),
        sha256: sha256Of(content),
        createdAt: expect.stringMatching(/Z$/),
        createdBy: expect.objectContaining({ kind: 'user' }),
        visibility: 'internal',
      },
    ]);
    expect(headers['location']).toBe(`${path}/${body.attachmentId}`);
    expect((await agent.get(path)).body).toEqual({ items: [body] });
    expect(await storedAs(body.sha256)).toHaveLength(1);
  });

  it('records once under an Idempotency-Key, and refuses another file under it', async () => {
    const path = await raised();
    const headers = { 'idempotency-key': randomUUID() };
    const form = formOf(text('once'));
    const first = await upload(path, form, agent, headers);
    const again = await upload(path, form, agent, headers);
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(again.headers['idempotent-replayed']).toBe('true');
    const other = await upload(path, formOf(text('other')), agent, headers);
    expect([other.status, other.body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    expect((await agent.get(path)).body.items).toHaveLength(1);
    // After its removal, too.
    await agent.delete(`${path}/${first.body.attachmentId}`);
    expect((await upload(path, form, agent, headers)).body).toEqual(first.body);
    expect((await agent.get(path)).body.items).toEqual([]);
  });

  it.each([
    ['a program', 'type', () => formOf(text(Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0])))],
    ['an empty file', 'size', () => formOf(text(''))],
    ['a byte too many', 'size', () => formOf(text(Buffer.alloc(ATTACHMENT_BYTES_MAX + 1, 'a')))],
    ['two files', 'count', () => formOf(text('a'), text('b'))],
    ['no file', 'count', () => formOf(shownToAll)],
    ['another part', 'count', () => formOf(text('a'), { name: 'x', content: 'y' })],
    [
      'two thousand parts',
      'count',
      () => formOf(...Array.from({ length: 2_000 }, () => ({ name: 'visibility', content: 'a' }))),
    ],
    ['a form that ends early', 'broken', () => formOf(text('a'.repeat(9_000))).subarray(0, 5_000)],
    ['no form at all', 'broken', () => Buffer.from('nothing')],
  ])('refuses %s as %s, and keeps nothing', async (_, reason, form) => {
    const path = await raised();
    const before = await stored();
    const { status, body } = await upload(path, form());
    expect([status, body.code, body.reason]).toEqual([400, 'ATTACHMENT_REFUSED', reason]);
    expect(await storedSince(before)).toEqual([]);
    expect((await agent.get(path)).body.items).toEqual([]);
  });

  it.each([
    [['Content-Transfer-Encoding: base64'], 'a.txt', 'VALIDATION_FAILED'],
    [Array.from({ length: 20 }, (_, at) => `X-${at}: a`), 'a.txt', 'ATTACHMENT_REFUSED'],
    [[], `${'a'.repeat(9_000)}.txt`, 'ATTACHMENT_REFUSED'],
    [[], `${'a'.repeat(30_000)}.txt`, 'ATTACHMENT_REFUSED'],
    [[`${'X'.repeat(9_000)}: a`], 'a.txt', 'ATTACHMENT_REFUSED'],
    [['Content-Transfer-Encoding: binary'], 'a.txt', undefined],
    [['Content-Transfer-Encoding: BINARY  '], 'a.txt', undefined],
  ])('is refused where headers of a part would be lost: %j', async (headers, name, code) => {
    const path = await raised();
    const lines = [...headers, `Content-Disposition: form-data; name="file"; filename="${name}"`];
    const form = `--${BOUNDARY}\r\n${lines.join('\r\n')}\r\n\r\nbGVhaw==\r\n--${BOUNDARY}--\r\n`;
    const { body } = await upload(path, Buffer.from(form));
    const bound = code === 'ATTACHMENT_REFUSED' ? '10 headers' : '';
    expect([body.code, body.detail ?? '']).toEqual([code, expect.stringContaining(bound)]);
  });

  it('accepts the largest file', async () => {
    const path = await raised();
    const content = Buffer.alloc(ATTACHMENT_BYTES_MAX, 'a');
    const { status, body } = await upload(path, formOf(shownToAll, text(content)));
    expect([status, body.bytes, body.visibility]).toEqual([201, content.length, 'public']);
  });

  it('refuses an invalid visibility, another body, and an unknown ticket', async () => {
    const path = await raised();
    const wrong = await upload(path, formOf(text(), { name: 'visibility', content: 'all' }));
    expect([wrong.status, wrong.body.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect((await agent.post(path, { file: 'a' })).body.code).toBe('UNSUPPORTED_MEDIA_TYPE');
    const nowhere = `${REQUESTS}/${randomUUID()}/attachments`;
    expect((await upload(nowhere, formOf(text()))).status).toBe(404);
    const stranger = platform.as('manager@globex.test');
    expect((await upload(path, formOf(text()), stranger)).status).toBe(404);
    expect(await unfinished()).toEqual([]);
  });

  it('needs the permission to write', async () => {
    const path = await raised();
    for (const caller of [viewer, auditor]) {
      expect((await upload(path, formOf(text()), caller)).status).toBe(403);
    }
  });

  it('deletes an upload aborted by its sender', async () => {
    const path = await raised();
    const before = await stored();
    const form = formOf(text(randomBytes(10_000).toString('hex')));
    const token = await platform.issuer.tokenOf('agent@acme.test');
    const { hostname, port } = new URL(platform.address);
    const socket = connect(Number(port), hostname);
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${token}\r\n` +
        `Content-Type: multipart/form-data; boundary=${BOUNDARY}\r\n` +
        `Content-Length: ${form.length}\r\n\r\n`,
    );
    socket.write(form.subarray(0, 8_000));
    await until(async () => (await unfinished()).length === 1, 'the beginning of the file');
    socket.destroy();
    await until(async () => (await unfinished()).length === 0, 'its removal');
    expect(await storedSince(before)).toEqual([]);
  });
});

describe('GET {id}/attachments/{attachmentId}', () => {
  it('is a download without executable content', async () => {
    const path = await raised();
    const page = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>';
    const { body } = await upload(path, formOf(shownToAll, text(page, 'Ö"1".svg')));
    const answer = await viewer.get(`${path}/${body.attachmentId}`);
    expect([answer.status, answer.body]).toEqual([200, page]);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/plain',
      'content-length': String(page.length),
      'content-disposition': `attachment; filename="__1_.svg"; filename*=UTF-8''%C3%96%221%22.svg`,
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-cache',
      etag: `"${body.sha256}"`,
    });
    const known = { 'if-none-match': `"${body.sha256}"` };
    const unchanged = await viewer.get(`${path}/${body.attachmentId}`, known);
    expect([unchanged.status, unchanged.body]).toEqual([304, '']);
  });

  it('answers one range, and all of it where the range is no use', async () => {
    const path = await raised();
    const { body } = await upload(path, formOf(shownToAll, text('0123456789')));
    const get = (range: string, ifRange?: string) =>
      viewer.get(`${path}/${body.attachmentId}`, {
        range,
        ...(ifRange === undefined ? {} : { 'if-range': ifRange }),
      });
    const part = await get('bytes=2-4');
    expect([part.status, part.body, part.headers['content-range']]).toEqual([
      206,
      '234',
      'bytes 2-4/10',
    ]);
    expect((await get('bytes=7-')).body).toBe('789');
    expect((await get('bytes=-3', `"${body.sha256}"`)).body).toBe('789');
    for (const all of [await get('bytes=10-'), await get('bytes=0-1,3-4'), await get('a=1')])
      expect([all.status, all.body]).toEqual([200, '0123456789']);
    expect((await get('bytes=2-4', '"other"')).status).toBe(200);
  });

  it('is conditional on the ETag: 412 unless If-Match names it', async () => {
    const path = await raised();
    const { body } = await upload(path, formOf(shownToAll, text('0123456789')));
    const statusWith = async (ifMatch: string) =>
      (await viewer.get(`${path}/${body.attachmentId}`, { 'if-match': ifMatch })).status;
    const tag = `"${body.sha256}"`;
    expect(await statusWith(`"other", ${tag}`)).toBe(200);
    expect(await statusWith('*')).toBe(200);
    expect(await statusWith('"other"')).toBe(412);
    expect(await statusWith(`W/${tag}`)).toBe(412);
  });

  describe('by a slow reader', () => {
    let largest: string;
    beforeAll(async () => {
      const path = await raised();
      const content = Buffer.alloc(ATTACHMENT_BYTES_MAX, 'a');
      const { body } = await upload(path, formOf(shownToAll, text(content)));
      largest = `${path}/${body.attachmentId}`;
    });

    /** A download of the largest file, of which no more is read until it is resumed. */
    const begun = async ({ address }: { readonly address: string }) => {
      const { hostname, port } = new URL(address);
      const socket = connect(Number(port), hostname);
      onTestFinished(() => void socket.destroy());
      socket.on('error', () => {});
      const token = await platform.issuer.tokenOf('viewer@acme.test');
      socket.write(
        `GET ${largest} HTTP/1.1\r\nHost: ${hostname}\r\nConnection: close\r\n` +
          `Authorization: Bearer ${token}\r\n\r\n`,
      );
      await once(socket, 'readable');
      return socket;
    };

    it('is whole, though it takes longer than an answer may', async () => {
      const impatient = await platform.beside({
        files: directoryStores(root).of('main'),
        answerMaxMs: 1_000,
      });
      const socket = await begun(impatient);
      await letPass(1_500, 'the deadline passes');
      let bytes = 0;
      socket.on('data', (chunk: Buffer) => (bytes += chunk.length));
      await once(socket, 'close');
      expect(bytes).toBeGreaterThan(ATTACHMENT_BYTES_MAX);
    });

    it('is one of a bounded number per caller: a further one is 429 meanwhile', async () => {
      const ofCaller = 2;
      const permits: ProcessPermits = (bounds) => fairSemaphore({ ...bounds, ofCaller, waitMs: 0 });
      const beside = await platform.beside({ files: directoryStores(root).of('main'), permits });
      const sockets = [await begun(beside), await begun(beside)];
      const next = () => beside.as('viewer@acme.test').get(largest, { range: 'bytes=0-3' });
      const { status, body, headers } = await next();
      expect([status, body.code]).toEqual([429, 'RATE_LIMITED']);
      expect(headers['retry-after']).toBe(String(RETRY_AFTER_S));
      expect((await beside.as('agent@acme.test').get(largest, { range: 'bytes=0-3' })).status).toBe(
        206,
      );
      sockets[0]!.destroy();
      await until(async () => (await next()).status === 206, 'a permit');
    });

    it('leaves its permit when its connection closes, also in a row of others', async () => {
      const permits: ProcessPermits = (bounds) =>
        fairSemaphore({ ...bounds, ofCaller: 2, waitMs: 60_000 });
      const beside = await platform.beside({ files: directoryStores(root).of('main'), permits });
      const { hostname, port } = new URL(beside.address);
      const token = await platform.issuer.tokenOf('viewer@acme.test');
      const socket = connect(Number(port), hostname);
      socket.on('error', () => {});
      const get = `GET ${largest} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\n\r\n`;
      socket.write(get.repeat(6));
      await once(socket, 'readable');
      socket.destroy();
      const viewer = beside.as('viewer@acme.test');
      for (let n = 0; n < 2; n += 1) await begun(beside).then((next) => next.destroy());
      expect((await viewer.get(largest, { range: 'bytes=0-3' })).status).toBe(206);
    });
  });

  it.each([
    ['bytes=0-0', { start: 0, end: 0 }],
    ['bytes=5-99', { start: 5, end: 9 }],
    ['bytes=-99', { start: 0, end: 9 }],
    ['bytes=-0', null],
    ['bytes=-', null],
    ['bytes=5-4', null],
    [undefined, null],
  ])('reads %j of ten bytes as %j', (header, range) => expect(rangeIn(header, 10)).toEqual(range));

  it('requires the permission to read internal notes for internal ones', async () => {
    const path = await raised();
    const { body } = await upload(path, formOf(text('internal')));
    const one = `${path}/${body.attachmentId}`;
    expect((await viewer.get(path)).body.items).toEqual([]);
    expect((await viewer.get(one)).status).toBe(404);
    expect((await auditor.get(one)).body).toBe('internal');
    expect((await platform.as('manager@globex.test').get(one)).status).toBe(404);
    expect((await platform.as('manager@globex.test').get(path)).status).toBe(404);
    const timeline = async (caller: Caller) =>
      (await caller.get(path.replace('attachments', 'updates'))).body.items;
    expect(await timeline(viewer)).toEqual([]);
    const { attachmentId, name, mediaType, bytes } = body;
    expect(await timeline(auditor)).toMatchObject([
      { kind: 'attachment', visibility: 'internal', to: { attachmentId, name, mediaType, bytes } },
    ]);
  });

  it('is 503 where the bytes are missing, never an empty file', async () => {
    const path = await raised();
    const { body } = await upload(path, formOf(text()));
    for (const file of await storedAs(body.sha256)) rmSync(file);
    const { status, body: problem } = await agent.get(`${path}/${body.attachmentId}`);
    expect([status, problem.code]).toEqual([503, 'UNAVAILABLE']);
  });
});

describe('DELETE {id}/attachments/{attachmentId}', () => {
  it('is for its author and managers', async () => {
    const path = await raised();
    const others = (await upload(path, formOf(text()), manager)).body.attachmentId;
    const denied = await agent.delete(`${path}/${others}`);
    const { body } = await upload(path, formOf(text()));
    const one = `${path}/${body.attachmentId}`;
    expect([denied.status, denied.body.code]).toEqual([403, 'PERMISSION_DENIED']);
    expect((await viewer.delete(one)).status).toBe(403);
    expect((await platform.as('manager@globex.test').delete(one)).status).toBe(404);
    expect((await agent.delete(one)).status).toBe(204);
    expect((await agent.get(one)).status).toBe(404);
    expect((await agent.delete(one)).status).toBe(404);
    const other = (await upload(path, formOf(text()))).body.attachmentId;
    expect((await manager.delete(`${path}/${other}`)).status).toBe(204);
  });

  it('is done once under an Idempotency-Key', async () => {
    const path = await raised();
    const { body } = await upload(path, formOf(text()));
    const headers = { 'idempotency-key': randomUUID() };
    for (const replayed of [undefined, 'true']) {
      const answer = await agent.delete(`${path}/${body.attachmentId}`, headers);
      expect([answer.status, answer.headers['idempotent-replayed']]).toEqual([204, replayed]);
    }
  });

  it('deletes the bytes with their last attachment', async () => {
    const [path, other] = [await raised(), await raised()];
    const content = `shared ${randomUUID()}`;
    const first = (await upload(path, formOf(text(content)))).body;
    const second = (await upload(other, formOf(text(content, 'same.txt')))).body;
    expect(await storedAs(first.sha256)).toHaveLength(1);
    await agent.delete(`${path}/${first.attachmentId}`);
    const third = (await upload(path, formOf(text(content)))).body;
    await agent.delete(`${path}/${third.attachmentId}`);
    expect((await agent.get(`${other}/${second.attachmentId}`)).body).toBe(content);
    await agent.delete(`${other}/${second.attachmentId}`);
    await until(async () => (await storedAs(first.sha256)).length === 0, 'the removal');
  });
});

describe('the change feed', () => {
  it('shows added and removed files, internal ones only with permission', async () => {
    const path = await raised();
    const ticketId = path.split('/').at(-2);
    const { body: internal } = await upload(path, formOf(text()));
    const { body: shown } = await upload(path, formOf(text(), shownToAll));
    await agent.delete(`${path}/${internal.attachmentId}`);
    const changesFor = async (caller: Caller) => {
      const { body } = await caller.get('/api/service-desk/changes?limit=500');
      return body.items.filter(
        (item: { ticketId: string; change: string }) =>
          item.ticketId === ticketId && item.change === 'attachment',
      );
    };
    expect(await changesFor(agent)).toMatchObject([
      { attachments: [internal] },
      { attachments: [shown] },
      { removedAttachments: [internal.attachmentId] },
    ]);
    const seen = await changesFor(viewer);
    expect(seen.map(({ attachments = [] }) => attachments)).toEqual([[], [shown], []]);
    expect(seen[2]).not.toHaveProperty('removedAttachments');
  });
});
