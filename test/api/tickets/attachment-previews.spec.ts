import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { directoryStores } from '../../../src/files/directory-store.ts';
import { testApi } from '../../support/api/api.ts';
import { formHeaders, formOf } from '../../support/api/form.ts';
import { temporaryFiles } from '../../support/files.ts';
import { hugePng, photo, quarters } from '../../support/pictures.ts';

const REQUESTS = '/api/service-desk/requests';

const root = temporaryFiles().path('files');
const platform = testApi(() => ({ files: directoryStores(root).of('main') }));
const agent = platform.as('agent@acme.test');
const viewer = platform.as('viewer@acme.test');
let path: string;
beforeAll(async () => {
  const buildingId = await platform.importBuilding();
  const { body } = await agent.post(REQUESTS, { buildingId, description: 'x' });
  path = `${REQUESTS}/${body.id}/attachments`;
});

const attached = async (content: Uint8Array | string, visibility = 'public') => {
  const fields = { name: 'visibility', content: visibility };
  const form = formOf({ name: 'file', fileName: 'a.jpg', content }, fields);
  const { body } = await agent.post(path, form, formHeaders);
  return body;
};

const listed = async (attachmentId: string) => {
  const { body } = await agent.get(path);
  return body.items.find((one: { attachmentId: string }) => one.attachmentId === attachmentId);
};

const bytesAt = async (at: string): Promise<Buffer> => {
  const token = await platform.issuer.tokenOf('viewer@acme.test');
  const answer = await fetch(`${platform.address}${at}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return Buffer.from(await answer.arrayBuffer());
};

describe('GET {id}/attachments/{attachmentId}/preview', () => {
  it('is a small picture drawn anew, that a browser may show', async () => {
    const original = await photo(1_600, 1_200).jpeg().toBuffer();
    const attachment = await attached(original);
    const { attachmentId, sha256, preview } = attachment;
    expect(preview).toBe(`${path}/${attachmentId}/preview`);
    expect(await listed(attachmentId)).toEqual(attachment);
    for (const _ of ['drawn', 'kept']) {
      const { status, headers } = await viewer.get(preview);
      expect([status, headers]).toMatchObject([
        200,
        {
          'content-type': 'image/webp',
          'content-disposition': 'inline',
          'content-security-policy': "sandbox; default-src 'none'",
          'x-content-type-options': 'nosniff',
          'cache-control': 'private, no-cache',
          etag: `"${sha256}-preview"`,
        },
      ]);
    }
    expect(await sharp(await bytesAt(preview)).metadata()).toMatchObject({
      format: 'webp',
      width: 512,
      height: 384,
    });
    const unchanged = await viewer.get(preview, { 'if-none-match': `"${sha256}-preview"` });
    expect([unchanged.status, unchanged.body]).toEqual([304, '']);
    // The picture itself is a download still.
    const { headers } = await viewer.get(`${path}/${attachmentId}`);
    expect(headers['content-disposition']).toMatch(/^attachment/);
    expect(await bytesAt(`${path}/${attachmentId}`)).toEqual(original);
  });

  it('requires the permission to see the attachment', async () => {
    const { preview } = await attached(await quarters().png().toBuffer(), 'internal');
    expect((await agent.get(preview)).status).toBe(200);
    expect((await viewer.get(preview)).status).toBe(404);
    expect((await platform.as('manager@globex.test').get(preview)).status).toBe(404);
    expect((await platform.as(null).get(preview)).status).toBe(401);
  });

  it('is a 404 for a broken picture, which can still be downloaded', async () => {
    const whole = await quarters(400, 300).jpeg().toBuffer();
    const broken = Buffer.concat([whole.subarray(0, whole.length / 2), Buffer.from(randomUUID())]);
    const { attachmentId, preview } = await attached(broken);
    for (const _ of ['tried', 'known']) expect((await viewer.get(preview)).status).toBe(404);
    expect(await listed(attachmentId)).not.toHaveProperty('preview');
    expect(await bytesAt(`${path}/${attachmentId}`)).toEqual(broken);
  });

  it('is a 404 for a picture of 50,000 × 50,000 pixels', async () => {
    const { preview } = await attached(hugePng(50_000));
    expect((await viewer.get(preview)).status).toBe(404);
  });

  it('is a 404 for a file that is not a picture', async () => {
    const svg = '<!DOCTYPE a [<!ENTITY b "b">]><svg xmlns="http://www.w3.org/2000/svg">&b;</svg>';
    const attachment = await attached(svg);
    expect(attachment).not.toHaveProperty('preview');
    expect((await viewer.get(`${path}/${attachment.attachmentId}/preview`)).status).toBe(404);
    expect((await viewer.get(`${path}/${randomUUID()}/preview`)).status).toBe(404);
  });

  it('is 503 where the bytes of the picture are missing', async () => {
    const { sha256, preview } = await attached(await quarters(80, 80).png().toBuffer());
    const entries = await readdir(root, { recursive: true });
    for (const name of entries) if (name.endsWith(sha256)) rmSync(join(root, name));
    const { status, body } = await viewer.get(preview);
    expect([status, body.code]).toEqual([503, 'UNAVAILABLE']);
  });

  it('is removed with the attachment', async () => {
    const { attachmentId, preview } = await attached(await quarters(70, 70).png().toBuffer());
    expect((await viewer.get(preview)).status).toBe(200);
    expect((await agent.delete(`${path}/${attachmentId}`)).status).toBe(204);
    expect((await viewer.get(preview)).status).toBe(404);
  });

  it('is drawn once for concurrent requests', async () => {
    const { preview } = await attached(await photo(900, 900).jpeg().toBuffer());
    const statuses = await Promise.all(
      Array.from({ length: 8 }, async () => (await viewer.get(preview)).status),
    );
    expect(statuses).toEqual(Array(8).fill(200));
  });
});
