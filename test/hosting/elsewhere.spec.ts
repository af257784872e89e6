import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hostNameOf, refusingSandboxes } from '../../src/hosting/dispatcher.ts';

let server: Server;
beforeAll(async () => {
  const { takeRequest } = refusingSandboxes('sandbox.example.com:8443');
  server = createServer((request, response) => {
    if (!takeRequest(request, response)) response.end('the platform');
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
});
afterAll(() => server.close());

const asked = (host: string): Promise<{ status: number; text: string }> =>
  new Promise((resolve, reject) => {
    const { port } = server.address() as AddressInfo;
    httpRequest({ port, host: '127.0.0.1', headers: { host } }, (response) => {
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
  ])('answers 404 at %s: its own routes are not what was meant', async (host) => {
    const { status, text } = await asked(host);
    expect(status).toBe(404);
    expect(JSON.parse(text)).toMatchObject({ code: 'NOT_FOUND', status: 404 });
  });

  it.each(['example.com', 'sandbox.example.com', 'mysandbox.example.com', 'localhost:4000'])(
    'leaves %s to the platform',
    async (host) => expect(await asked(host)).toEqual({ status: 200, text: 'the platform' }),
  );
});

it('reads a host name without its case, port and last dot', () =>
  expect(['A.b:80', 'a.B.', 'a.b'].map(hostNameOf)).toEqual(['a.b', 'a.b', 'a.b']));
