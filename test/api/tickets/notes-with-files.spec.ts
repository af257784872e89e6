import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { rmSync } from 'node:fs';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ATTACHMENT_BYTES_MAX,
  NOTE_ATTACHMENTS_MAX,
  TICKET_ATTACHMENTS_MAX,
} from '../../../src/domain/tickets/limits.ts';
import { directoryStores } from '../../../src/files/directory-store.ts';
import { testApi } from '../../support/api/api.ts';
import type { Caller } from '../../support/api/caller.ts';
import { BOUNDARY, formHeaders, formOf, type FormPart } from '../../support/api/form.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { until } from '../../support/until.ts';

const REQUESTS = '/api/service-desk/requests';
const root = temporaryDirectory('notes-with-files');
afterAll(() => rmSync(root, { recursive: true, force: true }));

const platform = testApi(() => ({ files: directoryStores(root).of('main') }));
const agent = platform.as('agent@acme.test');
const viewer = platform.as('viewer@acme.test');
let buildingId: string;
beforeAll(async () => {
  buildingId = await platform.importBuilding();
});

const raised = async (): Promise<string> => {
  const { body } = await agent.post(REQUESTS, { buildingId, description: 'x' });
  return `${REQUESTS}/${body.id}`;
};
const said = (content: string | Uint8Array = 'See'): FormPart => ({ name: 'body', content });
const shownToAll: FormPart = { name: 'visibility', content: 'public' };
const text = (content: string | Uint8Array = `Leak ${randomUUID()}`): FormPart => ({
  name: 'file',
  fileName: 'leak.txt',
  content,
});
const several = (count: number) => Array.from({ length: count }, () => text());
const note = (
  path: string,
  parts: readonly FormPart[] | Uint8Array,
  headers: Record<string, string> = {},
  caller: Caller = agent,
) =>
  caller.post(`${path}/updates`, parts instanceof Uint8Array ? parts : formOf(...parts), {
    ...formHeaders,
    ...headers,
  });
const timeline = async (path: string, caller = agent) =>
  (await caller.get(`${path}/updates`)).body.items;
const attachments = async (path: string, caller = agent) =>
  (await caller.get(`${path}/attachments`)).body.items;
const changesOf = async (path: string, caller = agent) => {
  const { body } = await caller.get('/api/service-desk/changes?limit=500');
  const ticketId = path.split('/').at(-1);
  return body.items.filter((item: { ticketId: string }) => item.ticketId === ticketId).slice(1);
};
const stored = async (): Promise<readonly string[]> => {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return entries.filter((one) => one.isFile()).map((one) => `${one.parentPath}/${one.name}`);
};

describe('POST {id}/updates as a form', () => {
  it('adds the note and its files as one change', async () => {
    const path = await raised();
    // A field may come after the files.
    const { status, body } = await note(path, [text('one'), said(), text('two'), shownToAll]);
    const file = (content: string) => ({
      attachmentId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'leak.txt',
      mediaType: 'text/plain',
      bytes: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
      createdAt: body.createdAt,
      createdBy: body.createdBy,
      visibility: 'public',
      noteId: body.id,
    });
    const files = [file('one'), file('two')];
    expect([status, body]).toMatchObject([
      201,
      { body: 'See', visibility: 'public', attachments: files },
    ]);
    expect(await attachments(path)).toEqual(body.attachments);
    expect(await timeline(path)).toEqual([
      {
        id: body.id,
        kind: 'note',
        at: body.createdAt,
        actor: body.createdBy,
        body: 'See',
        visibility: 'public',
        attachments: body.attachments.map(
          ({ attachmentId, name, mediaType, bytes }: Record<string, unknown>) => ({
            attachmentId,
            name,
            mediaType,
            bytes,
          }),
        ),
      },
    ]);
    const { attachments: _, ...alone } = body;
    expect(await changesOf(path)).toMatchObject([
      { change: 'note', notes: [alone], attachments: body.attachments },
    ]);
    const bytes = await agent.get(`${path}/attachments/${body.attachments[1].attachmentId}`);
    expect(bytes.body).toBe('two');
  });

  it('shows internal files to those alone who may read internal notes', async () => {
    const path = await raised();
    const { body } = await note(path, [said(), text()]);
    expect(body).toMatchObject({
      visibility: 'internal',
      attachments: [{ visibility: 'internal' }],
    });
    expect(await timeline(path, viewer)).toEqual([]);
    expect(await attachments(path, viewer)).toEqual([]);
    const [change] = await changesOf(path, viewer);
    expect(change).not.toHaveProperty('attachments');
    expect(change).not.toHaveProperty('notes');
    const { attachmentId } = body.attachments[0];
    expect((await viewer.get(`${path}/attachments/${attachmentId}`)).status).toBe(404);
  });

  it('records once under an Idempotency-Key, and refuses other files under it', async () => {
    const path = await raised();
    const headers = { 'idempotency-key': randomUUID() };
    const parts = [said(), text('a'), text('b')];
    const first = await note(path, parts, headers);
    const again = await note(path, parts, headers);
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(again.headers['idempotent-replayed']).toBe('true');
    for (const other of [[said(), text('a'), text('c')], [said(), text('a')], [said()]]) {
      const answer = await note(path, other, headers);
      expect([answer.status, answer.body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    }
    expect(await timeline(path)).toHaveLength(1);
    expect(await attachments(path)).toHaveLength(2);
  });

  it('is the note in JSON where it has no file', async () => {
    const path = await raised();
    const headers = { 'idempotency-key': randomUUID() };
    const { status, body } = await note(path, [said('two\r\nlines'), shownToAll], headers);
    expect([status, Object.keys(body)]).toEqual([
      201,
      ['id', 'body', 'visibility', 'createdAt', 'createdBy'],
    ]);
    expect(body.body).toBe('two\nlines');
    const json = { body: 'two\nlines', visibility: 'public' };
    const again = await agent.post(`${path}/updates`, json, headers);
    expect([again.headers['idempotent-replayed'], again.body]).toEqual(['true', body]);
    expect(await timeline(path)).toMatchObject([{ kind: 'note', body: 'two\nlines' }]);
  });

  it('accepts files up to the limit of a ticket', async () => {
    const path = await raised();
    const { status, body } = await note(path, [said(), ...several(NOTE_ATTACHMENTS_MAX)]);
    expect([status, body.attachments.length]).toEqual([201, TICKET_ATTACHMENTS_MAX]);
    const before = await stored();
    const more = await note(path, [said(), text()]);
    expect([more.status, more.body.code, more.body.reason]).toEqual([
      400,
      'ATTACHMENT_REFUSED',
      'count',
    ]);
    // Immediately, and not with the next sweep.
    expect(await stored()).toEqual(before);
    expect((await note(path, [said()])).status).toBe(201);
  });

  it.each<[string, string, () => readonly FormPart[] | Uint8Array]>([
    [
      'a program among others',
      'type',
      () => [said(), text(), text(Buffer.from('\x7fELF\x02\x01'))],
    ],
    ['an empty file', 'size', () => [text(), said(), text('')]],
    ['a byte too many', 'size', () => [said(), text(Buffer.alloc(ATTACHMENT_BYTES_MAX + 1, 'a'))]],
    ['a file too many', 'count', () => [said(), ...several(NOTE_ATTACHMENTS_MAX + 1)]],
    ['two bodies', 'count', () => [said(), text(), said()]],
    ['a part of another name', 'count', () => [said(), { ...text(), name: 'files[]' }]],
    ['two thousand parts', 'count', () => Array.from({ length: 2_000 }, () => said('a'))],
    ['two thousand files', 'count', () => several(2_000)],
    ['a text without end', 'size', () => [said('a'.repeat(100_000)), text()]],
    [
      'a form that ends early',
      'broken',
      () => formOf(said(), text('a'.repeat(9_000))).subarray(0, 5_000),
    ],
    ['no form at all', 'broken', () => Buffer.from('nothing')],
  ])('refuses %s as %s, and keeps nothing', async (_, reason, parts) => {
    const path = await raised();
    const before = await stored();
    const { status, body } = await note(path, parts());
    expect([status, body.code, body.reason]).toEqual([400, 'ATTACHMENT_REFUSED', reason]);
    expect(await stored()).toEqual(before);
    expect(await timeline(path)).toEqual([]);
  });

  it('names the parts that it takes where there are others', async () => {
    const { body } = await note(await raised(), [said(), { ...text(), name: 'files[]' }]);
    expect(body.detail).toContain('`body` and `visibility`, each once, and up to 50 of `file`.');
  });

  it.each<[string, readonly FormPart[], string]>([
    ['no text', [text()], 'body'],
    ['a blank text', [said(' \r\n'), text()], 'body'],
    ['a text too long', [said('a'.repeat(20_001)), text()], 'body'],
    ['a character that cannot be stored', [said('a\u0000'), text()], 'body'],
    ['a text that is not UTF-8', [said(Buffer.from('caf\xe9', 'latin1')), text()], 'body'],
    ['a file name that cannot be stored', [said(), { ...text(), fileName: 'a\u0000' }], 'file'],
    [
      'a visibility that is none',
      [said(), text(), { name: 'visibility', content: 'x' }],
      'visibility',
    ],
  ])('refuses %s at its place, and keeps nothing', async (_, parts, place) => {
    const path = await raised();
    const before = await stored();
    const { status, body } = await note(path, parts);
    expect([status, body.code, body.errors[0].path]).toEqual([400, 'VALIDATION_FAILED', place]);
    expect(await stored()).toEqual(before);
    expect(await timeline(path)).toEqual([]);
  });

  it('refuses the name of a file that is not UTF-8, and keeps any other', async () => {
    const path = await raised();
    const before = await stored();
    const named = (name: string) => Buffer.from(formOf(said(), { ...text(), fileName: name }));
    const latin1 = named('caf?.txt').toString('latin1').replace('caf?', 'caf\xe9');
    const { status, body } = await note(path, Buffer.from(latin1, 'latin1'));
    expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(body.errors).toEqual([
      { path: 'file', message: 'the name of a part or file is not valid UTF-8' },
    ]);
    expect(await stored()).toEqual(before);
    expect((await note(path, named('caf\ufffd 漏水.txt'))).status).toBe(201);
    expect(await attachments(path)).toMatchObject([{ name: 'caf\ufffd 漏水.txt' }]);
  });

  /** As clients send it that follow RFC 8187. */
  const named = (name: string) => {
    const form = Buffer.from(formOf(said(), { ...text(), fileName: '?' }));
    return Buffer.from(form.toString('latin1').replace('filename="?"', `filename*=${name}`));
  };

  it.each(["UTF-8''caf%e9.txt", "utf-8'en'%e2%e2.txt", "utf8''100%.txt"])(
    'refuses the encoded name %s',
    async (name) => {
      const { status, body } = await note(await raised(), named(name));
      expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
      expect(body.errors).toEqual([
        { path: 'file', message: 'the name of a part or file is not valid UTF-8' },
      ]);
    },
  );

  it.each(["UTF-8''caf%c3%a9.txt", "utf8'fr'caf%C3%A9.txt", "iso-8859-1''caf%e9.txt"])(
    'reads the encoded name %s',
    async (name) => {
      const path = await raised();
      expect((await note(path, named(name))).status).toBe(201);
      expect(await attachments(path)).toMatchObject([{ name: 'café.txt' }]);
    },
  );

  it('keeps every character of a text', async () => {
    const path = await raised();
    const sent = '\ufeffDrip\ufffd 😀\n漏水';
    expect((await note(path, [said(sent), text()])).body.body).toBe(sent);
  });

  it('refuses a form without a boundary, and a revision that has passed', async () => {
    const path = await raised();
    const broken = await agent.post(`${path}/updates`, formOf(said(), text()), {
      'content-type': 'multipart/form-data',
    });
    expect([broken.status, broken.body.reason]).toEqual([400, 'broken']);
    const before = await stored();
    const late = await note(path, [said(), text()], { 'if-match': '"7"' });
    expect(late.status).toBe(412);
    expect(await stored()).toEqual(before);
  });

  it('is of no other organisation, and needs the permission to write', async () => {
    const path = await raised();
    const parts = [said(), text()];
    expect((await note(path, parts, {}, platform.as('manager@globex.test'))).status).toBe(404);
    expect((await note(path, parts, {}, viewer)).status).toBe(403);
  });

  it('leaves neither note nor files where its sender breaks off', async () => {
    const path = await raised();
    const before = await stored();
    const form = formOf(said(), text(), text(randomBytes(10_000).toString('hex')));
    const token = await platform.issuer.tokenOf('agent@acme.test');
    const { hostname, port } = new URL(platform.address);
    const socket = connect(Number(port), hostname);
    socket.write(
      `POST ${path}/updates HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${token}\r\n` +
        `Content-Type: multipart/form-data; boundary=${BOUNDARY}\r\n` +
        `Content-Length: ${form.length}\r\n\r\n`,
    );
    socket.write(form.subarray(0, 8_000));
    const unfinished = async () => (await stored()).filter((one) => one.includes('unfinished'));
    await until(async () => (await unfinished()).length === 2, 'both files');
    socket.destroy();
    await until(async () => (await unfinished()).length === 0, 'their removal');
    expect(await stored()).toEqual(before);
    expect(await timeline(path)).toEqual([]);
  });

  it('keeps the note where one of its files is removed', async () => {
    const path = await raised();
    const { body } = await note(path, [said(), text()]);
    const { attachmentId } = body.attachments[0];
    expect((await agent.delete(`${path}/attachments/${attachmentId}`)).status).toBe(204);
    expect(await attachments(path)).toEqual([]);
    expect(await timeline(path)).toMatchObject([
      { kind: 'note', attachments: [{ attachmentId }] },
      { kind: 'attachment', from: { attachmentId } },
    ]);
  });
});

describe('POST {id}/updates as JSON', () => {
  it('is answered and shown as ever', async () => {
    const path = await raised();
    const { status, body } = await agent.post(`${path}/updates`, { body: 'x' });
    expect(status).toBe(201);
    expect(Object.keys(body)).toEqual(['id', 'body', 'visibility', 'createdAt', 'createdBy']);
    const [item] = await timeline(path);
    expect(item).not.toHaveProperty('attachments');
    const wrong = await agent.post(`${path}/updates`, { body: 'x', file: 'a' });
    expect([wrong.status, wrong.body.code]).toEqual([400, 'VALIDATION_FAILED']);
  });
});
