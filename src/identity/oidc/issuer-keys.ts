/**
 * The issuer's published key set, found through its discovery document. Both are fetched together,
 * on demand, and the keys are cached; every failure is {@link IdentityUnavailable}, because it does
 * not mean that a token is invalid.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from 'jose';
import type { BaseLogger } from 'pino';
import {
  ISSUER_ATTEMPTS_MAX,
  ISSUER_DOWN_PAUSE_MS,
  ISSUER_LOOK_MS,
  ISSUER_RETRY_PAUSE_MS,
  ISSUER_TIMEOUT_MS,
  KEY_SET_AGE_MAX_MS,
  KEY_SET_KEPT_MAX_MS,
  KEY_SET_RELOAD_PAUSE_MS,
} from './limits.ts';
import { singleFlight } from '../../engine/concurrency/single-flight.ts';
import { readinessError, type Ready } from '../../engine/observe/readiness-error.ts';
import { IdentityUnavailable } from '../caller.ts';
import { isLoopbackHost } from '../loopback.ts';

export type Fetch = typeof globalThis.fetch;

export interface IssuerKeys {
  /** The key that a token's header names, for `jwtVerify`. */
  readonly keyOf: JWTVerifyGetKey;
  /**
   * Fetches both again, whatever their age, at most once per {@link KEY_SET_RELOAD_PAUSE_MS}:
   * all callers in this time share one result.
   *
   * @throws {@link IdentityUnavailable} if the fetch failed.
   */
  askAgain(): Promise<void>;
  /**
   * Resolves if usable keys are cached or can be fetched, else throws {@link IdentityUnavailable}.
   * Cached keys older than {@link ISSUER_LOOK_MS} are refreshed in the background.
   */
  ready(): Promise<void>;
  /** `true`, or why the last fetch failed. */
  reachable(): Ready;
}

export interface IssuerKeysOptions {
  /** Milliseconds of a monotonic clock. Default: the process's. */
  readonly nowMs?: () => number;
  readonly logger?: Pick<BaseLogger, 'warn'>;
}

type RemoteKeySet = ReturnType<typeof createRemoteJWKSet>;

/** @param mayBePlain Whether the key set may be read over `http:` from this machine. */
export function issuerKeys(
  issuer: string,
  mayBePlain: boolean,
  fetch: Fetch,
  { nowMs = () => performance.now(), logger }: IssuerKeysOptions = {},
): IssuerKeys {
  let loaded: { readonly keys: RemoteKeySet; readonly at: number } | undefined;
  /** The failure of the last load; `undefined` after a success. */
  let failed: { readonly error: IdentityUnavailable; readonly at: number } | undefined;
  let again: { readonly done: Promise<void>; readonly at: number } | undefined;

  const load = singleFlight(async () => {
    try {
      // With each load: an issuer may move its key set.
      const url = await discover(issuer, mayBePlain, fetch);
      const keys = createRemoteJWKSet(url, {
        [customFetch]: fetch,
        timeoutDuration: ISSUER_TIMEOUT_MS,
        // Otherwise the library would fetch for each token while the issuer fails; see `usable`.
        cacheMaxAge: Infinity,
        cooldownDuration: Infinity,
      });
      await keys.reload();
      loaded = { keys, at: nowMs() };
      failed = undefined;
    } catch (cause) {
      const error = unavailable(cause);
      if (loaded && !failed)
        logger?.warn({ err: error }, 'the issuer is unreachable; its cached keys are used');
      failed = { error, at: nowMs() };
      throw error;
    }
  });

  const loadFirst = async () => {
    if (failed && nowMs() - failed.at < ISSUER_DOWN_PAUSE_MS) throw failed.error;
    await load();
  };

  const askAgain = async () => {
    const now = nowMs();
    if (!again || now - again.at >= KEY_SET_RELOAD_PAUSE_MS) again = { done: load(), at: now };
    await again.done;
  };

  const isOlderThan = (ms: number) => !loaded || nowMs() - loaded.at > ms;

  /** The key set; an old one only while the issuer is unavailable. */
  const usable = async (): Promise<RemoteKeySet> => {
    if (!loaded) await loadFirst();
    else if (isOlderThan(KEY_SET_AGE_MAX_MS))
      await askAgain().catch((error: unknown) => {
        if (isOlderThan(KEY_SET_KEPT_MAX_MS)) throw error;
      });
    return loaded!.keys;
  };

  const keyOf: JWTVerifyGetKey = async (header, token) => {
    const keys = await usable();
    try {
      return await keys(header, token);
    } catch (error) {
      if (tokensFault.some((fault) => error instanceof fault)) throw error;
      throw unavailable(error);
    }
  };

  return {
    async keyOf(header, token) {
      try {
        return await keyOf(header, token);
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
        await askAgain();
        return keyOf(header, token);
      }
    },
    askAgain,

    async ready() {
      if (isOlderThan(KEY_SET_KEPT_MAX_MS)) await usable();
      // `reachable` reports the failure.
      else if (isOlderThan(ISSUER_LOOK_MS)) void askAgain().catch(() => {});
    },

    reachable() {
      if (!loaded || !failed) return true;
      const reason = reasonOf(failed.error.cause);
      return readinessError(`the issuer is unreachable, and its cached keys are used: ${reason}`);
    },
  };
}

/** Errors of the token, for which the key set has no key. */
const tokensFault = [
  errors.JWKSNoMatchingKey,
  errors.JWKSMultipleMatchingKeys,
  errors.JOSENotSupported,
];

/** The URL of the issuer's key set. Retries with a limit while the issuer does not answer. */
async function discover(issuer: string, mayBePlain: boolean, fetch: Fetch): Promise<URL> {
  const deadline = AbortSignal.timeout(ISSUER_TIMEOUT_MS);
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const response = await fetch(url, {
        signal: deadline,
        redirect: 'manual',
        headers: { accept: 'application/json' },
      });
      if (response.status === 200) return keySetIn(await response.json(), issuer, mayBePlain);
      await response.body?.cancel();
      throw new Error(`${url} answered ${response.status}`);
    } catch (error) {
      const final = error instanceof Misconfigured || deadline.aborted;
      if (final || attempt === ISSUER_ATTEMPTS_MAX) throw error;
    }
    await sleep(ISSUER_RETRY_PAUSE_MS * 2 ** (attempt - 1));
  }
}

/** A permanent error, for which a retry would not help. */
class Misconfigured extends Error {}

function keySetIn(document: unknown, issuer: string, mayBePlain: boolean): URL {
  const { issuer: named, jwks_uri: uri } = Object(document) as Readonly<Record<string, unknown>>;
  // OpenID Connect Discovery 4.3: otherwise one issuer could speak for another.
  if (named !== issuer) throw new Misconfigured(`the issuer calls itself ${String(named)}`);
  const url = typeof uri === 'string' ? URL.parse(uri) : null;
  if (url?.protocol === 'https:') return url;
  if (url?.protocol === 'http:' && mayBePlain && isLoopbackHost(url.hostname)) return url;
  throw new Misconfigured(`the issuer's jwks_uri cannot be used: ${String(uri)}`);
}

const unavailable = (cause: unknown): IdentityUnavailable =>
  cause instanceof IdentityUnavailable
    ? cause
    : new IdentityUnavailable(
        readinessError(`The identity provider cannot be reached: ${reasonOf(cause)}`),
        cause,
      );

const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  // The message `fetch failed` has no information; its cause is the socket's error.
  const { cause } = error;
  const beneath = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
  return `${error.message}${beneath}`;
};
