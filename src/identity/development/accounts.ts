/**
 * The accounts of the development issuer: two organisations with a user of every role, an operator
 * without organisation, the command line, the portal and a machine for each organisation. The realm
 * of `ops/keycloak` has the same accounts, with the same subjects.
 */
import { v5 as uuidFrom } from 'uuid';
import { isLoopbackHost } from '../loopback.ts';
import type { Role } from '../permissions.ts';

export interface Account {
  /** UUIDv5 of the e-mail address: the same in every installation, and through restarts. */
  readonly sub: string;
  readonly email: string;
  readonly name: string;
  readonly organisation: string | null;
  readonly roles: readonly Role[];
}

export interface MachineClient {
  readonly clientId: string;
  /** Public, and worthless outside development. */
  readonly secret: string;
  readonly organisation: string;
  readonly roles: readonly Role[];
}

export const organisations = ['acme', 'globex'] as const;

const USERS: readonly (readonly [string, Role])[] = [
  ['manager', 'manager'],
  ['developer', 'developer'],
  ['developer2', 'developer'],
  ['agent', 'agent'],
  ['auditor', 'auditor'],
  ['viewer', 'viewer'],
  ['requester', 'requester'],
  ['requester2', 'requester'],
];

const account = (email: string, organisation: string | null, role: Role): Account => ({
  sub: uuidFrom(email, SUBJECTS),
  email,
  name: [organisation, email.slice(0, email.indexOf('@'))].filter(Boolean).map(titled).join(' '),
  organisation,
  roles: [role],
});

const titled = (word: string | null): string =>
  word === null ? '' : word.charAt(0).toUpperCase() + word.slice(1);

const SUBJECTS = '3f0d3a0e-5b0c-4b6e-9d4e-7a1f5c2b8e60';

export const accounts: readonly Account[] = [
  ...organisations.flatMap((organisation) =>
    USERS.map(([user, role]) => account(`${user}@${organisation}.test`, organisation, role)),
  ),
  account('operator@atrium.test', null, 'operator'),
];

/** Case-insensitive; `undefined` for an unknown account. */
export const accountOf = (email: string): Account | undefined =>
  accounts.find((account) => account.email === email.trim().toLowerCase());

/** A CAFM bridge: it mirrors tickets, sends values and telemetry, and uses the bus. */
export const machineClients: readonly MachineClient[] = organisations.map((organisation) => ({
  clientId: `${organisation}-bridge`,
  secret: 'atrium-demo',
  organisation,
  roles: ['integration'],
}));

export const CLI_CLIENT = 'atrium-cli';
export const PORTAL_CLIENT = 'atrium-portal';
/** Programs with a language model, which call tools at `/mcp`. */
export const AGENT_CLIENT = 'atrium-agent';

/** Keycloak's spelling of an account in a token. */
export const claimsOf = (account: Account, clientId: string) => ({
  typ: 'Bearer',
  azp: clientId,
  name: account.name,
  preferred_username: account.email,
  email: account.email,
  email_verified: true,
  realm_access: { roles: [...account.roles] },
  ...(account.organisation === null ? {} : { organization: [account.organisation] }),
});

export const machineClaimsOf = ({ clientId, organisation, roles }: MachineClient) => ({
  typ: 'Bearer',
  azp: clientId,
  preferred_username: `service-account-${clientId}`,
  realm_access: { roles: [...roles] },
  organization: [organisation],
});

/** Redirect URIs of a sign-in: under `PUBLIC_URL`, and on this machine at any port. */
export const portalRedirects = (publicUrl: string): string[] =>
  portalOrigins(publicUrl).map((at) => `${at}/session/callback`);

/** Redirect URIs of programs on this machine, at any port, with their common paths. */
export const agentRedirects: readonly string[] = ['http://localhost', 'http://127.0.0.1'].flatMap(
  (at) => [`${at}/callback`, `${at}/oauth/callback`],
);

/** Redirect URIs of a sign-out. */
export const portalHomes = (publicUrl: string): string[] =>
  portalOrigins(publicUrl).map((at) => `${at}/`);

const portalOrigins = (publicUrl: string): readonly string[] => {
  const { protocol, hostname, origin } = new URL(publicUrl);
  const origins = ['http://localhost', 'http://127.0.0.1', 'http://[::1]'];
  if (protocol === 'https:' || isLoopbackHost(hostname)) origins.unshift(origin);
  return [...new Set(origins)];
};
