/** The realm of docker-compose against the development issuer, which people learn Atrium with. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  accounts,
  CLI_CLIENT,
  machineClients,
  organisations,
  PORTAL_CLIENT,
} from '../../src/identity/development/accounts.ts';
import { roles } from '../../src/identity/permissions.ts';

interface Realm {
  realm: string;
  organizationsEnabled: boolean;
  offlineSessionIdleTimeout: number;
  offlineSessionMaxLifespanEnabled: boolean;
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
    attributes: Record<string, string>;
    defaultClientScopes: string[];
    optionalClientScopes: string[];
    protocolMappers: { protocolMapper: string; config: Record<string, string> }[];
  }[];
}

const realm = JSON.parse(readFileSync('ops/keycloak/atrium-realm.json', 'utf8')) as Realm;
const clientOf = (id: string) => realm.clients.find(({ clientId }) => clientId === id)!;

describe('the Keycloak realm', () => {
  it('is named as docker-compose names it, and knows our roles', () => {
    expect(realm).toMatchObject({ realm: 'atrium', organizationsEnabled: true });
    expect(realm.roles.realm.map(({ name }) => name)).toEqual([...roles]);
  });

  it('has the same people, under the same subjects, in the same organisations', () => {
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

  it('has the same clients, all of whose tokens are for us', () => {
    expect(realm.clients.map(({ clientId }) => clientId)).toEqual([
      CLI_CLIENT,
      PORTAL_CLIENT,
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

  it.each([CLI_CLIENT, PORTAL_CLIENT])('lets %s ask for the organisation', (id) => {
    // `basic` is what carries `sub`, `roles` what carries `realm_access`.
    expect(clientOf(id).defaultClientScopes).toEqual(expect.arrayContaining(['basic', 'roles']));
    expect(clientOf(id).optionalClientScopes).toEqual(['offline_access', 'organization']);
  });

  it.each(machineClients)('gives $clientId its organisation and roles', (machine) => {
    const { clientId, secret, organisation, roles } = machine;
    const client = clientOf(clientId);
    expect([client.secret, client.publicClient]).toEqual([secret, false]);
    // `profile` carries the name `service-account-…`, by which we see that it is no person.
    expect(client.defaultClientScopes).toEqual(['basic', 'roles', 'profile']);
    expect(
      client.protocolMappers.find((m) => m.config['claim.name'] === 'organization')?.config,
    ).toMatchObject({ 'claim.value': organisation, 'access.token.claim': 'true' });
    expect(realm.users.find((u) => u.serviceAccountClientId === clientId)).toMatchObject({
      username: `service-account-${clientId}`,
      realmRoles: roles,
    });
  });

  it('brings no client scopes along, or Keycloak would not create its own', () =>
    expect(realm).not.toHaveProperty('clientScopes'));

  it('keeps a command line signed in until 30 days unused', () =>
    expect(realm).toMatchObject({
      offlineSessionIdleTimeout: 30 * 24 * 3_600,
      offlineSessionMaxLifespanEnabled: false,
    }));
});
