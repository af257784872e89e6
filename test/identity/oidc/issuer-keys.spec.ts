import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { IdentityUnavailable, Unauthenticated } from '../../../src/identity/caller.ts';
import {
  ISSUER_ATTEMPTS_MAX,
  ISSUER_DOWN_PAUSE_MS,
  ISSUER_LOOK_MS,
  KEY_SET_AGE_MAX_MS,
  KEY_SET_KEPT_MAX_MS,
  KEY_SET_RELOAD_PAUSE_MS,
} from '../../../src/identity/oidc/limits.ts';
import { oidcIdentity } from '../../../src/identity/oidc/token-check.ts';
import {
  asPlain,
  DISCOVERY,
  drawKey,
  signingIssuer,
  type SigningIssuer,
} from './signing-issuer.ts';

let issuer: SigningIssuer;
beforeEach(async () => {
  issuer = await signingIssuer();
  nowMs = 0;
});
afterEach(() => {
  warn.mockClear();
  return issuer.close();
});

let nowMs = 0;
const warn = vi.fn<(...what: unknown[]) => void>();
const identityOf = (environment: 'development' | 'production' = 'development') => {
  const url = environment === 'production' ? issuer.url.replace('http:', 'https:') : issuer.url;
  if (environment === 'production') issuer.discovery = { issuer: url, jwks_uri: `${url}/keys` };
  return oidcIdentity({
    issuer: url,
    audience: 'atrium',
    environment,
    fetch: asPlain,
    nowMs: () => nowMs,
    logger: { debug: () => {}, warn },
  });
};
const https = () => ({ iss: issuer.url.replace('http:', 'https:') });
const count = (path: string) => issuer.asked.filter((asked) => asked === path).length;

describe('the key set', () => {
  it('is fetched with the first token, not before, and once', async () => {
    const identity = identityOf();
    expect(issuer.asked).toEqual([]);
    const token = await issuer.token();
    await Promise.all(Array.from({ length: 20 }, () => identity.callerOf(token)));
    expect(issuer.asked).toEqual([DISCOVERY, '/keys']);
  });

  it.each(['production', 'development'] as const)(
    'is fetched again for unknown key ids, once for concurrent tokens, in %s',
    async (environment) => {
      const identity = identityOf(environment);
      const claims = environment === 'production' ? https() : {};
      await identity.callerOf(await issuer.token(claims));
      const refused = async (kid: string) =>
        expect(identity.callerOf(await issuer.token(claims, { kid }))).rejects.toThrow(
          Unauthenticated,
        );
      await Promise.all(Array.from({ length: 50 }, (_, n) => refused(`together-${n}`)));
      for (const kid of ['a', 'b', 'c', 'd']) await refused(kid);
      expect(count('/keys')).toBe(2);
    },
  );

  it('is fetched once for concurrent tokens where the issuer fails, without verdict', async () => {
    const identity = identityOf();
    const good = await issuer.token();
    await identity.callerOf(good);
    issuer.failing = 'status';
    for (const kid of ['a', 'b', 'c'])
      await expect(identity.callerOf(await issuer.token({}, { kid }))).rejects.toBeInstanceOf(
        IdentityUnavailable,
      );
    expect(count(DISCOVERY)).toBe(1 + ISSUER_ATTEMPTS_MAX);
    expect(await identity.callerOf(good)).toBeDefined();
  });

  it('follows a rotation: the new key is valid, the old one while it is published', async () => {
    const identity = identityOf();
    const old = await issuer.token();
    await identity.callerOf(old);
    const next = await drawKey();
    issuer.published = [...issuer.published, next.publicJwk];
    issuer.key = next;
    expect(await identity.callerOf(await issuer.token())).toBeDefined();
    expect(await identity.callerOf(old)).toBeDefined();
    issuer.published = [next.publicJwk];
    const again = identityOf();
    await expect(again.callerOf(old)).rejects.toThrow(Unauthenticated);
  });

  describe('that the issuer moved', () => {
    const move = async () => {
      const former = [...issuer.published];
      issuer.key = await drawKey();
      issuer.published = [issuer.key.publicJwk];
      issuer.keysPath = '/moved-keys';
      return former;
    };

    it('is found with the first unknown key id, and looked for once', async () => {
      const identity = identityOf();
      await identity.callerOf(await issuer.token());
      await move();
      expect(await identity.callerOf(await issuer.token())).toBeDefined();
      for (const kid of ['a', 'b'])
        await expect(identity.callerOf(await issuer.token({}, { kid }))).rejects.toThrow(
          Unauthenticated,
        );
      expect(count(DISCOVERY)).toBe(2);
    });

    it('is found while another set is still served at the former address', async () => {
      const identity = identityOf();
      await identity.callerOf(await issuer.token());
      issuer.formerKeys.set('/keys', await move());
      expect(await identity.callerOf(await issuer.token())).toBeDefined();
    });

    it('is found once the discovery document names it, after failures', async () => {
      const identity = identityOf();
      await identity.callerOf(await issuer.token());
      await move();
      issuer.discovery = { jwks_uri: `${issuer.url}/keys` };
      const token = await issuer.token();
      await expect(identity.callerOf(token)).rejects.toBeInstanceOf(IdentityUnavailable);
      issuer.discovery = {};
      nowMs += KEY_SET_RELOAD_PAUSE_MS;
      expect(await identity.callerOf(token)).toBeDefined();
      expect(identity.reachable()).toBe(true);
    });

    it('is not read from the document of another issuer', async () => {
      const identity = identityOf();
      const former = await issuer.token();
      await identity.callerOf(former);
      await move();
      issuer.discovery = { issuer: 'https://elsewhere.test' };
      await expect(identity.callerOf(await issuer.token())).rejects.toBeInstanceOf(
        IdentityUnavailable,
      );
      expect(count('/moved-keys')).toBe(0);
      expect(await identity.callerOf(former)).toBeDefined();
    });
  });

  describe('of an issuer that restarted with another key under the same id', () => {
    const comeBack = async () => {
      issuer.key = await drawKey(issuer.key.publicJwk.kid);
      issuer.published = [issuer.key.publicJwk];
    };

    it('is fetched again in development', async () => {
      const identity = identityOf();
      await identity.callerOf(await issuer.token());
      await comeBack();
      expect(await identity.callerOf(await issuer.token())).toBeDefined();
      expect(count('/keys')).toBe(2);
    });

    it('is fetched once for a bad signature, which stays invalid', async () => {
      const identity = identityOf();
      await identity.callerOf(await issuer.token());
      issuer.key = await drawKey(issuer.key.publicJwk.kid);
      await expect(identity.callerOf(await issuer.token())).rejects.toThrow(Unauthenticated);
      expect(count('/keys')).toBe(2);
    });

    it('is not fetched again in production, where any caller could trigger it', async () => {
      const identity = identityOf('production');
      await identity.callerOf(await issuer.token(https()));
      await comeBack();
      await expect(identity.callerOf(await issuer.token(https()))).rejects.toThrow(Unauthenticated);
      expect(count('/keys')).toBe(1);
    });
  });
});

describe('an unreachable issuer', () => {
  it('is no verdict on the token, and is logged', async () => {
    const token = await issuer.token();
    await issuer.close();
    const identity = identityOf();
    await expect(identity.callerOf(token)).rejects.toBeInstanceOf(IdentityUnavailable);
    expect(await identity.ready()).toMatch(/ECONNREFUSED/);
    expect(warn).toHaveBeenCalledOnce();
  });

  it('is retried after a pause, and used again when it is back', async () => {
    const identity = identityOf();
    const token = await issuer.token();
    issuer.failing = 'status';
    await expect(identity.callerOf(token)).rejects.toBeInstanceOf(IdentityUnavailable);
    const attempts = issuer.asked.length;
    expect(attempts).toBe(3);
    await expect(identity.callerOf(token)).rejects.toBeInstanceOf(IdentityUnavailable);
    expect(issuer.asked).toHaveLength(attempts);
    issuer.failing = 'no';
    nowMs += ISSUER_DOWN_PAUSE_MS;
    expect(await identity.ready()).toBe(true);
    expect(await identity.callerOf(token)).toBeDefined();
  });

  it('is waited for with a timeout', async () => {
    issuer.failing = 'hang';
    const identity = identityOf();
    await expect(identity.callerOf(await issuer.token())).rejects.toBeInstanceOf(
      IdentityUnavailable,
    );
  });

  it('includes one that serves its discovery document but not its keys, asked once', async () => {
    issuer.discovery = { jwks_uri: `${issuer.url}/nothing` };
    const identity = identityOf();
    const token = await issuer.token();
    for (const _ of [1, 2])
      await expect(identity.callerOf(token)).rejects.toBeInstanceOf(IdentityUnavailable);
    expect(issuer.asked).toEqual([DISCOVERY, '/nothing']);
  });

  it('does not prevent the refusal of malformed tokens', async () => {
    await issuer.close();
    await expect(identityOf().callerOf('a.b.c')).rejects.toBeInstanceOf(Unauthenticated);
  });
});

describe('an issuer unavailable after its keys were fetched', () => {
  const outage = async () => {
    const identity = identityOf();
    await identity.callerOf(await issuer.token());
    issuer.failing = 'status';
    return identity;
  };
  const AWAY = /^the issuer is unreachable, and its cached keys are used: .* answered 500$/;

  it('keeps sessions valid, keeps readiness, and is reported and logged once', async () => {
    const identity = await outage();
    for (const age of [KEY_SET_AGE_MAX_MS + 1, KEY_SET_KEPT_MAX_MS / 2, KEY_SET_KEPT_MAX_MS]) {
      nowMs = age;
      expect(await identity.callerOf(await issuer.token())).toBeDefined();
      expect(await identity.ready()).toBe(true);
      expect(identity.reachable()).toMatch(AWAY);
    }
    expect(warn).toHaveBeenCalledOnce();
  });

  it('is detected also without requests, by readiness, which never waits for it', async () => {
    const identity = await outage();
    nowMs = ISSUER_LOOK_MS;
    expect(await identity.ready()).toBe(true);
    expect(count(DISCOVERY)).toBe(1);
    nowMs += 1;
    expect(await identity.ready()).toBe(true);
    await expect.poll(() => identity.reachable()).toMatch(AWAY);
    issuer.failing = 'hang';
    nowMs += ISSUER_LOOK_MS;
    expect(await identity.ready()).toBe(true);
    await expect.poll(() => count(DISCOVERY)).toBe(1 + ISSUER_ATTEMPTS_MAX + 1);
  });

  it('is no longer reported when it is back', async () => {
    const identity = await outage();
    nowMs = KEY_SET_AGE_MAX_MS + 1;
    await identity.callerOf(await issuer.token());
    issuer.failing = 'no';
    nowMs += KEY_SET_RELOAD_PAUSE_MS;
    await identity.callerOf(await issuer.token());
    expect(identity.reachable()).toBe(true);
  });

  it('ends sessions after a day, and is then a reason against readiness', async () => {
    const identity = await outage();
    nowMs = KEY_SET_KEPT_MAX_MS + 1;
    await expect(identity.callerOf(await issuer.token())).rejects.toBeInstanceOf(
      IdentityUnavailable,
    );
    expect(await identity.ready()).toMatch(/^The identity provider cannot be reached: /);
  });

  it('has withdrawn keys accepted for ten minutes', async () => {
    const identity = identityOf();
    const old = await issuer.token();
    await identity.callerOf(old);
    const next = await drawKey();
    issuer.published = [next.publicJwk];
    nowMs = KEY_SET_AGE_MAX_MS;
    expect(await identity.callerOf(old)).toBeDefined();
    nowMs += 1;
    await expect(identity.callerOf(old)).rejects.toThrow(Unauthenticated);
  });
});

describe('a discovery document', () => {
  it.each([
    ['of another issuer', { issuer: 'https://elsewhere.test' }],
    ['without a key set', { jwks_uri: undefined }],
    ['whose key set is not http', { jwks_uri: 'file:///etc/passwd' }],
    ['whose key set is plain http elsewhere', { jwks_uri: 'http://keys.test/keys' }],
  ])('%s is rejected, and fetched once', async (_, discovery) => {
    issuer.discovery = discovery;
    const identity = identityOf();
    await expect(identity.callerOf(await issuer.token())).rejects.toBeInstanceOf(
      IdentityUnavailable,
    );
    expect(issuer.asked).toEqual([DISCOVERY]);
  });

  it('names an https key set in production', async () => {
    const identity = identityOf('production');
    issuer.discovery = { ...issuer.discovery, jwks_uri: `${issuer.url}/keys` };
    await expect(identity.callerOf(await issuer.token(https()))).rejects.toBeInstanceOf(
      IdentityUnavailable,
    );
  });
});
