/**
 * The requests below the issuer's path: three are handled here (the sign-in page, approval of a
 * device without a browser, a token without a sign-in), the others by `oidc-provider`. It is loaded
 * for the first request that needs it, which token checks do not.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { importJWK, SignJWT } from 'jose';
import type { Provider } from 'oidc-provider';
import type { BaseLogger } from 'pino';
import { DEVELOPMENT_FORM_BYTES_MAX } from './limits.ts';
import { accountOf, accounts, claimsOf, type Account } from './accounts.ts';
import { GRANTED_SCOPES, PLATFORM, type IssuerSettings } from './configuration.ts';
import { publishedDocuments } from './published-documents.ts';
import { errorPage, pageHeaders, pagePolicy, signInPage } from './pages.ts';
import { isLoopbackHost } from '../loopback.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;
type Form = ReadonlyMap<string, string>;

const emails = accounts.map(({ email }) => email);

export function developmentRequests(
  provided: () => Promise<Provider>,
  settings: IssuerSettings,
  logger: Pick<BaseLogger, 'error'>,
): Handler {
  const published = new URL(settings.issuer);
  const mount = published.pathname;
  const documents = publishedDocuments(settings);

  const signIn = async (request: IncomingMessage, response: ServerResponse) => {
    const provider = await provided();
    const interaction = await provider.interactionDetails(request, response);
    const { params, session } = interaction;
    const client = await provider.Client.find(String(params['client_id']));
    const show = (status: number, wrong: { email?: string; wrong?: string } = {}) => {
      const name = client?.clientName ?? 'the application';
      // Browsers apply `form-action` also to the redirect after the form.
      const target = URL.parse(String(params['redirect_uri']))?.origin;
      response.setHeader('content-security-policy', pagePolicy(target ? [target] : []));
      response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' });
      response.end(signInPage({ client: name, emails, ...wrong }));
    };
    if (request.method !== 'POST') return show(200);
    const email = (await formOf(request)).get('email') ?? '';
    const account = accountOf(email);
    if (!account) return show(422, { email, wrong: 'No account has this address.' });
    const result = { login: { accountId: account.sub, amr: ['user'] }, consent: {} };
    const location = await provider.interactionResult(request, response, result);
    if (session?.accountId !== undefined && session.accountId !== account.sub) {
      await forget(provider, session.uid);
    }
    response.writeHead(303, { location }).end();
  };

  const approve = async (request: IncomingMessage, response: ServerResponse) => {
    const form = await formOf(request);
    const account = knownAccount(form);
    await approveDevice(await provided(), form.get('user_code') ?? '', account);
    json(response, 200, { approved: true, email: account.email });
  };

  const giveToken = async (request: IncomingMessage, response: ServerResponse) => {
    const account = knownAccount(await formOf(request));
    json(response, 200, await tokenFor(account, settings));
  };

  let callback: ReturnType<Provider['callback']> | null = null;
  const library = async (request: IncomingMessage, response: ServerResponse) => {
    const provider = await provided();
    callback ??= provider.callback();
    await callback(asPublished(request, published), response);
  };

  const own = async (request: IncomingMessage, response: ServerResponse, path: string) => {
    if (/^\/interaction\/[\w-]+$/.test(path)) return signIn(request, response);
    if (request.method !== 'POST') throw new Problem(405, 'METHOD_NOT_ALLOWED', 'Only POST.');
    // Another site's page must not be able to sign in its visitor's device.
    const site = request.headers['sec-fetch-site'] ?? 'none';
    if (site !== 'none' && site !== 'same-origin') {
      throw new Problem(403, 'CROSS_SITE', 'The request came from a page of another site.');
    }
    return path === '/approve' ? approve(request, response) : giveToken(request, response);
  };

  return (request, response): void => {
    for (const [name, value] of Object.entries(pageHeaders)) response.setHeader(name, value);
    const { url = '/', headers } = request;
    const named = URL.parse(`http://${headers.host ?? ''}`);
    if (!named || !(isLoopbackHost(named.hostname) || named.hostname === published.hostname)) {
      // Others could point such a name at this machine (DNS rebinding).
      return problem(
        response,
        new Problem(421, 'MISDIRECTED', 'This server does not serve this host.'),
      );
    }
    const path = url.slice(mount.length).replace(/\?.*$/s, '');
    if (!url.startsWith(`${mount}/`)) {
      return problem(response, new Problem(404, 'NOT_FOUND', 'There is no page at this address.'));
    }
    if (
      request.method === 'GET' &&
      named.host !== published.host &&
      /^\/(auth|device)$/.test(path)
    ) {
      // The sign-in's cookies are valid only for the published host, to which its pages lead.
      response.writeHead(307, { location: `${published.origin}${url}` }).end();
      return;
    }
    const document = request.method === 'GET' ? documents.get(path) : undefined;
    // The library handles requests of other origins' pages (CORS).
    if (document && headers.origin === undefined) {
      response.writeHead(200, document.headers).end(document.body);
      return;
    }
    const isOwn = /^\/(interaction\/[^/]*|approve|dev-token)$/.test(path);
    (isOwn ? own(request, response, path) : library(request, response)).catch((error: unknown) => {
      if (response.headersSent) return response.destroy();
      if (isExpired(error)) {
        response.writeHead(400, { 'content-type': 'text/html; charset=utf-8' });
        return response.end(errorPage('This sign-in has expired.', 'Start again, please.'));
      }
      if (!(error instanceof Problem)) logger.error({ err: error }, 'development issuer failed');
      return problem(response, error);
    });
  };
}

/**
 * The request rewritten for the library: relative to its mount, and addressed to `PUBLIC_URL`,
 * because it derives its endpoints from the request's address while its `iss` is fixed.
 */
function asPublished(request: IncomingMessage, published: URL): IncomingMessage {
  const { url = '/' } = request;
  const host = published.host;
  Object.assign(request.headers, { host, 'x-forwarded-host': host });
  request.headers['x-forwarded-proto'] = published.protocol.slice(0, -1);
  Object.assign(request, { originalUrl: url, url: url.slice(published.pathname.length) });
  return request;
}

/** Signs out the browser's previous account, so that another may sign in. */
async function forget(provider: Provider, sessionUid: string) {
  const session = await provider.Session.findByUid(sessionUid);
  if (!session) return;
  delete session.accountId;
  session.authorizations = {};
  await session.persist();
}

/** Approves the device code as a sign-in in the browser would. */
async function approveDevice(provider: Provider, userCode: string, { sub }: Account) {
  const typed = userCode.toUpperCase().replaceAll(/[^A-Z]/g, '');
  const code = await provider.DeviceCode.findByUserCode(typed, { ignoreExpiration: true });
  if (!code) throw new Problem(404, 'NOT_FOUND', 'No device shows this code.');
  if (code.isExpired) throw new Problem(400, 'CODE_EXPIRED', 'This code has expired.');
  if (code.accountId !== undefined || code.error !== undefined) {
    throw new Problem(409, 'CONFLICT', 'This code has been used.');
  }
  const scope = code.params?.['scope'];
  const grant = new provider.Grant({ accountId: sub, clientId: String(code.clientId) });
  grant.addOIDCScope(GRANTED_SCOPES);
  Object.assign(code, {
    accountId: sub,
    amr: ['user'],
    authTime: Math.floor(Date.now() / 1_000),
    grantId: await grant.save(),
    scope: typeof scope === 'string' ? scope : 'openid',
    resource: PLATFORM,
  });
  await code.save();
}

async function tokenFor(
  account: Account,
  { issuer, key, audience, tokenLifetimeS }: IssuerSettings,
) {
  const clientId = 'atrium-dev-token';
  const token = await new SignJWT({ ...claimsOf(account, clientId), client_id: clientId })
    .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: String(key.kid) })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject(account.sub)
    .setJti(crypto.randomUUID())
    .setIssuedAt()
    .setExpirationTime(`${tokenLifetimeS} s`)
    .sign(await importJWK(key, 'RS256'));
  return { access_token: token, expires_in: tokenLifetimeS, token_type: 'Bearer' };
}

/** A refusal of these endpoints, in the format of Atrium's problem details. */
class Problem extends Error {
  readonly status: number;
  readonly code: string;
  readonly extra: Readonly<Record<string, unknown>>;
  constructor(status: number, code: string, detail: string, extra = {}) {
    super(detail);
    this.status = status;
    this.code = code;
    this.extra = extra;
  }
}

function problem(response: ServerResponse, error: unknown) {
  const { status, code, message, extra } =
    error instanceof Problem ? error : new Problem(500, 'INTERNAL', 'An internal error occurred.');
  const title = code.toLowerCase().replaceAll('_', ' ');
  json(response, status, { type: 'about:blank', title, status, detail: message, code, ...extra });
}

const json = (response: ServerResponse, status: number, body: object) => {
  const type = status < 400 ? 'application/json' : 'application/problem+json';
  response.writeHead(status, { 'content-type': type }).end(JSON.stringify(body));
};

function knownAccount(form: Form): Account {
  const account = accountOf(form.get('email') ?? '');
  if (account) return account;
  throw new Problem(
    404,
    'NOT_FOUND',
    `No account has this address. Accounts: ${emails.join(', ')}`,
    {
      known: emails,
    },
  );
}

/** Reads a small body, as a form or as JSON; members that are not text are ignored. */
async function formOf(request: IncomingMessage): Promise<Form> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    const part = chunk as Buffer;
    bytes += part.length;
    if (bytes > DEVELOPMENT_FORM_BYTES_MAX) {
      throw new Problem(413, 'PAYLOAD_TOO_LARGE', 'The body is too large.');
    }
    chunks.push(part);
  }
  const body = Buffer.concat(chunks).toString('utf8');
  const type = request.headers['content-type']?.replace(/;.*$/s, '').trim();
  if (type === 'application/json') return new Map(Object.entries(texts(body)));
  if (type === 'application/x-www-form-urlencoded') return new Map(new URLSearchParams(body));
  throw new Problem(415, 'UNSUPPORTED_MEDIA_TYPE', 'Send a form or JSON.');
}

function texts(body: string): Record<string, string> {
  try {
    const members = Object.entries(Object(JSON.parse(body)) as Record<string, unknown>);
    return Object.fromEntries(
      members.filter((m): m is [string, string] => typeof m[1] === 'string'),
    );
  } catch {
    throw new Problem(400, 'VALIDATION_FAILED', 'The body is not valid JSON.');
  }
}

/** The library's error for an expired interaction, or one that another browser has started. */
const isExpired = (error: unknown): boolean =>
  error instanceof Error && error.name === 'SessionNotFound';
