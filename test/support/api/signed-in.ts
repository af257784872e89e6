/**
 * Browser sessions with the real development issuer: a platform and its issuer on one real port,
 * as with `npm start`, and a browser's cookies without a browser.
 */
import { pino } from 'pino';
import {
  developmentIssuer,
  type DevelopmentIssuer,
} from '../../../src/identity/development/issuer.ts';
import { developmentIssuerRoutes } from '../../../src/identity/development/routes.ts';
import { temporaryDirectory } from '../directory.ts';
import { freePort } from '../servers/port.ts';
import { testPlatform, type TestPlatform, type TestPlatformOptions } from './platform.ts';

export interface SessionPlatform extends TestPlatform {
  readonly origin: string;
  readonly issuerUrl: string;
  /**
   * A further process on the same database, at another address behind the same public one. The
   * caller closes it.
   */
  alike(): Promise<TestPlatform>;
  /** Whether the issuer answers. */
  issuerAnswers(does: boolean): void;
  /** Requests for tokens so far. */
  tokenRequests(): number;
}

export interface SessionPlatformOptions extends TestPlatformOptions {
  /** Lifetime of access tokens. Default: an hour. */
  readonly tokenLifetimeS?: number;
}

export const sessionPlatform = async ({
  tokenLifetimeS = 3_600,
  ...options
}: SessionPlatformOptions = {}): Promise<SessionPlatform> => {
  const port = options.port ?? (await freePort());
  const origin = `http://127.0.0.1:${port}`;
  const issuerUrl = `${origin}/dev/oidc`;
  const issuer = await developmentIssuer({
    url: issuerUrl,
    dataDirectory: temporaryDirectory('session-issuer'),
    tokenLifetimeS,
    logger: pino({ level: 'silent' }),
  });
  let answers = true;
  let tokenRequests = 0;
  const unsteady: DevelopmentIssuer = {
    ...issuer,
    handler: (request, response) => {
      if (!answers) return void request.socket.destroy();
      if (request.url?.endsWith('/token')) tokenRequests += 1;
      issuer.handler(request, response);
    },
  };
  const urls = {
    publicUrl: origin,
    corsOrigins: [origin],
    sandboxHost: `sandbox.localhost:${port}`,
  };
  const source = { url: issuerUrl, tokenOf: () => Promise.reject(new Error('sign in instead')) };
  const common = { issuer: source, urls, ...options };
  const platform = await testPlatform({
    ...common,
    port,
    mount: (app) => developmentIssuerRoutes(app, { issuer: unsteady }),
  });
  return {
    ...platform,
    origin,
    issuerUrl,
    issuerAnswers: (does) => (answers = does),
    tokenRequests: () => tokenRequests,
    alike: () => testPlatform({ ...common, port: 0, databaseUrl: platform.databaseUrl }),
  };
};

export interface Reply {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- what a test expects is the test's own
  readonly body: any;
}

export interface Ask {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  /** Default: the platform of the sign-in. */
  readonly address?: string;
}

/** Cookies and redirects as a browser has them, for one origin. */
export interface BrowserLike {
  readonly jar: Map<string, string>;
  /** `Set-Cookie` headers so far. */
  readonly setCookies: string[];
  /** Every received body and address so far. */
  readonly seen: string[];
  /** Follows no redirect. */
  ask(path: string, ask?: Ask): Promise<Response>;
  /** Like `ask`, for an answer in JSON. */
  read(path: string, ask?: Ask): Promise<Reply>;
  /** Follows redirects. @returns The last answer; `seen` has the earlier ones. */
  walk(path: string, ask?: Ask): Promise<{ readonly url: string; readonly answer: Response }>;
  /** Signs in at the issuer. @returns The final address. */
  signIn(email: string, returnTo?: string): Promise<string>;
}

const HOPS_MAX = 10;

export const browserLike = (origin: string): BrowserLike => {
  const jar = new Map<string, string>();
  const setCookies: string[] = [];
  const seen: string[] = [];

  const ask: BrowserLike['ask'] = async (path, { address = origin, headers, ...init } = {}) => {
    const url = new URL(path, address);
    const cookie = Array.from(jar, ([name, value]) => `${name}=${value}`).join('; ');
    const changes = (init.method ?? 'GET') !== 'GET';
    const answer = await fetch(url, {
      redirect: 'manual',
      ...init,
      headers: {
        ...(cookie === '' ? {} : { cookie }),
        ...(changes ? { 'sec-fetch-site': 'same-origin' } : {}),
        ...headers,
      },
    });
    for (const line of answer.headers.getSetCookie()) {
      setCookies.push(line);
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      if (value === '' || /max-age=0|expires=thu, 01 jan 1970/i.test(line)) jar.delete(name!);
      else jar.set(name!, value!);
    }
    const { headers: received } = answer;
    seen.push(url.href, received.get('location') ?? '', await answer.clone().text());
    return answer;
  };

  const walk: BrowserLike['walk'] = async (path, first = {}) => {
    let url = new URL(path, origin).href;
    let answer = await ask(url, first);
    for (let hop = 0; answer.headers.has('location'); hop += 1) {
      if (hop === HOPS_MAX) throw new Error(`too many redirects, at ${url}`);
      url = new URL(answer.headers.get('location')!, url).href;
      answer = await ask(url);
    }
    return { url, answer };
  };

  return {
    jar,
    setCookies,
    seen,
    ask,
    async read(path, asked) {
      const answer = await ask(path, asked);
      return { status: answer.status, body: await answer.json() };
    },
    walk,
    async signIn(email, returnTo = '/') {
      const begun = await walk(`/session/login?return=${encodeURIComponent(returnTo)}`);
      if (!begun.url.includes('/interaction/')) return begun.url;
      const form = {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ email }).toString(),
      };
      return (await walk(begun.url, form)).url;
    },
  };
};
