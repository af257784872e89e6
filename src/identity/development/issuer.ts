/**
 * An OpenID Connect issuer inside the process, which allows signing in to a clean checkout. It has
 * demo users without passwords, and so never runs in production or on an address that others can
 * reach (contract.md section 2). Its tokens have the form of Keycloak's.
 */
import { randomBytes } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { errors, Provider } from 'oidc-provider';
import type { BaseLogger } from 'pino';
import { DEVELOPMENT_TOKEN_LIFETIME_S } from './limits.ts';
import { PORTAL_CLIENT } from './accounts.ts';
import { developmentConfiguration, type IssuerSettings } from './configuration.ts';
import { developmentKey } from './key.ts';
import { developmentRequests } from './requests.ts';
import { isLoopbackHost } from '../loopback.ts';

export interface DevelopmentIssuerOptions {
  /**
   * The issuer's URL, such as `http://localhost:4000/dev/oidc`; it is mounted at this path.
   */
  readonly url: string;
  /** The directory of its signing key. */
  readonly dataDirectory: string;
  /** Audience of access tokens. Default `atrium`. */
  readonly audience?: string;
  /** Lifetime of access tokens. Default {@link DEVELOPMENT_TOKEN_LIFETIME_S}. */
  readonly tokenLifetimeS?: number;
  readonly logger: Pick<BaseLogger, 'debug' | 'error'>;
  /** Throws if the package `oidc-provider` is not installed. Default: resolves the package. */
  readonly find?: () => unknown;
}

export interface DevelopmentIssuer {
  readonly issuer: string;
  /** Handles every request below the path of `url`, with its unread body and its full URL. */
  readonly handler: (request: IncomingMessage, response: ServerResponse) => void;
  /** Answers every later request with 503. */
  close(): void;
}

/**
 * One line with the reason why the development issuer may not run here; `null` if it may.
 *
 * @param host The listener's address.
 */
export function developmentIssuerRefusal(where: {
  readonly environment: 'development' | 'production';
  readonly host: string;
}): string | null {
  if (where.environment === 'production') {
    return 'OIDC_ISSUER must be set in production: the development issuer asks no passwords';
  }
  if (isLoopbackHost(where.host)) return null;
  return (
    `OIDC_ISSUER must be set where HOST is not loopback (it is ${where.host}): ` +
    'the development issuer asks no passwords'
  );
}

/** @throws {Error} in one line, if the package `oidc-provider` is not installed. */
export async function developmentIssuer(
  options: DevelopmentIssuerOptions,
): Promise<DevelopmentIssuer> {
  const { logger } = options;
  mustBeInstalled(options.find ?? (() => createRequire(import.meta.url).resolve('oidc-provider')));
  const settings = {
    issuer: options.url.replace(/\/$/, ''),
    key: await developmentKey(options.dataDirectory),
    audience: options.audience ?? 'atrium',
    tokenLifetimeS: options.tokenLifetimeS ?? DEVELOPMENT_TOKEN_LIFETIME_S,
  };
  let provider: Promise<Provider> | null = null;
  // Loaded on demand: 230 modules, which neither the start nor a token without a sign-in needs.
  const provided = () => (provider ??= providerOf(settings, logger));
  let closed = false;
  const handler = developmentRequests(provided, settings, logger);
  return {
    issuer: settings.issuer,
    handler(request, response) {
      if (closed) response.writeHead(503, { 'retry-after': '1' }).end();
      else handler(request, response);
    },
    close() {
      closed = true;
    },
  };
}

async function providerOf(
  settings: IssuerSettings,
  logger: DevelopmentIssuerOptions['logger'],
): Promise<Provider> {
  const library = await import('oidc-provider');
  const provider = new library.Provider(
    settings.issuer,
    developmentConfiguration(library, settings, randomBytes(32).toString('base64url')),
  );
  acceptSandboxes(provider);
  // Pages and endpoints name PUBLIC_URL, whatever the requested host and proxy: see `asPublished`.
  provider.proxy = true;
  // Pending and refused grants are normal, and answers omit the reason: log it at debug level.
  const debug = (what: string) => (_: unknown, error: errors.OIDCProviderError) =>
    logger.debug({ reason: error.error_detail ?? error.message }, `development issuer: ${what}`);
  provider.on('grant.error', debug('no token given'));
  provider.on('authorization.error', debug('not authorised'));
  provider.on('server_error', (_: unknown, error: Error) =>
    logger.error({ err: error }, 'development issuer: server_error'),
  );
  // Without a listener Koa prints errors that it could not answer, such as broken connections.
  const events: EventEmitter = provider;
  events.on('error', (error: Error) =>
    logger.debug({ reason: error.message }, 'development issuer: not answered'),
  );
  return provider;
}

/** Accepts redirect URIs of sandboxes, whose names on this machine (RFC 6761) cannot be listed. */
function acceptSandboxes({ Client }: Provider) {
  const { redirectUriAllowed, postLogoutRedirectUriAllowed } = Client.prototype;
  Client.prototype.redirectUriAllowed = function allowed(value) {
    return leadsToSandbox(this, value, '/session/callback') || redirectUriAllowed.call(this, value);
  };
  Client.prototype.postLogoutRedirectUriAllowed = function allowed(value) {
    return leadsToSandbox(this, value, '/') || postLogoutRedirectUriAllowed.call(this, value);
  };
}

function leadsToSandbox({ clientId }: { readonly clientId: string }, uri: string, path: string) {
  const url = clientId === PORTAL_CLIENT ? URL.parse(uri) : null;
  return (
    url !== null &&
    url.protocol === 'http:' &&
    url.hostname.endsWith('.localhost') &&
    uri === url.origin + path
  );
}

function mustBeInstalled(find: () => unknown): void {
  try {
    find();
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'MODULE_NOT_FOUND')) {
      throw cause;
    }
    throw new Error(
      'The development issuer needs the package oidc-provider, ' +
        'which is installed for development only: set OIDC_ISSUER',
      { cause },
    );
  }
}
