/** How a program with tools finds where to sign in, and does: the protocol's authorization. */
import {
  UnauthorizedError,
  type OAuthClientProvider,
} from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { AGENT_CLIENT } from '../../../src/identity/development/accounts.ts';
import { browserLike, sessionPlatform, type SessionPlatform } from '../../support/api/signed-in.ts';

let platform: SessionPlatform;
beforeAll(async () => {
  platform = await sessionPlatform({ servesMcp: true });
});
afterAll(() => platform.close());

const metadataUrl = () => `${platform.origin}/.well-known/oauth-protected-resource/mcp`;
const called = (headers: Record<string, string> = {}, path = '/mcp') =>
  fetch(`${platform.origin}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });

describe('a tool call without a valid credential', () => {
  it('returns the URL of the metadata', async () => {
    const { status, headers } = await called();
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toBe(`Bearer resource_metadata="${metadataUrl()}"`);
  });

  it('returns invalid_token for a wrong token', async () => {
    const { status, headers } = await called({ authorization: 'Bearer nonsense' });
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toBe(
      `Bearer error="invalid_token", resource_metadata="${metadataUrl()}"`,
    );
  });

  it('finds in the metadata the address that it has called, and the issuer', async () => {
    const answer = await fetch(metadataUrl());
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({
      resource: `${platform.origin}/mcp`,
      authorization_servers: [platform.issuerUrl],
      scopes_supported: ['openid', 'offline_access', 'organization'],
      bearer_methods_supported: ['header'],
    });
  });
});

it('other routes say no more than they did', async () => {
  const { headers } = await called({}, '/api/service-desk/requests');
  expect(headers.get('www-authenticate')).toBe('Bearer');
});

it.each([
  ['the server', (origin: URL) => origin.origin, null],
  ['its tools', (origin: URL) => `${origin.origin}/mcp`, null],
  ["a sandbox's tools", ({ port }: URL) => `http://s.sandbox.localhost:${port}/mcp`, null],
  ['another port', () => 'http://s.sandbox.localhost:1/mcp', 'invalid_target'],
  ['another server', () => 'https://example.com/mcp', 'invalid_target'],
  ['another path', (origin: URL) => `${origin.origin}/api`, 'invalid_target'],
] as const)('the development issuer is asked for a token of %s', async (_, of, error) => {
  const query = new URLSearchParams({
    client_id: AGENT_CLIENT,
    redirect_uri: 'http://127.0.0.1:5/oauth/callback',
    response_type: 'code',
    scope: 'openid',
    code_challenge: 'A'.repeat(43),
    code_challenge_method: 'S256',
    resource: of(new URL(platform.origin)),
  });
  const answer = await browserLike(platform.origin).ask(`/dev/oidc/auth?${query.toString()}`);
  const to = new URL(answer.headers.get('location')!, platform.origin);
  expect(to.searchParams.get('error')).toBe(error);
  expect(to.pathname.startsWith('/dev/oidc/interaction/')).toBe(error === null);
});

/** The official client's hooks of a program; `opened` has the URLs for a browser. */
const program = () => {
  const kept: { verifier?: string; token?: string; opened?: URL } = {};
  const provider: OAuthClientProvider = {
    redirectUrl: 'http://localhost:43117/callback',
    clientMetadata: { redirect_uris: ['http://localhost:43117/callback'] },
    clientInformation: () => ({ client_id: AGENT_CLIENT }),
    tokens: () =>
      kept.token === undefined ? undefined : { access_token: kept.token, token_type: 'Bearer' },
    saveTokens: ({ access_token: token }) => void (kept.token = token),
    redirectToAuthorization: (url) => void (kept.opened = url),
    saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
    codeVerifier: () => kept.verifier!,
  };
  const transport = () =>
    new StreamableHTTPClientTransport(new URL(`${platform.origin}/mcp`), {
      authProvider: provider,
    });
  return { kept, transport };
};

it('the official client signs in with nothing but the address, and calls tools', async () => {
  const { kept, transport } = program();
  const first = transport();
  const unknown = new Client({ name: 'test-agent', version: '1.0.0' });
  onTestFinished(() => unknown.close());
  await expect(unknown.connect(first)).rejects.toThrow(UnauthorizedError);
  expect(kept.opened!.href).toContain(platform.issuerUrl);
  expect(kept.opened!.searchParams.get('resource')).toBe(`${platform.origin}/mcp`);

  const browser = browserLike(platform.origin);
  const page = await browser.walk(kept.opened!.href);
  expect(page.url).toContain('/interaction/');
  let at = page.url;
  let answer = await browser.ask(at, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ email: 'agent@acme.test' }).toString(),
  });
  // To the issuer once more, and from there to the program.
  while (new URL(at).origin === platform.origin) {
    at = new URL(answer.headers.get('location')!, at).href;
    if (new URL(at).origin === platform.origin) answer = await browser.ask(at);
  }
  expect(at).toMatch(/^http:\/\/localhost:43117\/callback\?/);
  await first.finishAuth(new URL(at).searchParams.get('code')!);
  expect(decodeJwt(kept.token!)).toMatchObject({ aud: 'atrium', organization: ['acme'] });

  const client = new Client({ name: 'test-agent', version: '1.0.0' });
  onTestFinished(() => client.close());
  await client.connect(transport());
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain('search_tickets');
  const read = await client.callTool({ name: 'list_buildings', arguments: {} });
  expect(read.isError ?? false).toBe(false);
});
