/** The realm of docker-compose, compared with the development issuer. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  accounts,
  AGENT_CLIENT,
  agentRedirects,
  CLI_CLIENT,
  machineClients,
  organisations,
  PORTAL_CLIENT,
} from '../../src/identity/development/accounts.ts';
import { SESSION_AGE_MAX_MS, SESSION_IDLE_MAX_MS } from '../../src/identity/sessions/limits.ts';
import { roles } from '../../src/identity/permissions.ts';

interface Realm {
  realm: string;
  organizationsEnabled: boolean;
  offlineSessionIdleTimeout: number;
  offlineSessionMaxLifespanEnabled: boolean;
  ssoSessionIdleTimeout: number;
  ssoSessionMaxLifespan: number;
  revokeRefreshToken: boolean;
  refreshTokenMaxReuse: number;
  roles: { realm: { name: string }[] };
  organizations: { alias: string; members: { username: string }[] }[];
  users: {
    id?: string;
    username: string;
    email?: string;
    realmRoles: string[];
    serviceAccountClientId?: string;
  }[];
  clients: {
    clientId: string;
    secret?: string;
    publicClient: boolean;
    redirectUris?: string[];
    attributes: Record<string, string>;
    defaultClientScopes: string[];
    optionalClientScopes: string[];
    protocolMappers: { protocolMapper: string; config: Record<string, string> }[];
  }[];
}

const realm = JSON.parse(readFileSync('ops/keycloak/atrium-realm.json', 'utf8')) as Realm;
const clientOf = (id: string) => realm.clients.find(({ clientId }) => clientId === id)!;

describe('the Keycloak realm', () => {
  it('has the name in docker-compose, and the platform roles', () => {
    expect(realm).toMatchObject({ realm: 'atrium', organizationsEnabled: true });
    expect(realm.roles.realm.map(({ name }) => name)).toEqual([...roles]);
  });

  it('has the same users, under the same subjects, in the same organisations', () => {
    const people = realm.users.filter(({ serviceAccountClientId }) => !serviceAccountClientId);
    expect(people.map(({ id, email, realmRoles }) => ({ id, email, realmRoles }))).toEqual(
      accounts.map(({ sub, email, roles }) => ({
        id: sub,
        email,
        realmRoles: [...roles, 'offline_access'],
      })),
    );
    expect(
      realm.organizations.map(({ alias, members }) => [alias, members.map((m) => m.username)]),
    ).toEqual(
      organisations.map((alias) => [
        alias,
        accounts.filter((a) => a.organisation === alias).map(({ email }) => email),
      ]),
    );
  });

  it('has the same clients, whose tokens have the audience of Atrium', () => {
    expect(realm.clients.map(({ clientId }) => clientId)).toEqual([
      CLI_CLIENT,
      PORTAL_CLIENT,
      AGENT_CLIENT,
      ...machineClients.map(({ clientId }) => clientId),
    ]);
    for (const { clientId, protocolMappers, attributes } of realm.clients) {
      const audiences = protocolMappers.filter((m) => m.protocolMapper === 'oidc-audience-mapper');
      expect([clientId, audiences.map((m) => m.config['included.custom.audience'])]).toEqual([
        clientId,
        ['atrium'],
      ]);
      expect(attributes['access.token.header.type.rfc9068']).toBe('true');
    }
  });

  it.each([CLI_CLIENT, PORTAL_CLIENT, AGENT_CLIENT])('lets %s request `organization`', (id) => {
    // `basic` adds `sub`, and `roles` adds `realm_access`.
    expect(clientOf(id).defaultClientScopes).toEqual(expect.arrayContaining(['basic', 'roles']));
    expect(clientOf(id).optionalClientScopes).toEqual(['offline_access', 'organization']);
  });

  it('redirects MCP clients only to this machine', () =>
    expect(clientOf(AGENT_CLIENT)).toMatchObject({
      publicClient: true,
      redirectUris: agentRedirects,
      attributes: { 'pkce.code.challenge.method': 'S256' },
    }));

  it.each(machineClients)('gives $clientId its organisation and roles', (machine) => {
    const { clientId, secret, organisation, roles } = machine;
    const client = clientOf(clientId);
    expect([client.secret, client.publicClient]).toEqual([secret, false]);
    // `profile` adds the name `service-account-…`, which marks a token as not of a person.
    expect(client.defaultClientScopes).toEqual(['basic', 'roles', 'profile']);
    expect(
      client.protocolMappers.find((m) => m.config['claim.name'] === 'organization')?.config,
    ).toMatchObject({ 'claim.value': organisation, 'access.token.claim': 'true' });
    expect(realm.users.find((u) => u.serviceAccountClientId === clientId)).toMatchObject({
      username: `service-account-${clientId}`,
      realmRoles: roles,
    });
  });

  it('defines no client scopes, or Keycloak would not create its own', () =>
    expect(realm).not.toHaveProperty('clientScopes'));

  it('has sessions as long as those of browsers, rotation, and back-channel sign-out', () => {
    expect(realm).toMatchObject({
      ssoSessionIdleTimeout: SESSION_IDLE_MAX_MS / 1_000,
      ssoSessionMaxLifespan: SESSION_AGE_MAX_MS / 1_000,
      revokeRefreshToken: true,
      refreshTokenMaxReuse: 0,
    });
    const { redirectUris, attributes } = clientOf(PORTAL_CLIENT);
    expect(redirectUris).toEqual(['http://localhost:4000/session/callback']);
    expect(attributes).toMatchObject({
      'pkce.code.challenge.method': 'S256',
      'post.logout.redirect.uris': 'http://localhost:4000/',
      'backchannel.logout.url': 'http://localhost:4000/session/backchannel-logout',
      'backchannel.logout.session.required': 'true',
    });
  });

  it('keeps a command line signed in until 30 days unused', () =>
    expect(realm).toMatchObject({
      offlineSessionIdleTimeout: 30 * 24 * 3_600,
      offlineSessionMaxLifespanEnabled: false,
    }));
});
