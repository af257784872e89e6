/** Sandbox addresses reveal no sandbox to outsiders. contract.md sections 1, 2 and 10. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signingIssuer, type SigningIssuer } from '../identity/oidc/signing-issuer.ts';
import { newKeyId, newToken } from '../../src/identity/keys/token.ts';
import type { TestAnswer } from '../support/api/caller.ts';
import { hostingPlatform, provisioned, type HostingPlatform } from '../support/api/hosting.ts';
import { liveClient } from '../support/api/live-client.ts';

const SANDBOXES = '/api/v1/sandboxes';
const VACANT = 'vacant-abc123';
const POLLING = '/socket.io/?EIO=4&transport=polling';
let issuer: SigningIssuer;
let platform: HostingPlatform;
let dora: string;
let ready: { readonly slug: string; readonly path: string };
let failed: { readonly slug: string; readonly path: string };

const session = (role: string, sub: string, organization = 'acme') =>
  issuer.token({ sub, organization, realm_access: { roles: [role] } });

const made = async (): Promise<{ slug: string; path: string }> => {
  const body = { name: 'S', storeys: 1, areaSqm: 500, seedTelemetryDays: 0, liveTelemetry: false };
  const by = platform.with(dora);
  const created = await by.post(SANDBOXES, body);
  const path = `${SANDBOXES}/${created.body.sandboxId}`;
  return { path, slug: (await provisioned(by, path)).slug };
};

beforeAll(async () => {
  issuer = await signingIssuer();
  platform = await hostingPlatform({ issuer: { url: issuer.url, tokenOf: () => issuer.token() } });
  dora = await session('developer', 'dora');
  ready = await made();
  const slow = await platform.with(dora).post(SANDBOXES, { name: 'Slow', storeys: 50 });
  failed = { slug: slow.body.slug, path: `${SANDBOXES}/${slow.body.sandboxId}` };
});
afterAll(async () => {
  await platform.close();
  await issuer.close();
});

/** The answer without members that differ between requests. */
const comparable = (answer: TestAnswer) => {
  const { date: _, 'x-request-id': __, ...headers } = answer.headers;
  const { requestId: ___, ...body } = answer.body as Record<string, unknown>;
  return { status: answer.status, headers, body };
};

const keyOf = async (minter: string, scope: string): Promise<string> =>
  (await platform.with(minter).post('/api/v1/keys', { label: scope, scope })).body.token;

describe('at an address below the sandbox domain', () => {
  const everywhere = () => [ready.slug, failed.slug, VACANT, 'a.b'];

  it.each([
    '/api/v1/buildings',
    '/api/v1/nothing',
    '/session',
    '/report/status',
    '/metrics',
    '/socket.io/more',
  ])('no credential at %s is a 401 that is the same with and without a sandbox', async (path) => {
    const answers = await Promise.all(
      everywhere().map(async (slug) => comparable(await platform.at(slug, null).get(path))),
    );
    expect(answers[0]).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } });
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  });

  it('a malformed, an expired and an unknown credential are a 401 everywhere', async () => {
    const expired = await issuer.token({ sub: 'dora', organization: 'acme', exp: 1_000 });
    for (const token of ['nonsense', expired, 'atr_nonsense']) {
      const answers = await Promise.all(
        everywhere().map(async (slug) =>
          comparable(await platform.at(slug, token).get('/api/v1/buildings')),
        ),
      );
      for (const { status } of answers) expect(status).toBe(401);
      for (const answer of answers) expect(answer).toEqual(answers[0]);
    }
  });

  it("another caller's valid credential is a 404 everywhere", async () => {
    const mia = await session('manager', 'mia', 'globex');
    const foreign = [mia, await session('developer', 'david'), await keyOf(mia, 'full')];
    for (const token of [...foreign, await keyOf(mia, 'publish')]) {
      const answers = await Promise.all(
        everywhere().map(async (slug) =>
          comparable(await platform.at(slug, token).get('/api/v1/buildings')),
        ),
      );
      for (const { status } of answers) expect(status).toBe(404);
      for (const answer of answers) expect(answer.body).toEqual(answers[0]!.body);
    }
  });

  it('only callers with access learn that the sandbox is not ready', async () => {
    const maria = await session('manager', 'maria');
    for (const token of [dora, maria, await keyOf(maria, 'sandbox')])
      expect(await platform.at(failed.slug, token).get('/api/v1/buildings')).toMatchObject({
        status: 503,
        body: { code: 'SANDBOX_NOT_READY' },
      });
    const publish = await platform
      .at(failed.slug, await keyOf(maria, 'publish'))
      .get('/api/v1/buildings');
    expect(publish).toMatchObject({ status: 403, body: { code: 'SCOPE_DENIED' } });
  });

  it.each(['/health/live', '/openapi.json', '/problems/not-found'])(
    'the public path %s is public everywhere',
    async (path) => {
      const answers = await Promise.all(
        everywhere().map(async (slug) => platform.at(slug, null).get(path)),
      );
      for (const { status, body } of answers) {
        expect(status).toBe(200);
        expect(body).toEqual(answers[0]!.body);
      }
    },
  );

  it.each([
    ['GET', '/health/live'],
    ['GET', '/health/ready'],
    ['POST', '/health/ready'],
    ['GET', '/openapi.json'],
    ['GET', '/docs'],
    ['GET', '/docs/live'],
    ['GET', '/docs/nothing'],
    ['GET', '/problems/not-found'],
    ['GET', '/.well-known/oauth-protected-resource'],
    ['GET', '/.well-known/oauth-protected-resource/mcp'],
    ['OPTIONS', '/api/v1/me'],
    ['OPTIONS', '/socket.io/?EIO=4&transport=polling'],
    ['GET', '/api/v1/me'],
  ])(
    'a page of that address is answered the same with and without a sandbox: %s %s',
    async (...asked) => {
      const [method, path] = asked;
      const answers = await Promise.all(
        everywhere().map(async (slug) => {
          const origin = `http://${slug}.sandbox.test`;
          const headers = { origin, 'access-control-request-method': 'GET' };
          const answer = await platform.at(slug, null).send(method, path, headers);
          const { 'content-length': _, ...sent } = answer.headers;
          return JSON.parse(
            JSON.stringify(comparable({ ...answer, headers: sent })).replaceAll(slug, 'SLUG'),
          ) as object;
        }),
      );
      for (const answer of answers) expect(answer).toEqual(answers[0]);
    },
  );

  it('a refusal has the request id of its caller, and the headers of the main host', async () => {
    const path = '/api/v1/buildings';
    const headers = { 'x-request-id': 'own-1', origin: 'http://portal.test' };
    const main = await platform.as(null).get(path, headers);
    for (const slug of [ready.slug, VACANT]) {
      const refused = await platform.at(slug, null).get(path, headers);
      expect(refused.headers['x-request-id']).toBe('own-1');
      expect(refused.body.requestId).toBe('own-1');
      expect(Object.keys(refused.headers).toSorted()).toEqual(Object.keys(main.headers).toSorted());
      const { headers: live } = await platform.at(slug, null).get(POLLING, headers);
      expect(live['x-request-id']).toBe('own-1');
    }
  });

  it('metadata for signing in names the address that was called', async () => {
    for (const slug of everywhere()) {
      const metadata = '/.well-known/oauth-protected-resource';
      const { body } = await platform.at(slug, null).get(metadata);
      expect(body.resource).toBe(`http://${slug}.sandbox.test`);
    }
  });

  it.each(['/', '/?sign-in=refused', '/portal/portal.js', '/portal/nothing.js', '/report'])(
    'the portal is the same file everywhere: %s',
    async (path) => {
      const main = await platform.as(null).get(path);
      expect(main.status).toBe(path.includes('nothing') ? 404 : 200);
      const asked = [null, dora].flatMap((token) =>
        everywhere().map(async (slug) => comparable(await platform.at(slug, token).get(path))),
      );
      const answers = await Promise.all(asked);
      for (const answer of answers) {
        expect(answer).toEqual(answers[0]);
        expect(answer.status).toBe(main.status);
        expect(answer.headers['etag']).toBe(main.headers['etag']);
      }
    },
  );

  it('the metrics of a sandbox are not served', async () => {
    expect((await platform.at(ready.slug, dora).get('/metrics')).status).toBe(404);
  });
});

describe('a live connection at an address below the sandbox domain', () => {
  const everywhere = () => [ready.slug, failed.slug, VACANT, 'a.b'];
  const hostOf = (slug: string) => `${slug}.sandbox.test`;

  /** Each address's answer without what differs between requests. */
  const same = async (ask: (slug: string) => Promise<unknown>) => {
    const [first, ...others] = await Promise.all(
      everywhere().map(async (slug) =>
        JSON.stringify(await ask(slug))
          .replaceAll(slug, 'SLUG')
          .replace(/sid\\":\\"[\w-]{20}/, 'SID'),
      ),
    );
    for (const other of others) expect(other).toBe(first);
    return first!;
  };

  const origins: readonly ((slug: string) => string | null)[] = [
    () => null,
    (slug) => `http://${hostOf(slug)}`,
    () => 'http://evil.test',
    () => `http://${hostOf(VACANT)}.evil.test`,
  ];

  it.each([
    ['GET', POLLING, 200],
    ['GET', `${POLLING}&x=1`, 200],
    ['GET', `${POLLING}&sid=none`, 400],
    ['POST', POLLING, 400],
    ['POST', `${POLLING}&sid=none`, 400],
    ['GET', '/socket.io/', 400],
    ['GET', '/socket.io/?EIO=4&transport=websocket', 400],
  ])('is answered the same with and without a sandbox: %s %s', async (method, path, status) => {
    for (const originOf of origins) {
      const first = await same(async (slug) => {
        const origin = originOf(slug);
        const headers: Record<string, string> = origin === null ? {} : { origin };
        const answer = await platform.at(slug, null).send(method, path, headers);
        const { date: _, 'x-request-id': __, ...sent } = answer.headers;
        return { status: answer.status, headers: sent, body: String(answer.body) };
      });
      const isListed = !(originOf('') ?? '').includes('evil');
      expect(JSON.parse(first).status).toBe(isListed ? status : 403);
    }
  });

  it('is opened the same with and without a sandbox over WebSocket', async () => {
    for (const originOf of origins) {
      const first = await same(
        (slug) =>
          new Promise((resolve, reject) => {
            const socket = connect(Number(new URL(platform.address).port), '127.0.0.1');
            const origin = originOf(slug);
            const lines = [
              'GET /socket.io/?EIO=4&transport=websocket HTTP/1.1',
              `Host: ${hostOf(slug)}`,
              'Connection: Upgrade',
              'Upgrade: websocket',
              'Sec-WebSocket-Version: 13',
              'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
              ...(origin === null ? [] : [`Origin: ${origin}`]),
            ];
            socket.on('error', reject);
            socket.write(`${lines.join('\r\n')}\r\n\r\n`);
            let head = '';
            socket.on('data', (chunk: Buffer) => {
              head += chunk.toString();
              if (!head.includes('\r\n\r\n')) return;
              socket.destroy();
              resolve(head.slice(0, head.indexOf('\r\n\r\n')));
            });
          }),
      );
      expect(first).toContain((originOf('') ?? '').includes('evil') ? '403' : '101');
    }
  });

  let foreign: readonly string[];
  let own: readonly string[];
  let publish: string;
  beforeAll(async () => {
    const mia = await session('manager', 'mia', 'globex');
    const keys = [await keyOf(mia, 'full'), await keyOf(mia, 'publish')];
    foreign = [mia, await session('developer', 'david'), ...keys];
    const maria = await session('manager', 'maria');
    own = [dora, maria, await keyOf(maria, 'sandbox')];
    publish = await keyOf(maria, 'publish');
  });

  type Handshake = (
    slug: string,
    token: string | null,
    headers?: Record<string, string>,
  ) => Promise<string>;

  /** `connect_error` with its data, `connected`, or the reason of a disconnect. */
  const overWebSocket: Handshake = async (slug, token, headers = {}) => {
    const options = { token, headers: { ...headers, host: hostOf(slug) } };
    const refused = ({ message, data }: Error & { data?: unknown }) =>
      JSON.stringify({ message, data });
    return liveClient(platform.address, options).then(() => 'connected', refused);
  };

  const overPolling: Handshake = async (slug, token, headers = {}) => {
    const by = platform.at(slug, null);
    const opened = await by.get(POLLING, headers);
    const path = `${POLLING}&sid=${JSON.parse(opened.body.slice(1)).sid}`;
    const auth = token === null ? '' : JSON.stringify({ token });
    expect((await by.post(path, `40/buildings,${auth}`)).body).toBe('ok');
    const { status, body } = await by.get(path);
    const isOpen = String(body).startsWith('40/buildings,');
    return isOpen ? 'connected' : `${status} ${JSON.stringify(body)}`;
  };

  describe.each([
    ['WebSocket', overWebSocket],
    ['polling', overPolling],
  ])('over %s', (_, handshake) => {
    it('is refused the same to strangers with and without a sandbox', async () => {
      const expired = await issuer.token({ sub: 'dora', organization: 'acme', exp: 1_000 });
      const forged = newToken(newKeyId('acme')).token;
      for (const token of [null, 'nonsense', expired, 'atr_nonsense', forged])
        expect(await same((slug) => handshake(slug, token))).toContain('UNAUTHENTICATED');
      for (const token of foreign) {
        const headers = { authorization: `Bearer ${token}` };
        expect(await same((slug) => handshake(slug, token))).toContain('NOT_FOUND');
        expect(await same((slug) => handshake(slug, null, headers))).toContain('NOT_FOUND');
      }
    });

    it('is accepted from callers with access', async () => {
      for (const token of own) {
        const headers = { authorization: `Bearer ${token}` };
        expect(await handshake(ready.slug, token)).toBe('connected');
        expect(await handshake(ready.slug, null, headers)).toBe('connected');
      }
      for (const slug of [ready.slug, failed.slug])
        expect(await handshake(slug, publish)).toContain('SCOPE_DENIED');
    });

    it('is closed while the sandbox is not ready, after which a client reconnects', async () => {
      const maria = await session('manager', 'maria');
      const slow = await platform.with(maria).post(SANDBOXES, { name: 'Slow', storeys: 50 });
      expect(await handshake(slow.body.slug, maria)).toMatch(/transport close|^200 "1"$/);
      const path = `${SANDBOXES}/${slow.body.sandboxId}`;
      expect((await platform.with(maria).delete(path)).status).toBe(204);
    });
  });
});

describe('a malformed host', () => {
  const raw = async (...lines: readonly string[]): Promise<{ status: number; answer: string }> => {
    const socket = connect(Number(new URL(platform.address).port), '127.0.0.1');
    socket.write(`${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`);
    const answer = await text(socket);
    return { status: Number(answer.split(' ')[1]), answer };
  };
  const GET = 'GET /openapi.json HTTP/1.1';
  const name = () => `${ready.slug}.sandbox.test`;

  it.each([
    (host: string) => `${host}:4320.`,
    (host: string) => `${host}:abc`,
    (host: string) => `${host}%00`,
    (host: string) => `${host},localhost`,
    (host: string) => `${host}..`,
    (host: string) => `.${host}`,
    (host: string) => `user@${host}`,
    (host: string) => `${host}/`,
    (host: string) => `${'a.'.repeat(200)}${host}`,
  ])('is a 400, and no platform serves it: %#', async (malformed) => {
    const { status, answer } = await raw(GET, `Host: ${malformed(name())}`);
    expect(status).toBe(400);
    expect(answer).toContain('VALIDATION_FAILED');
  });

  it('is a 400 where it is sent twice, or the URI names another', async () => {
    const host = `Host: ${name()}`;
    for (const lines of [
      [GET, 'Host: atrium.test', host],
      [GET, host, 'Host: atrium.test'],
      [`GET http://${name()}/openapi.json HTTP/1.1`, 'Host: atrium.test'],
      ['GET http://atrium.test/openapi.json HTTP/1.1', host],
    ]) {
      const { status, answer } = await raw(...lines);
      expect(status).toBe(400);
      expect(answer).toContain('VALIDATION_FAILED');
    }
  });

  it.each(['PATH', 'PATH:4000', 'PATH.', 'atrium.test', '[::1]:4000', 'localhost'])(
    'is not %s',
    async (host) => {
      const { status } = await raw(GET, `Host: ${host.replace('PATH', name())}`);
      expect(status).toBe(200);
    },
  );

  it('is refused for an upgrade too', async () => {
    const upgrade = ['Upgrade: websocket', 'Connection: Upgrade'];
    const live = 'GET /socket.io/?EIO=4&transport=websocket HTTP/1.1';
    expect((await raw(live, `Host: ${name()}:abc`, ...upgrade)).status).toBe(400);
  });

  it.each([
    ['/openapi.json', 200],
    ['/', 200],
    ['', 200],
    ['/session/logout', 405],
    ['/socket.io/?EIO=4&transport=polling', 200],
    ['/api/v1/buildings', 401],
  ])('serves %j in an absolute URI like the path itself', async (path, expected) => {
    for (const slug of [ready.slug, VACANT]) {
      const host = `${slug}.sandbox.test`;
      const { status } = await raw(`GET http://${host}${path} HTTP/1.1`, `Host: ${host}`);
      expect(status).toBe(expected);
    }
  });

  it('upgrades an absolute URI of the same authority', async () => {
    const socket = connect(Number(new URL(platform.address).port), '127.0.0.1');
    const lines = [
      `GET http://${name()}/socket.io/?EIO=4&transport=websocket HTTP/1.1`,
      `Host: ${name()}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ];
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    const [head] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    expect(head.toString()).toMatch(/^HTTP\/1.1 101 /);
  });

  it('serves an absolute URI of the same authority', async () => {
    const uri = `GET http://${name()}/api/v1/buildings HTTP/1.1`;
    const { status, answer } = await raw(uri, `Host: ${name()}`, `Authorization: Bearer ${dora}`);
    expect(status).toBe(200);
    expect(answer).toContain('"items"');
  });
});
