/** A person signs in, in a real browser. Skipped, by name, where no Chromium is installed. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fastify, { type FastifyInstance } from 'fastify';
import * as client from 'openid-client';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Identity } from '../../src/identity/caller.ts';
import { developmentIssuer } from '../../src/identity/development/issuer.ts';
import { developmentIssuerRoutes } from '../../src/identity/development/routes.ts';
import { oidcIdentity } from '../../src/identity/oidc/token-check.ts';
import { hasChromium, launchChromium, newWindow } from '../support/browser/chromium.ts';
import { freePort } from '../support/servers/port.ts';

describe.skipIf(!hasChromium)('signing in with a browser', () => {
  let directory: string;
  let server: FastifyInstance;
  let origin: string;
  let issuerUrl: string;
  let identity: Identity;
  let browser: Browser;
  let page: Page;
  /** The browser's errors and warnings, and every requested address. */
  let complaints: string[];
  let addresses: string[];

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'atrium-browser-'));
    const port = await freePort();
    origin = `http://localhost:${port}`;
    issuerUrl = `${origin}/dev/oidc`;
    const logger = { debug: () => {}, error: () => {}, warn: () => {} };
    const issuer = await developmentIssuer({ url: issuerUrl, dataDirectory: directory, logger });
    server = fastify();
    await server.register(developmentIssuerRoutes, { issuer });
    // The portal's redirect URI.
    server.get('/session/callback', (_, reply) =>
      reply.type('text/html').send('<link rel="icon" href="data:,"><h1>Portal</h1>'),
    );
    await server.listen({ port, host: 'localhost' });
    identity = oidcIdentity({ issuer: issuerUrl, audience: 'atrium', environment: 'development' });
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser.close();
    await server.close();
    rmSync(directory, { recursive: true });
  });

  beforeEach(async () => {
    const context = await newWindow(browser);
    page = await context.newPage();
    complaints = [];
    addresses = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => addresses.push(new URL(request.url()).origin));
  });
  afterEach(async () => {
    expect(new Set(addresses)).toEqual(new Set([origin]));
    await page.context().close();
  });

  const configuration = (clientId: string) =>
    client.discovery(new URL(issuerUrl), clientId, undefined, client.None(), {
      execute: [client.allowInsecureRequests],
    });
  const begun = async () => {
    const config = await configuration('atrium-cli');
    const device = await client.initiateDeviceAuthorization(config, {
      scope: 'openid offline_access organization',
    });
    const tokens = client.pollDeviceAuthorizationGrant(config, { ...device, interval: 1 });
    // A cancelled sign-in rejects while the page is still being read.
    tokens.catch(() => {});
    return { device, tokens };
  };
  const heading = (words: string) => page.getByRole('heading', { name: words }).waitFor();
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const signInAs = async (email: string) => {
    await page.getByLabel('E-mail address').fill(email);
    await press('Sign in');
  };

  it('walks from the code to the tokens of the command line', async () => {
    const { device, tokens } = await begun();
    await page.goto(device.verification_uri);
    await heading('Connect a device');
    await page.getByLabel('Code').fill(device.user_code.toLowerCase());
    await press('Continue');
    await heading('Is this your code?');
    await expect.poll(() => page.locator('.code').textContent()).toBe(device.user_code);
    await press('Yes, go on');
    await heading('Sign in');
    await page.getByText('Who can sign in?').click();
    await signInAs('agent@globex.test');
    await heading('You are signed in');
    expect(await identity.callerOf((await tokens).access_token)).toMatchObject({
      organisation: 'globex',
      roles: ['agent'],
      person: true,
    });
    expect(complaints).toEqual([]);
  });

  it('takes the code from the address', async () => {
    const { device } = await begun();
    await page.goto(device.verification_uri_complete!);
    await page.getByRole('heading', { name: 'Is this your code?' }).waitFor();
    await expect.poll(() => page.locator('.code').textContent()).toBe(device.user_code);
  });

  it('reports an unknown code or address, and allows another try', async () => {
    const { device, tokens } = await begun();
    await page.goto(device.verification_uri);
    await page.getByLabel('Code').fill('<b>XXXX');
    await press('Continue');
    await expect
      .poll(() => page.getByRole('alert').textContent())
      .toBe('No device shows this code.');
    await page.getByLabel('Code').fill(device.user_code);
    await press('Continue');
    await press('Yes, go on');
    await signInAs('nobody@acme.test');
    await expect
      .poll(() => page.getByRole('alert').textContent())
      .toBe('No account has this address.');
    await signInAs('viewer@acme.test');
    expect(await identity.callerOf((await tokens).access_token)).toMatchObject({
      roles: ['viewer'],
    });
  });

  it('cancels a sign-in that one did not begin', async () => {
    const { device, tokens } = await begun();
    await page.goto(device.verification_uri);
    await page.getByLabel('Code').fill(device.user_code);
    await press('Continue');
    await press('No, cancel');
    await expect
      .poll(() => page.getByRole('alert').textContent())
      .toBe('The sign-in was cancelled.');
    await expect(tokens).rejects.toThrow(/access_denied|server responded with an error/);
  });

  it('asks for the user at every device sign-in, so that another one can sign in', async () => {
    for (const email of ['manager@acme.test', 'developer@globex.test', 'developer@globex.test']) {
      const { device, tokens } = await begun();
      await page.goto(device.verification_uri);
      await page.getByLabel('Code').fill(device.user_code);
      await press('Continue');
      await press('Yes, go on');
      await signInAs(email);
      await heading('You are signed in');
      expect(await identity.callerOf((await tokens).access_token)).toMatchObject({
        roles: [email.split('@')[0]],
      });
    }
    expect(complaints).toEqual([]);
  });

  it('signs the portal in by code and PKCE, and the second time without asking', async () => {
    const config = await configuration('atrium-portal');
    const redirect_uri = `${origin}/session/callback`;
    const enter = async () => {
      const verifier = client.randomPKCECodeVerifier();
      const to = client.buildAuthorizationUrl(config, {
        redirect_uri,
        scope: 'openid organization',
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
      await page.goto(to.href);
      return verifier;
    };
    const tokensFor = async (pkceCodeVerifier: string) => {
      await page.getByRole('heading', { name: 'Portal' }).waitFor();
      const at = new URL(page.url());
      const tokens = await client.authorizationCodeGrant(config, at, { pkceCodeVerifier });
      return identity.callerOf(tokens.access_token);
    };
    const first = await enter();
    await signInAs('manager@globex.test');
    expect(await tokensFor(first)).toMatchObject({ organisation: 'globex', roles: ['manager'] });
    expect(await tokensFor(await enter())).toMatchObject({ roles: ['manager'] });
    expect(complaints).toEqual([]);
  });

  it('shows pages that keep to a narrow policy', async () => {
    const answer = await page.goto(`${issuerUrl}/device`);
    const policy = answer?.headers()['content-security-policy'] ?? '';
    expect(policy).toContain(`default-src 'none'`);
    expect(policy).toContain(`frame-ancestors 'none'`);
    expect(policy).not.toContain('unsafe');
  });
});
