import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { directoryStores } from '../../../src/files/directory-store.ts';
import { screenedStores } from '../../../src/files/screening.ts';
import { testApi } from '../../support/api/api.ts';
import { formHeaders, formOf } from '../../support/api/form.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { quarters } from '../../support/pictures.ts';

const REQUESTS = '/api/service-desk/requests';
const root = temporaryDirectory('attachment-metadata');
afterAll(() => rmSync(root, { recursive: true, force: true }));

const platform = testApi(() => ({
  files: screenedStores(directoryStores(root), { logger: pino({ level: 'silent' }) }).of('main'),
}));
const agent = platform.as('agent@acme.test');
let path: string;
beforeAll(async () => {
  const buildingId = await platform.importBuilding();
  const { body } = await agent.post(REQUESTS, { buildingId, description: 'x' });
  path = `${REQUESTS}/${body.id}/attachments`;
});

const upload = (content: Uint8Array, headers: Record<string, string> = {}) =>
  agent.post(path, formOf({ name: 'file', fileName: 'a.jpg', content }), {
    ...formHeaders,
    ...headers,
  });
const photoOf = (artist: string) =>
  quarters()
    .jpeg()
    .withExif({ IFD0: { Artist: artist } })
    .toBuffer();

describe('POST {id}/attachments with a photo', () => {
  it('returns the size of the stored bytes, without metadata', async () => {
    const plain = await quarters().jpeg().toBuffer();
    const { status, body } = await upload(await photoOf('Ada'));
    expect([status, body.bytes]).toEqual([201, plain.length]);
    const { body: bytes } = await agent.get(`${path}/${body.attachmentId}`);
    expect(bytes).not.toContain('Ada');
  });

  it('is the same request again under an Idempotency-Key', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const sent = await photoOf('Ada');
    const first = await upload(sent, headers);
    const again = await upload(sent, headers);
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(again.headers['idempotent-replayed']).toBe('true');
  });

  it('is refused where its metadata would stay', async () => {
    const sent = await quarters()
      .avif()
      .withExif({ IFD0: { Artist: 'Ada' } })
      .toBuffer();
    sent[sent.indexOf('iloc') + 11] = 0xff;
    const { status, body } = await upload(sent);
    expect([status, body.code, body.reason]).toEqual([400, 'ATTACHMENT_REFUSED', 'broken']);
  });
});
