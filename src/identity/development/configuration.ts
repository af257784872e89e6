/** The configuration of `oidc-provider` that replaces Keycloak in development. */
import type { Configuration, KoaContextWithOIDC } from 'oidc-provider';
import type { JWK } from 'jose';
import { DEVICE_CODE_LIFETIME_S, SESSION_UNUSED_MAX_S } from './limits.ts';
import {
  accounts,
  AGENT_CLIENT,
  agentRedirects,
  claimsOf,
  CLI_CLIENT,
  machineClaimsOf,
  machineClients,
  PORTAL_CLIENT,
  portalHomes,
  portalRedirects,
} from './accounts.ts';
import {
  deviceCodePage,
  deviceConfirmPage,
  donePage,
  errorPage,
  signedOutPage,
  signOutPage,
} from './pages.ts';
import { developmentStore } from './store.ts';

/** The package, which is loaded only if this issuer runs. */
export type OidcProvider = typeof import('oidc-provider');

export interface IssuerSettings {
  readonly issuer: string;
  readonly key: JWK;
  readonly audience: string;
  readonly tokenLifetimeS: number;
}

/** The default resource of clients: without a resource access tokens would be opaque. */
export const PLATFORM = 'urn:atrium:platform';

export const GRANTED_SCOPES = 'openid offline_access profile email organization';

const YEAR_S = 365 * 24 * 3_600;

export function developmentConfiguration(
  { interactionPolicy, errors }: OidcProvider,
  { issuer, key, audience, tokenLifetimeS }: IssuerSettings,
  cookieKey: string,
): Configuration {
  const { pathname: mount } = new URL(issuer);
  const cookie = { httpOnly: true, sameSite: 'lax', signed: true, path: mount } as const;
  return {
    adapter: developmentStore(),
    clients: clients(issuer),
    jwks: { keys: [key] },
    scopes: GRANTED_SCOPES.split(' '),
    claims: {
      openid: ['sub'],
      profile: ['name', 'preferred_username'],
      email: ['email', 'email_verified'],
      organization: ['organization'],
    },
    responseTypes: ['code'],
    cookies: {
      keys: [cookieKey],
      names: {
        session: 'atrium_dev_session',
        interaction: 'atrium_dev_interaction',
        resume: 'atrium_dev_resume',
      },
      long: cookie,
      short: { httpOnly: true, sameSite: 'lax', signed: true },
    },
    ttl: {
      AccessToken: tokenLifetimeS,
      ClientCredentials: tokenLifetimeS,
      DeviceCode: DEVICE_CODE_LIFETIME_S,
      IdToken: tokenLifetimeS,
      Interaction: DEVICE_CODE_LIFETIME_S,
      Session: SESSION_UNUSED_MAX_S,
      RefreshToken: SESSION_UNUSED_MAX_S,
      // The end of a grant also ends its refresh token, even a recently used one.
      Grant: YEAR_S,
    },
    rotateRefreshToken: true,
    // As in Keycloak, a browser session can be renewed until the sign-out.
    issueRefreshToken: async (_, client, code) =>
      client.grantTypeAllowed('refresh_token') &&
      (client.clientId === PORTAL_CLIENT || code.scopes.has('offline_access')),
    expiresWithSession: () => false,
    // The library refuses addresses of this machine, but this issuer's clients are there.
    fetch: (url, init = {}) => {
      const plain: RequestInit = { ...init };
      delete plain.dispatcher;
      return globalThis.fetch(url, plain);
    },
    findAccount: (_, sub) => {
      const account = accounts.find((candidate) => candidate.sub === sub);
      if (!account) return undefined;
      return {
        accountId: sub,
        claims: () => ({ sub, ...claimsOf(account, ''), typ: undefined, azp: undefined }),
      };
    },
    extraTokenClaims: (_, token) => {
      if (token.kind === 'ClientCredentials') {
        const machine = machineClients.find(({ clientId }) => clientId === token.clientId);
        return machine && machineClaimsOf(machine);
      }
      const account = accounts.find(({ sub }) => sub === token.accountId);
      return account && claimsOf(account, token.clientId ?? '');
    },
    interactions: {
      url: (_, { uid }) => `${mount}/interaction/${uid}`,
      policy: [
        new interactionPolicy.Prompt(
          { name: 'login', requestable: true },
          new interactionPolicy.Check(
            'asked',
            'Sign-in is required.',
            'login_required',
            mustSignIn,
          ),
        ),
        new interactionPolicy.Prompt({ name: 'consent', requestable: true }),
      ],
    },
    // All clients are first-party, so signing in implies consent. Each sign-in has its own grant,
    // because reusing a device code revokes its grant.
    loadExistingGrant: async ({ oidc }) => {
      const { account, client, provider } = oidc;
      if (!account || !client) return undefined;
      const grant = new provider.Grant({
        accountId: account.accountId,
        clientId: client.clientId,
      });
      grant.addOIDCScope(GRANTED_SCOPES);
      await grant.save();
      return grant;
    },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      revocation: {
        enabled: true,
        allowedPolicy: async (_, client, token) => token.clientId === client.clientId,
      },
      backchannelLogout: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => PLATFORM,
        useGrantedResource: () => true,
        getResourceServerInfo: (_, resource) => {
          if (resource !== PLATFORM && !isServedAt(resource, issuer))
            throw new errors.InvalidTarget();
          return {
            scope: '',
            audience,
            accessTokenFormat: 'jwt',
            accessTokenTTL: tokenLifetimeS,
          };
        },
      },
      deviceFlow: {
        enabled: true,
        userCodeInputSource: (ctx, form, _, error) => {
          ctx.body = deviceCodePage(form, error && deviceTrouble(error));
        },
        userCodeConfirmSource: (ctx, form, client, _, userCode) => {
          ctx.body = deviceConfirmPage(form, client.clientName ?? client.clientId, userCode);
        },
        successSource: (ctx) => {
          ctx.body = donePage(clientName(ctx));
        },
      },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (ctx, form) => {
          ctx.body = signOutPage(form);
        },
        postLogoutSuccessSource: (ctx) => {
          ctx.body = signedOutPage();
        },
      },
    },
    renderError: (ctx, out) => {
      ctx.type = 'html';
      ctx.body = errorPage(out.error, out.error_description ?? 'Start again, please.');
    },
  };
}

/**
 * Whether `resource` is the API or the tools of this server or of a sandbox, as their metadata
 * names it (RFC 9728). Tokens are the same for all of them.
 */
const isServedAt = (resource: string, issuer: string): boolean => {
  const [asked, own] = [URL.parse(resource), new URL(issuer)];
  if (asked === null || asked.protocol !== own.protocol) return false;
  const isSandbox = asked.hostname.endsWith('.localhost') && asked.port === own.port;
  const isRoute = ['/', '/mcp'].includes(asked.pathname) && asked.search === '';
  return isRoute && (asked.host === own.host || isSandbox);
};

/** A device always requires a sign-in; the portal may reuse the session. */
const mustSignIn = ({ oidc }: KoaContextWithOIDC): boolean =>
  oidc.result?.login === undefined &&
  (oidc.session?.accountId === undefined || /^(code|device)_/.test(oidc.route));

const clientName = ({ oidc }: KoaContextWithOIDC): string =>
  oidc.client?.clientName ?? oidc.client?.clientId ?? 'The application';

const deviceTrouble = (error: Error): string => {
  if (error.name === 'AbortedError') return 'The sign-in was cancelled.';
  if (error.name === 'AlreadyUsedError') return 'This code has been used.';
  if (error.name === 'ExpiredError') return 'This code has expired: ask for another.';
  if (['NoCodeError', 'NotFoundError'].includes(error.name)) return 'No device shows this code.';
  return 'That did not work. Start again, please.';
};

const clients = (issuer: string): Configuration['clients'] => [
  {
    client_id: CLI_CLIENT,
    client_name: 'Atrium command line',
    application_type: 'native',
    token_endpoint_auth_method: 'none',
    grant_types: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
    response_types: [],
    redirect_uris: [],
  },
  {
    client_id: PORTAL_CLIENT,
    client_name: 'Atrium portal',
    application_type: 'native',
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    redirect_uris: portalRedirects(issuer),
    post_logout_redirect_uris: portalHomes(issuer),
    backchannel_logout_uri: `${new URL(issuer).origin}/session/backchannel-logout`,
    backchannel_logout_session_required: true,
  },
  {
    client_id: AGENT_CLIENT,
    client_name: 'A program with tools',
    application_type: 'native',
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    redirect_uris: [...agentRedirects],
  },
  ...machineClients.map(({ clientId, secret }) => ({
    client_id: clientId,
    client_secret: secret,
    grant_types: ['client_credentials'],
    response_types: [],
    redirect_uris: [],
  })),
];
