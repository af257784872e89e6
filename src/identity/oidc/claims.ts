/**
 * Maps the claims of a verified access token to the caller. Only this module knows an issuer's
 * claims for people, machines, roles and organisations (contract.md section 2).
 *
 * Claims end up in stream names, rows and events. Values that could not be stored there (control
 * characters, lone surrogates, values other than text) are rejected here.
 */
import { isBlank } from '../../domain/blank.ts';
import { isOrganisationAlias } from '../../domain/organisation.ts';
import { isJsonObject } from '../../engine/json-object.ts';
import { ACTOR_NAME_CHARACTERS_MAX, SUBJECT_CLAIM_CHARACTERS_MAX } from './limits.ts';
import { OrganisationRequired, Unauthenticated, type Caller } from '../caller.ts';
import { knownRoles, permissionsOf, type PermissionTable, type Role } from '../permissions.ts';

export type Claims = Readonly<Record<string, unknown>>;

/**
 * @throws {@link Unauthenticated} if `sub` is no storable text.
 * @throws {@link OrganisationRequired} for no organisation, several, or one that is no alias.
 */
export function callerFrom(claims: Claims, table?: PermissionTable): Caller {
  const id = text(claims['sub'], SUBJECT_CLAIM_CHARACTERS_MAX);
  if (id === undefined) throw new Unauthenticated('The token names no subject.');
  const roles = knownRoles(namesIn(claims['realm_access'], 'roles'));
  const person = !isMachine(claims);
  const name = [claims['name'], claims['preferred_username'], claims['email']]
    .map((claim) => text(claim, ACTOR_NAME_CHARACTERS_MAX))
    .find((claim) => claim !== undefined);
  const email = text(claims['email'], ACTOR_NAME_CHARACTERS_MAX);
  return {
    actor: { kind: person ? 'user' : 'client', id, ...(name === undefined ? {} : { name }) },
    ...(email === undefined ? {} : { email }),
    organisation: organisationOf(claims['organization'], roles),
    roles,
    permissions: permissionsOf(roles, table),
    person,
  };
}

/** No claim marks a client without a user, so it is recognised by differences of the tokens. */
const isMachine = (claims: Claims): boolean => {
  const username = claims['preferred_username'];
  return (
    claims['sub'] === claims['client_id'] ||
    claims['sub'] === claims['azp'] ||
    (typeof username === 'string' && username.startsWith('service-account-'))
  );
};

/** Keycloak's three shapes: `"acme"`, `["acme"]`, `{ "acme": { "id": … } }`. */
function organisationOf(claim: unknown, roles: readonly Role[]): string | null {
  const named = typeof claim === 'string' ? [claim] : namesIn({ claim }, 'claim');
  const [alias, ...others] = new Set(named);
  if (alias === undefined) {
    if (roles.length === 1 && roles[0] === 'operator') return null;
    throw new OrganisationRequired(
      'The token names no organisation: ask for the scope `organization`.',
    );
  }
  if (others.length > 0) {
    throw new OrganisationRequired('The token names several organisations: sign in for one.');
  }
  if (!isOrganisationAlias(alias)) {
    throw new OrganisationRequired('The organisation in the token is not a valid alias.');
  }
  return alias;
}

/** The names in a claim's member: the texts of a list, or the keys of an object. */
const namesIn = (claim: unknown, member: string): readonly string[] => {
  if (!isJsonObject(claim) || !Object.hasOwn(claim, member)) return [];
  const named = claim[member];
  if (Array.isArray(named)) return named.filter((name) => typeof name === 'string');
  return isJsonObject(named) && member === 'claim' ? Object.keys(named) : [];
};

/** The claim, if it is text of 1 to `max` characters that any store can hold. */
const text = (claim: unknown, max: number): string | undefined =>
  typeof claim === 'string' &&
  !isBlank(claim) &&
  claim.length <= max &&
  claim.isWellFormed() &&
  !/\p{Cc}/u.test(claim)
    ? claim
    : undefined;
