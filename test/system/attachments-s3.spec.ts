/** Attachments in a bucket of a real S3 server, which fails. Decision 0102. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { s3AddressOf } from '../../src/files/place.ts';
import { s3Stores, type S3Stores } from '../../src/files/s3/store.ts';
import { killedBetweenBytesAndEvent } from '../contract/files/killed.contract.ts';
import { formHeaders, formOf } from '../support/api/form.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { freshDatabase } from '../support/postgres/database.ts';
import { hasS3Server, s3Server, type S3Server } from '../support/s3/server.ts';
import type { ServerProcess } from '../support/servers/server.ts';
import { servers } from '../support/servers/servers.ts';
import { until } from '../support/until.ts';

const AGENT = 'agent@acme.test';
const REQUESTS = '/api/service-desk/requests';

describe.skipIf(!hasS3Server())('attachments in S3 (skipped without Swift)', () => {
  const running = servers();
  let s3: S3Server;
  const open: S3Stores[] = [];
  beforeAll(async () => {
    s3 = await s3Server();
    await s3.start();
  });
  afterAll(async () => {
    await running.release();
    await Promise.all(open.map((one) => one.close()));
    await s3.release();
  });

  /** A bucket's prefix as a server uses it, and its objects. */
  const place = (prefix: string) => {
    const FILES_URL = s3.url(prefix);
    const directory = temporaryDirectory(`s3-${prefix}`);
    const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } =
      s3.credentials;
    const stores = s3Stores({
      address: s3AddressOf(FILES_URL),
      credentials: { accessKeyId, secretAccessKey },
      receivingDirectory: directory,
    });
    open.push(stores);
    return {
      env: { FILES_URL, ATRIUM_DATA: directory, ...s3.credentials },
      stored: async () => (await Array.fromAsync(stores.of('main').stored())).flat(),
      left: () => readdirSync(join(directory, 'receiving')),
    };
  };

  const ticketOf = async (server: ServerProcess): Promise<string> => {
    const { body: buildings } = await server.call(AGENT, 'GET', '/api/v1/buildings');
    const body = { buildingId: buildings.items[0].id, description: 'Leak' };
    const { body: ticket } = await server.call(AGENT, 'POST', REQUESTS, { body });
    return `${REQUESTS}/${ticket.id}/attachments`;
  };
  const upload = async (server: ServerProcess, path: string, content: string, key: string) => {
    const authorization = `Bearer ${await server.tokenOf(AGENT)}`;
    const headers = { ...formHeaders, authorization, 'idempotency-key': key };
    const body = formOf({ name: 'file', fileName: 'leak.txt', content });
    return fetch(`${server.url}${path}`, { method: 'POST', headers, body });
  };

  it('leaves no attachment without bytes, and sweeps bytes without an attachment', async () => {
    const { env, stored, left } = place('killed');
    await killedBetweenBytesAndEvent(running, { env, stored });
    expect(left()).toEqual([]);
  });

  it('answers uploads with 503 in bounded time while S3 hangs, and serves the rest', async () => {
    const { env, stored, left } = place('frozen');
    const { url } = await freshDatabase();
    const server = await running.start({ ...env, DATABASE_URL: url });
    const path = await ticketOf(server);
    expect((await upload(server, path, 'before', 'before-the-fault')).status).toBe(201);
    await s3.freeze();
    try {
      const began = performance.now();
      const frozen = upload(server, path, 'meanwhile', 'during-the-fault').then(({ status }) => ({
        status,
        ms: performance.now() - began,
      }));
      // Others are served while it waits.
      const others = Array.from({ length: 20 }, () => server.call(AGENT, 'GET', REQUESTS));
      for (const { status } of await Promise.all(others)) expect(status).toBe(200);
      const raised = await ticketOf(server);
      expect((await server.call(AGENT, 'GET', raised)).body).toEqual({ items: [] });
      const readiness = async () =>
        (await fetch(`${server.url}/health/ready`)).json() as Promise<{ reasons?: string[] }>;
      await until(
        async () =>
          (await readiness()).reasons?.some((one) => one.includes('files cannot be stored')) ??
          false,
        'the reason of readiness',
      );
      const { status, ms } = await frozen;
      expect(status).toBe(503);
      // Two attempts of 10 s, and much more than a machine at work needs.
      expect(ms).toBeLessThan(60_000);
    } finally {
      s3.thaw();
    }
    const items = async () => (await server.call(AGENT, 'GET', path)).body.items;
    expect(await items()).toHaveLength(1);
    const again = async () => (await upload(server, path, 'meanwhile', 'during-the-fault')).status;
    // It works off the requests received meanwhile.
    await expect.poll(again).toBe(201);
    expect((await items()).map(({ bytes }: { bytes: number }) => bytes)).toEqual([6, 9]);
    for (const { attachmentId, bytes } of await items()) {
      const authorization = `Bearer ${await server.tokenOf(AGENT)}`;
      const whole = await fetch(`${server.url}${path}/${attachmentId}`, {
        headers: { authorization },
      });
      expect(await whole.text()).toBe(bytes === 6 ? 'before' : 'meanwhile');
      const removed = await server.call(AGENT, 'DELETE', `${path}/${attachmentId}`);
      expect(removed.status).toBe(204);
    }
    await until(async () => (await stored()).length === 0, 'the removal of the bytes');
    expect(left()).toEqual([]);
  });
});
