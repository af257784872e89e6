import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../../src/identity/caller.ts';
import { hostNameOf } from '../../src/composition/request-address.ts';
import { refusingSandboxes } from '../../src/hosting/dispatcher.ts';
import { liveRefusal } from '../support/api/live-client.ts';

const someone: Caller = {
  actor: { kind: 'user', id: 'dora' },
  organisation: 'acme',
  roles: ['manager'],
  permissions: new Set(),
  person: true,
};
let server: Server;
let closeLive: () => Promise<void>;
beforeAll(async () => {
  const { takeRequest, takeUpgrade, close } = refusingSandboxes({
    sandboxHost: 'sandbox.example.com:8443',
    corsOrigins: [],
    trustedProxies: [],
    apiUrlOf: (slug) => `http://${slug}.sandbox.example.com`,
    identity: {
      issuer: 'http://issuer.test',
      ready: async () => true as const,
      reachable: () => true as const,
      callerOf: async () => someone,
    },
    keyAuthority: { check: async () => ({ allowed: true, caller: someone }) },
    logger: pino({ level: 'silent' }),
  });
  const own = (_: IncomingMessage, response: ServerResponse) => void response.end('the platform');
  server = createServer((request, response) => {
    if (!takeRequest(request, response, own)) own(request, response);
  });
  server.on('upgrade', (...upgrade) => void takeUpgrade(...upgrade));
  closeLive = close;
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
});
afterAll(async () => {
  await closeLive();
  server.close();
});

const asked = (
  host: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; text: string }> =>
  new Promise((resolve, reject) => {
    const { port } = server.address() as AddressInfo;
    httpRequest({ port, path, host: '127.0.0.1', headers: { host, ...headers } }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    })
      .on('error', reject)
      .end();
  });

describe('a process that hosts no sandboxes', () => {
  it.each([
    'mine-abc123.sandbox.example.com',
    'mine-abc123.sandbox.example.com:8443',
    'MINE-abc123.Sandbox.Example.com.',
    'a.b.sandbox.example.com',
  ])('answers 401 and, with a credential, 404 at %s', async (host) => {
    const without = await asked(host, '/api/v1/tickets');
    expect(without.status).toBe(401);
    expect(JSON.parse(without.text)).toMatchObject({ code: 'UNAUTHENTICATED', status: 401 });
    const { status, text } = await asked(host, '/api/v1/tickets', { authorization: 'Bearer any' });
    expect(status).toBe(404);
    expect(JSON.parse(text)).toMatchObject({ code: 'NOT_FOUND', status: 404 });
  });

  it('refuses a live client as where there is no sandbox', async () => {
    const { port } = server.address() as AddressInfo;
    const headers = { host: 'mine-abc123.sandbox.example.com' };
    const refusalOf = (token: string | null) =>
      liveRefusal(`http://127.0.0.1:${port}`, { token, headers });
    expect((await refusalOf(null)).data?.code).toBe('UNAUTHENTICATED');
    expect((await refusalOf('any')).data?.code).toBe('NOT_FOUND');
  });

  it.each(['example.com', 'sandbox.example.com', 'mysandbox.example.com', 'localhost:4000'])(
    'leaves %s to the platform',
    async (host) =>
      expect(await asked(host, '/api/v1/tickets')).toEqual({ status: 200, text: 'the platform' }),
  );

  it.each(['/', '/portal/portal.js', '/session/login', '/health/live'])(
    'leaves %s of a sandbox to the platform, which serves it at every address',
    async (path) => {
      const answer = await asked('mine-abc123.sandbox.example.com', path);
      expect(answer).toEqual({ status: 200, text: 'the platform' });
    },
  );
});

it('reads a host name without its case, port and last dot', () =>
  expect(['A.b:80', 'a.B.', 'a.b'].map(hostNameOf)).toEqual(['a.b', 'a.b', 'a.b']));
