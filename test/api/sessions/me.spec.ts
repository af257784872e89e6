import { expect, it } from 'vitest';
import { permissionsOf } from '../../../src/identity/permissions.ts';
import { testApi } from '../../support/api/api.ts';

const ME = '/api/v1/me';
const KEYS = '/api/v1/keys';
const platform = testApi();

it('publishes the authorization servers of accepted tokens (RFC 9728)', async () => {
  const { status, body } = await platform.as(null).get('/.well-known/oauth-protected-resource');
  expect([status, body]).toEqual([
    200,
    {
      resource: 'http://atrium.test',
      authorization_servers: [platform.issuer.url],
      scopes_supported: ['openid', 'offline_access', 'organization'],
      bearer_methods_supported: ['header'],
    },
  ]);
});

it.each(['manager', 'developer', 'agent', 'auditor', 'viewer'])(
  'returns the identity and permissions of a session with the role %s',
  async (role) => {
    const { status, body } = await platform.as(`${role}@acme.test`).get(ME);
    expect([status, body]).toEqual([
      200,
      {
        actor: expect.objectContaining({ kind: 'user', id: expect.any(String) }),
        organisation: 'acme',
        roles: [role],
        permissions: expect.arrayContaining([...permissionsOf([role])]),
        credential: 'session',
      },
    ]);
    expect(body.permissions).toHaveLength(permissionsOf([role]).size);
  },
);

it('returns no organisation for an operator', async () => {
  const { body } = await platform.as('operator@atrium.test').get(ME);
  expect(body).toMatchObject({ organisation: null, roles: ['operator'], credential: 'session' });
});

it.each(['sandbox', 'publish', 'full'])('returns the scope of a key, %s', async (scope) => {
  const manager = platform.as('manager@acme.test');
  const { body: key } = await manager.post(KEYS, { label: scope, scope });
  const { status, body } = await platform.with(key.token).get(ME);
  expect([status, body]).toMatchObject([
    200,
    {
      actor: { kind: 'key', id: key.keyId, name: scope },
      organisation: 'acme',
      roles: [],
      credential: 'key',
      scope,
    },
  ]);
  const { body: audit } = await manager.get(`${KEYS}/audit?keyId=${key.keyId}&action=key.used`);
  expect(audit.items).toMatchObject([{ outcome: 'allowed', route: 'GET /api/v1/me' }]);
  await manager.delete(`${KEYS}/${key.keyId}`);
  expect((await platform.with(key.token).get(ME)).body.code).toBe('KEY_REVOKED');
});

it('answers 401 without a valid credential', async () =>
  expect((await platform.as(null).get(ME)).status).toBe(401));
