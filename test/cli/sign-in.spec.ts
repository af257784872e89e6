/**
 * `atrium login` and the session that it keeps, against an issuer of another process. interface.md
 * Authentication 8; RFC 8628.
 */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { oidcIdentity } from '../../src/identity/oidc/token-check.ts';
import { testApi } from '../support/api/api.ts';
import { foreignIssuer, type ForeignIssuer } from '../support/cli/issuer.ts';
import { temporaryDirectory } from '../support/directory.ts';
import {
  runAtrium,
  runAtriumAlone,
  startAtrium,
  type RunningCommand,
} from '../support/servers/cli.ts';
import { until } from '../support/until.ts';

let issuer: ForeignIssuer;
beforeAll(async () => {
  issuer = await foreignIssuer();
});
afterAll(() => issuer.stop());
const platform = testApi(() => ({
  identity: oidcIdentity({ issuer: issuer.url, audience: 'atrium', environment: 'development' }),
}));

let home: string;
beforeEach(async () => {
  home = temporaryDirectory('cli');
  await issuer.set({ accessTokenS: 3_600, deviceCodeS: 600, slowDowns: 0 });
  await issuer.forget();
});

const environment = () => ({ XDG_CONFIG_HOME: home, ATRIUM_URL: platform.address });
const atrium = (...words: readonly string[]) => runAtrium(environment(), ...words);
const session = (profile = 'default') => join(home, 'atrium', `${profile}.json`);
const stored = (profile?: string) =>
  JSON.parse(readFileSync(session(profile), 'utf8')) as Record<string, string>;

/** A sign-in that waits for its user code. */
const beginLogin = async (...words: readonly string[]) => {
  const command = startAtrium(environment(), 'login', ...words);
  command.process.stdin?.end();
  return { command, userCode: await codeOn(command) };
};

const codeOn = async (command: RunningCommand): Promise<string> => {
  const code = () => /Your code is ([A-Z]{4}-[A-Z]{4})/.exec(command.err())?.[1];
  await until(() => code() !== undefined, 'the code');
  return code()!;
};

const signIn = async (...words: readonly string[]) => {
  const { command, userCode } = await beginLogin(...words);
  await issuer.approve(userCode);
  return command.ended;
};

const expire = () =>
  writeFileSync(session(), JSON.stringify({ ...stored(), expiresAt: '2026-01-01T00:00:00.000Z' }));

const refreshes = async () =>
  (await issuer.asked()).filter(({ grant }) => grant === 'refresh_token').length;

describe('atrium login', () => {
  it('finds the issuer by the server, shows a code, and keeps a private session', async () => {
    const { code, out, err } = await signIn();
    expect([code, JSON.parse(out)]).toEqual([
      0,
      {
        profile: 'default',
        server: platform.address,
        issuer: issuer.url,
        actor: { kind: 'user', id: 'ana', name: 'Ana Demir' },
        organisation: 'acme',
      },
    ]);
    expect(err).toContain(`Enter it at ${issuer.url}/device within 10 min.`);
    expect(statSync(session()).mode & 0o777).toBe(0o600);
    expect(statSync(join(home, 'atrium')).mode & 0o777).toBe(0o700);
    expect(readdirSync(join(home, 'atrium'))).toEqual(['default.json']);
    expect(stored()['refreshToken']).toBeTruthy();

    const me = await atrium('whoami');
    expect(JSON.parse(me.out)).toMatchObject({ source: 'profile default', roles: ['manager'] });
  });

  it('waits five seconds longer after each slow_down', async () => {
    await issuer.set({ slowDowns: 1 });
    const { command, userCode } = await beginLogin();
    await until(async () => (await issuer.asked()).length > 0, 'the first poll');
    await issuer.approve(userCode);
    expect((await command.ended).code).toBe(0);
    const asked = await issuer.asked();
    expect(asked.map(({ answer }) => answer)).toEqual(['slow_down', 'token']);
    expect(asked[1]!.atMs - asked[0]!.atMs).toBeGreaterThanOrEqual(5_000);
  });

  it('ends when the code expires, and keeps nothing', async () => {
    await issuer.set({ deviceCodeS: 1 });
    const { command } = await beginLogin();
    const { code, err } = await command.ended;
    expect(code).toBe(1);
    expect(err).toContain('atrium: the code expired before it was entered');
    expect((await atrium('profiles')).out).toBe('{"items":[]}\n');
  });

  it('ends when the sign-in is refused, and leaves the session there was', async () => {
    await signIn();
    const before = stored();
    const { command, userCode } = await beginLogin();
    await issuer.deny(userCode);
    const { code, out, err } = await command.ended;
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain('atrium: the sign-in was refused');
    expect(stored()).toEqual(before);
  });

  it('reports an address that is not an Atrium server', async () => {
    const nowhere = await atrium('login', '--url', issuer.url);
    expect([nowhere.code, nowhere.out]).toEqual([1, '']);
    expect(nowhere.err).toBe(
      `atrium: ${issuer.url} answered (HTTP 404, text/plain), but it is not an Atrium server\n`,
    );
  });
});

describe('a session', () => {
  it('is refreshed at each expiry of its access token', async () => {
    await issuer.set({ accessTokenS: 1 });
    await signIn();
    for (const _ of [1, 2]) expect((await atrium('whoami')).code).toBe(0);
    expect(await refreshes()).toBe(2);
  });

  it('survives concurrent commands: one refreshes, and the others wait for it', async () => {
    await signIn();
    expire();
    const ended = await Promise.all(
      [1, 2, 3, 4].map(() => runAtriumAlone(environment(), 'whoami')),
    );
    expect(ended.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    expect(await refreshes()).toBe(1);
    expire();
    expect((await atrium('whoami')).code).toBe(0);
    expect(readdirSync(join(home, 'atrium'))).toEqual(['default.json']);
  });

  it('that the issuer has ended says so, with exit code 4', async () => {
    await signIn();
    await issuer.revoke();
    expire();
    expect(await atrium('whoami')).toEqual({
      code: 4,
      out: '',
      err: 'atrium: the session of profile default has ended; sign in again with atrium login\n',
    });
  });

  it('of another profile names it, and the command to sign in again', async () => {
    await signIn('--profile', 'second');
    const whole = { ...stored('second'), expiresAt: '2026-01-01T00:00:00.000Z' };
    writeFileSync(session('second'), JSON.stringify({ ...whole, refreshToken: null }));
    expect(await atrium('whoami', '--profile', 'second')).toEqual({
      code: 4,
      out: '',
      err:
        'atrium: the session of profile second has ended; ' +
        'sign in again with atrium login --profile second\n',
    });
  });

  it('is ended by logout, at the issuer too', async () => {
    await signIn();
    const copied = readFileSync(session());
    expect(JSON.parse((await atrium('logout')).out)).toEqual({
      profile: 'default',
      signedOut: true,
    });
    expect(await atrium('whoami')).toMatchObject({ code: 4, out: '' });
    writeFileSync(session(), copied);
    expire();
    expect((await atrium('whoami')).err).toContain('the session of profile default has ended');
  });

  it('is sent to no server but its own', async () => {
    await signIn();
    const elsewhere = await atrium('whoami', '--url', 'http://127.0.0.1:1');
    expect(elsewhere.code).toBe(4);
    expect(elsewhere.err).toContain(`profile default is signed in to ${platform.address}`);
  });
});

describe('profiles', () => {
  it('keep sessions apart, and one of them is chosen', async () => {
    await signIn();
    await signIn('--profile', 'second');
    const used = async () => {
      const { items } = JSON.parse((await atrium('profiles')).out) as {
        items: { profile: string; used: boolean }[];
      };
      return items.map(({ profile, used }) => [profile, used]);
    };
    expect(await used()).toEqual([
      ['default', true],
      ['second', false],
    ]);
    expect((await atrium('profiles', 'use', 'second')).code).toBe(0);
    expect(await used()).toEqual([
      ['default', false],
      ['second', true],
    ]);
    const sourceOf = async (env: Record<string, string>, ...words: string[]) =>
      (
        JSON.parse((await runAtrium({ ...environment(), ...env }, 'whoami', ...words)).out) as {
          source: string;
        }
      ).source;
    const { accessToken } = stored();
    expect(await sourceOf({})).toBe('profile second');
    expect(await sourceOf({ ATRIUM_PROFILE: 'default' })).toBe('profile default');
    const env = { ATRIUM_PROFILE: 'default', ATRIUM_TOKEN: accessToken! };
    expect(await sourceOf(env)).toBe('ATRIUM_TOKEN');
    expect(await sourceOf(env, '--token', accessToken!)).toBe('--token');
  });

  it('have names that lead nowhere else', async () => {
    const { code, err } = await atrium('login', '--profile', '../elsewhere');
    expect([code, err]).toEqual([1, 'atrium: not a valid profile name: "../elsewhere"\n']);
  });
});
