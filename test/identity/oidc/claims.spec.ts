import { describe, expect, it } from 'vitest';
import { OrganisationRequired } from '../../../src/identity/caller.ts';
import { callerFrom } from '../../../src/identity/oidc/claims.ts';

const claims = (more: Record<string, unknown> = {}) => ({
  sub: '7d0a6c0e-2a57-4c58-9d5e-0d7a4e6f3b11',
  organization: 'acme',
  realm_access: { roles: ['agent'] },
  ...more,
});

describe('the organisation', () => {
  it.each([
    ['text', 'acme'],
    ['a list', ['acme']],
    ['an object', { acme: { id: '42' } }],
    ['a list that repeats it', ['acme', 'acme']],
  ])('is the alias, as %s', (_, organization) =>
    expect(callerFrom(claims({ organization })).organisation).toBe('acme'),
  );

  it.each([undefined, null, '', [], {}, 7, true, [7], [['acme']], ['acme', 'globex']])(
    'is required, and %j is rejected',
    (organization) =>
      expect(() => callerFrom(claims({ organization }))).toThrow(OrganisationRequired),
  );

  it.each(['a', 'Acme-2_x.y', '42', 'constructor', 'x'.repeat(64)])('may be %s', (organization) =>
    expect(callerFrom(claims({ organization })).organisation).toBe(organization),
  );

  it.each([
    { acme: {}, globex: {} },
    JSON.parse('{"__proto__":{}}') as object,
    '__proto__',
    ['__proto__'],
    'ac me',
    'acme\n',
    'ac\0me',
    'ac/me',
    'ácme',
    '-acme',
    '.acme',
    '\ud800',
    'x'.repeat(65),
  ])('is one alias, not %j', (organization) =>
    expect(() => callerFrom(claims({ organization }))).toThrow(OrganisationRequired),
  );

  describe('of an operator', () => {
    const operator = (roles: string[], organization?: unknown) =>
      callerFrom(claims({ organization, realm_access: { roles } }));

    it('may be absent', () => expect(operator(['operator']).organisation).toBeNull());

    it('may be absent beside unknown roles', () =>
      expect(operator(['offline_access', 'operator']).organisation).toBeNull());

    it('is kept where there is one', () =>
      expect(operator(['operator'], 'acme').organisation).toBe('acme'));

    it('must not be several', () =>
      expect(() => operator(['operator'], ['acme', 'globex'])).toThrow(OrganisationRequired));

    it('is required if the operator has another role too', () =>
      expect(() => operator(['operator', 'agent'])).toThrow(OrganisationRequired));

    it('is required of a caller without a role', () =>
      expect(() => operator([])).toThrow(OrganisationRequired));
  });
});

describe('a person', () => {
  it.each([
    ['a signed-in user', {}],
    ['a user whose token names the client', { azp: 'atrium-cli', client_id: 'atrium-cli' }],
    ['a user with `service-account-` in the name', { preferred_username: 'ana-service-account-' }],
  ])('is %s', (_, more) => {
    const { person, actor } = callerFrom(claims(more));
    expect([person, actor.kind]).toEqual([true, 'user']);
  });

  it.each([
    ['its subject is its client', { sub: 'acme-bridge', client_id: 'acme-bridge' }],
    ['its subject is the authorised party', { sub: 'acme-bridge', azp: 'acme-bridge' }],
    ['its user is a service account', { preferred_username: 'service-account-acme-bridge' }],
  ])('is not a machine: %s', (_, more) => {
    const { person, actor } = callerFrom(claims(more));
    expect([person, actor.kind]).toEqual([false, 'client']);
  });
});

describe('roles', () => {
  it.each([undefined, null, 'agent', { roles: 'agent' }, { roles: { agent: {} } }, ['agent']])(
    'are read from the list realm_access.roles, and %j yields none',
    (realm_access) => expect(callerFrom(claims({ realm_access })).roles).toEqual([]),
  );

  it('are never those of a client, nor a claim of permissions', () =>
    expect(
      callerFrom(
        claims({
          realm_access: { roles: [] },
          resource_access: { atrium: { roles: ['manager'] } },
          permissions: ['platform.keys:write'],
        }),
      ).permissions.size,
    ).toBe(0));

  it('are only the known ones', () =>
    expect(
      callerFrom(claims({ realm_access: { roles: ['viewer', 'admin', 7, '__proto__'] } })).roles,
    ).toEqual(['viewer']));
});

describe('the name', () => {
  it.each([
    [{ name: 'Ana', preferred_username: 'ana', email: 'ana@acme.test' }, 'Ana'],
    [{ preferred_username: 'ana', email: 'ana@acme.test' }, 'ana'],
    [{ email: 'ana@acme.test' }, 'ana@acme.test'],
    [{ name: 'A\0na', email: 'ana@acme.test' }, 'ana@acme.test'],
    [{ name: '\udc00' }, undefined],
    [{ name: 'x'.repeat(201) }, undefined],
    [{ name: ' ', email: 7 }, undefined],
    [{}, undefined],
  ])('in %j is %j', (more, name) => expect(callerFrom(claims(more)).actor.name).toBe(name));
});
