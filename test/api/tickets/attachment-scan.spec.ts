import { rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { directoryStores } from '../../../src/files/directory-store.ts';
import { ScannerUnavailable } from '../../../src/files/scanner/scanner.ts';
import { screenedStores } from '../../../src/files/screening.ts';
import { testApi } from '../../support/api/api.ts';
import { formHeaders, formOf } from '../../support/api/form.ts';
import { temporaryDirectory } from '../../support/directory.ts';

const REQUESTS = '/api/service-desk/requests';
const root = temporaryDirectory('attachment-scan');
afterAll(() => rmSync(root, { recursive: true, force: true }));

let isAway = false;
const scanner = {
  async scan(read: () => AsyncIterable<Uint8Array>) {
    if (isAway) throw new ScannerUnavailable('away');
    return Buffer.concat(await Array.fromAsync(read())).includes('malware') ? 'Eicar' : null;
  },
  ready: async () => (isAway ? 'the scanner is away' : (true as const)),
};
const platform = testApi(() => ({
  files: screenedStores(directoryStores(root), {
    scanner,
    logger: pino({ level: 'silent' }),
  }).of('main'),
}));
const agent = platform.as('agent@acme.test');
let path: string;
beforeAll(async () => {
  const buildingId = await platform.importBuilding();
  const { body } = await agent.post(REQUESTS, { buildingId, description: 'x' });
  path = `${REQUESTS}/${body.id}/attachments`;
});

const upload = (content: string, headers: Record<string, string> = {}) =>
  agent.post(path, formOf({ name: 'file', fileName: 'a.txt', content }), {
    ...formHeaders,
    ...headers,
  });
const listed = async () => (await agent.get(path)).body.items.length;
const storedFiles = async () => {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return entries.filter((one) => one.isFile()).length;
};

describe('POST {id}/attachments with a scanner', () => {
  it('refuses an infected file, and keeps nothing of it', async () => {
    const { status, body } = await upload('some malware');
    expect([status, body.code, body.reason]).toEqual([400, 'ATTACHMENT_REFUSED', 'infected']);
    expect([await listed(), await storedFiles()]).toEqual([0, 0]);
  });

  it('refuses an infected file of a note, and the note', async () => {
    const updates = path.replace('attachments', 'updates');
    const form = formOf(
      { name: 'body', content: 'Look.' },
      { name: 'file', fileName: 'a.txt', content: 'some malware' },
    );
    const { status, body } = await agent.post(updates, form, formHeaders);
    expect([status, body.reason]).toEqual([400, 'infected']);
    expect((await agent.get(updates)).body.items).toEqual([]);
    expect(await storedFiles()).toBe(0);
  });

  it('refuses a file while the scanner is unavailable, and accepts it later', async () => {
    isAway = true;
    const headers = { 'idempotency-key': 'away' };
    const away = await upload('leak', headers);
    expect([away.status, away.body.code]).toEqual([503, 'UNAVAILABLE']);
    expect([await listed(), await storedFiles()]).toEqual([0, 0]);
    const { body: ready } = await platform.as(null).get('/health/ready');
    expect(ready).toMatchObject({
      status: 'degraded',
      reasons: ['files cannot be stored: the scanner is away'],
    });
    isAway = false;
    expect((await upload('leak', headers)).status).toBe(201);
    expect(await listed()).toBe(1);
  });
});
