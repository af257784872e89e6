/**
 * The only client for untrusted hosts: it resolves the name, checks every address, connects only to
 * a checked one, and has one deadline over everything. It follows no redirects, decompresses
 * nothing, uses no proxy and speaks HTTP/1.1 only. design.md decision 11.
 */
import { UNTRUSTED_ADDRESSES_TRIED_MAX, UNTRUSTED_DEADLINE_MS } from './limits.ts';
import { withTimeout } from '../engine/concurrency/timeout.ts';
import { classOf } from './addresses.ts';
import { exchange, type Answered } from './exchange.ts';
import { failureOf, isUnreached, UntrustedHttpError, type RequestFailure } from './failures.ts';
import { pinnedPools } from './pinned-pools.ts';
import { nameServers, type Resolve } from './resolve.ts';
import { mayReach, checkedUrl, type Reach, type CheckedUrl, type UrlRefusal } from './url-check.ts';

export interface UntrustedHttp {
  /** Why the URL must not be registered now, or `null`. */
  refusal(url: string): Promise<UrlRefusal | null>;
  /**
   * Posts once, to an address checked for this request. Failures of the remote host are returned,
   * never thrown.
   *
   * @param signal Aborts the request; that is `interrupted`.
   */
  post(url: string, message: Message, signal: AbortSignal): Promise<Reply>;
  close(): Promise<void>;
}

export interface Message {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** An answer with any status, or the failure that prevented one. */
export type Reply = Answered | { readonly failure: RequestFailure };

export interface UntrustedHttpParts extends Reach {
  /** Default: the system's name servers. */
  readonly resolve?: Resolve;
  /** Trusted instead of the system's certificates, as PEM. For tests. */
  readonly ca?: string;
  /** Default {@link UNTRUSTED_SESSION_MAX_MS}. */
  readonly sessionMaxMs?: number;
  /** Default {@link UNTRUSTED_DEADLINE_MS}. */
  readonly deadlineMs?: number;
}

export const untrustedHttp = (parts: UntrustedHttpParts): UntrustedHttp => {
  const { resolve = nameServers(), deadlineMs = UNTRUSTED_DEADLINE_MS } = parts;
  const pools = pinnedPools(parts);

  /** All addresses of the URL's host if every one may be reached. */
  const addressesOf = async ({ host, isAddress }: CheckedUrl) => {
    if (isAddress) return [host];
    const addresses = await resolve(host).catch(() => []);
    if (addresses.length === 0) return 'not_resolvable';
    // A forbidden address among others is an attack, not a second choice.
    return addresses.every((one) => mayReach(classOf(one), parts)) ? addresses : 'not_public';
  };

  const attempt = async (text: string, message: Message, over: AbortSignal): Promise<Answered> => {
    const url = checkedUrl(text, parts);
    if (typeof url === 'string') {
      throw new UntrustedHttpError(url === 'not_public' ? 'blocked_address' : 'url_refused');
    }
    const addresses = await unlessOver(addressesOf(url), over);
    if (addresses === 'not_resolvable') throw new UntrustedHttpError('dns_error');
    if (addresses === 'not_public') {
      pools.forget(url.origin);
      throw new UntrustedHttpError('blocked_address');
    }
    const headers = { ...message.headers, host: hostHeader(url), 'accept-encoding': 'identity' };
    const request = { path: url.path, headers, body: message.body };
    const tried = addresses.slice(0, UNTRUSTED_ADDRESSES_TRIED_MAX);
    for (let index = 0; ; index += 1) {
      try {
        return await exchange(pools.of(url, tried[index]!), request, over);
      } catch (error) {
        if (!isUnreached(error) || index + 1 >= tried.length || over.aborted) throw error;
      }
    }
  };

  return {
    async refusal(text) {
      const url = checkedUrl(text, parts);
      if (typeof url === 'string') return url;
      const found = await withTimeout(
        addressesOf(url),
        deadlineMs,
        () => 'not_resolvable' as const,
      );
      return typeof found === 'string' ? found : null;
    },

    async post(text, message, signal) {
      const over = new AbortController();
      const interrupt = () => over.abort(new UntrustedHttpError('interrupted'));
      const timer = setTimeout(() => over.abort(new UntrustedHttpError('timeout')), deadlineMs);
      signal.addEventListener('abort', interrupt, { once: true });
      if (signal.aborted) interrupt();
      try {
        return await attempt(text, message, over.signal);
      } catch (error) {
        return { failure: failureOf(error) };
      } finally {
        clearTimeout(timer);
        signal.removeEventListener('abort', interrupt);
      }
    },

    close: () => pools.close(),
  };
};

/** The result of `work`, unless the deadline passes first. */
const unlessOver = <T>(work: Promise<T>, over: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const expire = () => reject(over.reason as Error);
    if (over.aborted) expire();
    over.addEventListener('abort', expire, { once: true });
    work.finally(() => over.removeEventListener('abort', expire)).then(resolve, reject);
  });

/** The host without the default port, as in the URL. */
const hostHeader = ({ origin }: CheckedUrl): string => origin.slice(origin.indexOf('//') + 2);
