import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import fastify, { type FastifyInstance } from 'fastify';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import * as client from 'openid-client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Unauthenticated, type Identity } from '../../../src/identity/caller.ts';
import {
  developmentIssuer,
  developmentIssuerRefusal,
} from '../../../src/identity/development/issuer.ts';
import { donePage, errorPage, signInPage } from '../../../src/identity/development/pages.ts';
import { devToken } from '../../../packages/cli/src/dev-token.ts';
import { developmentIssuerRoutes } from '../../../src/identity/development/routes.ts';
import { oidcIdentity } from '../../../src/identity/oidc/token-check.ts';
import { freePort } from '../../support/servers/port.ts';

const quiet = { debug: () => {}, error: vi.fn<(...what: unknown[]) => void>(), warn: () => {} };
const printed: unknown[][] = [];
let directory: string;
let server: FastifyInstance;
let issuerUrl: string;
let identity: Identity;

beforeAll(async () => {
  for (const level of ['log', 'info', 'warn', 'error'] as const) {
    vi.spyOn(console, level).mockImplementation((...what) => void printed.push(what));
  }
  directory = mkdtempSync(join(tmpdir(), 'atrium-issuer-'));
  const port = await freePort();
  issuerUrl = `http://localhost:${port}/dev/oidc`;
  const issuer = await developmentIssuer({
    url: issuerUrl,
    dataDirectory: directory,
    logger: quiet,
  });
  server = fastify();
  // As in the shell: a parser for JSON bodies, which must not consume those of the issuer.
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body));
  await server.register(developmentIssuerRoutes, { issuer });
  await server.listen({ port, host: 'localhost' });
  identity = oidcIdentity({ issuer: issuerUrl, audience: 'atrium', environment: 'development' });
});
afterAll(async () => {
  await server.close();
  rmSync(directory, { recursive: true });
  vi.restoreAllMocks();
});

const post = (path: string, body: Record<string, unknown>, headers: Record<string, string> = {}) =>
  fetch(`${issuerUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
const postForm = (path: string, body: Record<string, string>) =>
  fetch(`${issuerUrl}${path}`, { method: 'POST', body: new URLSearchParams(body) });

const cli = () =>
  client.discovery(new URL(issuerUrl), 'atrium-cli', undefined, client.None(), {
    execute: [client.allowInsecureRequests],
  });
/** openid-client's message for an OAuth error; the error code is in the body. */
const REFUSED = /server responded with an error/;
const scope = 'openid offline_access organization';

describe('the device flow', () => {
  it('signs the command line in, approved without a browser, and refreshes', async () => {
    const config = await cli();
    const device = await client.initiateDeviceAuthorization(config, { scope });
    expect(device.verification_uri).toBe(`${issuerUrl}/device`);
    expect(device.expires_in).toBe(600);
    const waiting = client.pollDeviceAuthorizationGrant(config, { ...device, interval: 1 });
    const { user_code } = device;
    const approved = await postForm('/approve', { email: 'manager@acme.test', user_code });
    expect(approved.status).toBe(200);
    const tokens = await waiting;
    expect(await identity.callerOf(tokens.access_token)).toMatchObject({
      actor: { kind: 'user', name: 'Acme Manager' },
      organisation: 'acme',
      roles: ['manager'],
      person: true,
    });

    const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token!);
    expect(refreshed.refresh_token).not.toBe(tokens.refresh_token);
    expect(await identity.callerOf(refreshed.access_token)).toMatchObject({ organisation: 'acme' });
    const subject = (token: string) => decodeJwt(token).sub;
    expect(subject(refreshed.access_token)).toBe(subject(tokens.access_token));

    await expect(identity.callerOf(tokens.refresh_token!)).rejects.toBeInstanceOf(Unauthenticated);
    await expect(identity.callerOf(tokens.id_token!)).rejects.toBeInstanceOf(Unauthenticated);
  });

  const started = async () => {
    const config = await cli();
    return { config, device: await client.initiateDeviceAuthorization(config, { scope }) };
  };
  const exchange = (device_code: string) =>
    postForm('/token', {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      client_id: 'atrium-cli',
      device_code,
    });

  it('stays pending until a user approves', async () => {
    const { device } = await started();
    const answer = await exchange(device.device_code);
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { error: 'authorization_pending' },
    ]);
  });

  it('accepts the code as people type it, also as JSON', async () => {
    const { device } = await started();
    const user_code = device.user_code.toLowerCase().replace('-', ' ');
    const answer = await post('/approve', { email: 'Agent@ACME.test', user_code });
    expect(answer.status).toBe(200);
    expect((await exchange(device.device_code)).status).toBe(200);
  });

  it('approves a code once', async () => {
    const { device } = await started();
    const approve = { email: 'agent@acme.test', user_code: device.user_code };
    await post('/approve', approve);
    const again = await post('/approve', { ...approve, email: 'manager@acme.test' });
    expect([again.status, await again.json()]).toMatchObject([409, { code: 'CONFLICT' }]);
  });

  it('ends the whole session when a rotated refresh token is used again', async () => {
    const { config, device } = await started();
    await post('/approve', { email: 'agent@acme.test', user_code: device.user_code });
    const first = (await (await exchange(device.device_code)).json()) as { refresh_token: string };
    const second = await client.refreshTokenGrant(config, first.refresh_token);
    await expect(client.refreshTokenGrant(config, first.refresh_token)).rejects.toThrow(REFUSED);
    await expect(client.refreshTokenGrant(config, second.refresh_token!)).rejects.toThrow(REFUSED);
  });

  it('keeps two sessions of one user apart', async () => {
    const [one, two] = [await started(), await started()];
    for (const { device } of [one, two]) {
      await post('/approve', { email: 'agent@acme.test', user_code: device.user_code });
    }
    const tokens = (await (await exchange(one.device.device_code)).json()) as {
      refresh_token: string;
    };
    await exchange(two.device.device_code);
    // A code used twice revokes only the tokens it was exchanged for.
    expect((await exchange(two.device.device_code)).status).toBe(400);
    expect(await client.refreshTokenGrant(one.config, tokens.refresh_token)).toBeDefined();
  });

  it.each([
    ['an unknown code', { email: 'agent@acme.test', user_code: 'XXXX-XXXX' }, 404, 'NOT_FOUND'],
    ['no code', { email: 'agent@acme.test' }, 404, 'NOT_FOUND'],
    ['an unknown address', { email: 'nobody@acme.test', user_code: 'X' }, 404, 'NOT_FOUND'],
    ['no address', { user_code: 'X' }, 404, 'NOT_FOUND'],
    ['an address that is not a string', { email: ['agent@acme.test'] }, 404, 'NOT_FOUND'],
    ['too much', { email: 'x'.repeat(5_000) }, 413, 'PAYLOAD_TOO_LARGE'],
  ])('refuses to approve %s', async (_, body, status, code) => {
    const answer = await post('/approve', body);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect([answer.status, await answer.json()]).toMatchObject([status, { status, code }]);
  });
});

describe('the demo users', () => {
  const users = ['manager', 'developer', 'developer2', 'agent', 'auditor', 'viewer'];
  it.each(['acme', 'globex'].flatMap((o) => users.map((user) => `${user}@${o}.test`)))(
    '%s has a role and an organisation',
    async (email) => {
      const { access_token, expires_in, token_type } = await devToken(issuerUrl, email);
      expect([expires_in, token_type]).toEqual([3_600, 'Bearer']);
      const [user = '', organisation = ''] = email.replace('.test', '').split('@');
      expect(await identity.callerOf(access_token)).toMatchObject({
        organisation,
        roles: [user.replace('2', '')],
        person: true,
        actor: { kind: 'user' },
      });
    },
  );

  it('operator@atrium.test belongs to no organisation', async () => {
    const { access_token } = await devToken(issuerUrl, 'operator@atrium.test');
    const caller = await identity.callerOf(access_token);
    expect([caller.organisation, caller.roles]).toEqual([null, ['operator']]);
  });

  it('have subjects that a realm file can repeat', async () => {
    const { access_token } = await devToken(issuerUrl, 'agent@acme.test');
    expect(decodeJwt(access_token).sub).toBe('aa227558-b106-519c-9154-54e46b1880db');
  });

  it('are listed where an unknown user is requested', async () => {
    const answer = await post('/dev-token', { email: 'nobody@acme.test' });
    expect([answer.status, await answer.json()]).toMatchObject([
      404,
      { known: expect.arrayContaining(['agent@acme.test', 'operator@atrium.test']) as string[] },
    ]);
    await expect(devToken(issuerUrl, 'nobody@acme.test')).rejects.toThrow(
      /Accounts: manager@acme.test/,
    );
  });

  it('get no token where no server or another issuer answers', async () => {
    const unusedUrl = `http://127.0.0.1:${await freePort()}`;
    await expect(devToken(unusedUrl, 'agent@acme.test')).rejects.toThrow(/no server answers/);
    const other = createServer((_request, response) => response.writeHead(404).end());
    await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
    const { port } = other.address() as AddressInfo;
    await expect(devToken(`http://127.0.0.1:${port}`, 'agent@acme.test')).rejects.toThrow(
      /has no development issuer/,
    );
    other.close();
  });
});

describe('machine clients', () => {
  const credentials = (organisation: string, secret = 'atrium-demo') =>
    fetch(`${issuerUrl}/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${organisation}-bridge:${secret}`)}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });

  it.each(['acme', 'globex'])('%s-bridge acts for its organisation, not as a person', async (o) => {
    const { access_token } = (await (await credentials(o)).json()) as { access_token: string };
    const caller = await identity.callerOf(access_token);
    expect(caller).toMatchObject({
      actor: { kind: 'client', id: `${o}-bridge`, name: `service-account-${o}-bridge` },
      organisation: o,
      person: false,
    });
    expect(caller.roles).toEqual(['integration']);
    expect(caller.permissions).toContain('platform.bus:publish');
    expect(caller.permissions).toContain('service-desk.tickets:write');
    expect(caller.permissions).not.toContain('platform.keys:write');
  });

  it('need their secret', async () =>
    expect((await credentials('acme', 'guessed')).status).toBe(401));
});

describe('access tokens', () => {
  it('are at+jwt for our audience, in Keycloak’s shape', async () => {
    const { access_token } = await devToken(issuerUrl, 'agent@acme.test');
    expect(decodeProtectedHeader(access_token)).toMatchObject({ typ: 'at+jwt', alg: 'RS256' });
    expect(decodeJwt(access_token)).toMatchObject({
      iss: issuerUrl,
      aud: 'atrium',
      typ: 'Bearer',
      email: 'agent@acme.test',
      preferred_username: 'agent@acme.test',
      organization: ['acme'],
      realm_access: { roles: ['agent'] },
    });
  });

  it('are not issued for another resource', async () => {
    const answer = await postForm('/device/auth', {
      client_id: 'atrium-cli',
      scope,
      resource: 'urn:other',
    });
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: 'invalid_target' }]);
  });
});

it.each(['/.well-known/openid-configuration', '/jwks'])(
  'answers %s without the library like the library',
  async (path) => {
    const answerTo = async (headers: Record<string, string>) => {
      const answer = await fetch(`${issuerUrl}${path}`, { headers });
      const { date: _, ...sent } = Object.fromEntries(answer.headers);
      return { status: answer.status, headers: sent, body: await answer.text() };
    };
    // The library answers pages of other origins, and echoes the origin.
    const origin = 'http://portal.test';
    const { headers, ...answer } = await answerTo({ origin });
    expect(headers).toHaveProperty('access-control-allow-origin', origin);
    const anyOrigin = { ...headers, 'access-control-allow-origin': '*' };
    expect(await answerTo({})).toEqual({ ...answer, headers: anyOrigin });
  },
);

describe('the signing key', () => {
  const file = () => join(directory, 'development-issuer-key.json');
  const start = (dataDirectory = directory) =>
    developmentIssuer({ url: issuerUrl, dataDirectory, logger: quiet });

  it('is readable only by its owner, and published without its private half', async () => {
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    const { keys } = (await (await fetch(`${issuerUrl}/jwks`)).json()) as { keys: object[] };
    expect(keys).toHaveLength(1);
    expect(keys[0]).not.toHaveProperty('d');
  });

  it('is generated once, also by two processes that start at once', async () => {
    const other = mkdtempSync(join(tmpdir(), 'atrium-issuer-'));
    await Promise.all([start(other), start(other), start(other)]);
    const drawn = readFileSync(join(other, 'development-issuer-key.json'), 'utf8');
    await start(other);
    expect(readFileSync(join(other, 'development-issuer-key.json'), 'utf8')).toBe(drawn);
    rmSync(other, { recursive: true });
  });

  it('fails the start, in one line, where its file is not a key', async () => {
    const other = mkdtempSync(join(tmpdir(), 'atrium-issuer-'));
    writeFileSync(join(other, 'development-issuer-key.json'), '{"kty":');
    await expect(start(other)).rejects.toThrow(/development-issuer-key.json holds no signing key/);
    rmSync(other, { recursive: true });
  });
});

describe('foreign hosts and pages', () => {
  /** `fetch` would set its own host. */
  const asked = async (path: string, headers: Record<string, string>) => {
    const { port } = server.server.address() as AddressInfo;
    const sent = httpRequest({ host: 'localhost', port, path, headers }).end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    const { statusCode: status, headers: given } = answer;
    return { status, location: given.location, body: await text(answer) };
  };

  it('cannot reach the issuer under another host name', async () =>
    expect(await asked('/dev/oidc/jwks', { host: 'evil.test' })).toMatchObject({ status: 421 }));

  it.each(['/approve', '/dev-token'])('cannot post to %s from another origin', async (path) => {
    const body = { email: 'manager@acme.test', user_code: 'X' };
    for (const site of ['cross-site', 'same-site']) {
      expect((await post(path, body, { 'sec-fetch-site': site })).status).toBe(403);
    }
    expect((await fetch(`${issuerUrl}${path}`)).status).toBe(405);
  });

  it('are redirected to the published name before they get a cookie', async () => {
    const { port } = server.server.address() as AddressInfo;
    const answer = await asked('/dev/oidc/device', { host: `127.0.0.1:${port}` });
    expect(answer).toMatchObject({ status: 307, location: `${issuerUrl}/device` });
  });

  it('get the published addresses under any host name', async () => {
    const { port } = server.server.address() as AddressInfo;
    for (const host of ['127.0.0.1:1', `localhost:${port}`, 'localhost']) {
      const { body } = await asked('/dev/oidc/.well-known/openid-configuration', { host });
      expect(JSON.parse(body)).toMatchObject({ token_endpoint: `${issuerUrl}/token` });
    }
  });

  it('cannot inject HTML into the pages', () => {
    const evil = `"><script>alert('&')</script>`;
    const html = signInPage({ client: evil, emails: [evil], email: evil, wrong: evil });
    expect(html).not.toContain('<script');
    expect(html).toContain('value="&#34;&#62;&#60;script');
    expect(donePage(evil) + errorPage(evil, evil)).not.toContain('<script');
  });

  it('cannot continue a sign-in that they did not begin', async () => {
    const answer = await fetch(`${issuerUrl}/interaction/abc`);
    expect([answer.status, await answer.text()]).toEqual([
      400,
      expect.stringContaining('This sign-in has expired.'),
    ]);
  });
});

describe('where it may run', () => {
  it.each(['127.0.0.1', 'localhost', '::1', '127.0.0.2'])('in development on %s', (host) =>
    expect(developmentIssuerRefusal({ environment: 'development', host })).toBeNull(),
  );

  it.each([
    ['production', '127.0.0.1'],
    ['development', '0.0.0.0'],
    ['development', '::'],
    ['development', '192.168.1.7'],
    ['development', '127.evil.test'],
    ['development', ''],
  ] as const)('not in %s on %j, with a reason in one line', (environment, host) =>
    expect(developmentIssuerRefusal({ environment, host })).toMatch(/^OIDC_ISSUER [^\n]+$/),
  );

  it('only where oidc-provider is installed, otherwise with an error in one line', async () => {
    const missing = Object.assign(new Error('Cannot find package'), {
      code: 'MODULE_NOT_FOUND',
    });
    await expect(
      developmentIssuer({
        url: issuerUrl,
        dataDirectory: directory,
        logger: quiet,
        find: () => {
          throw missing;
        },
      }),
    ).rejects.toThrow(/^The development issuer needs the package oidc-provider[^\n]+$/);
  });

  it('answers 503 once it is closed', async () => {
    const port = await freePort();
    const issuer = await developmentIssuer({
      url: `http://localhost:${port}/dev/oidc`,
      dataDirectory: directory,
      logger: quiet,
    });
    const other = fastify();
    await other.register(developmentIssuerRoutes, { issuer });
    await other.listen({ port, host: 'localhost' });
    issuer.close();
    expect((await fetch(`${issuer.issuer}/jwks`)).status).toBe(503);
    await other.close();
  });
});

it('prints only through the logger, and has no internal error', () => {
  expect(printed).toEqual([]);
  expect(quiet.error).not.toHaveBeenCalled();
});
