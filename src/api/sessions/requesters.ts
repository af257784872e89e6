/**
 * Requesters: people who report to the service desk and are no members of its staff. A route that
 * is also for them declares an `ownPermission`, and then limits them to their own objects.
 * contract.md section 5.
 */
import type { FastifyContextConfig } from 'fastify';
import { requesterAccessOf, type Configuration } from '../../domain/service-desk/configuration.ts';
import type { Caller } from '../../identity/caller.ts';
import type { Permission } from '../../identity/permissions.ts';
import type { ServiceDesks } from '../../use-cases/service-desk/service-desks.ts';
import { Problem } from '../http/problems.ts';

export type OwnPermission = Extract<Permission, `service-desk.own:${string}`>;

export interface Requester {
  /** Their own tickets are those that this user has raised. */
  readonly userId: string;
  /** `null`: the token names none. */
  readonly email: string | null;
  /** The configuration of their service desk when the request was received. */
  readonly desk: Configuration;
}

export type RequesterDesks = Pick<ServiceDesks, 'configurationOf'>;

/** Whether the route serves the caller as a requester: callers with its `permission` are staff. */
export const isRequester = (
  { permissions }: Pick<Caller, 'permissions'>,
  { permission, ownPermission }: FastifyContextConfig,
): boolean => {
  const own = [ownPermission, permission].find(isOwn);
  if (own === undefined || !permissions.has(own)) return false;
  return permission === own || !permissions.has(permission as Permission);
};

/** Whether only requesters have the permission. */
export const isOwn = (permission: string | undefined): permission is OwnPermission =>
  permission === 'service-desk.own:read' || permission === 'service-desk.own:write';

/**
 * @param desks `undefined`: no organisation has requesters.
 * @throws {@link Problem} `PERSON_REQUIRED` for a program, and `REQUESTERS_OFF` unless the
 *   organisation allows requesters.
 * @throws `LogUnavailable` if its configuration cannot be read.
 */
export const requesterOf = async (
  { actor, email, organisation, person }: Caller,
  desks: RequesterDesks | undefined,
): Promise<Requester> => {
  if (!person) throw new Problem('PERSON_REQUIRED', "This needs a person's session.");
  const desk = organisation === null ? undefined : await desks?.configurationOf(organisation);
  if (desk === undefined || requesterAccessOf(desk) === 'off') {
    throw new Problem(
      'REQUESTERS_OFF',
      'Requesters are turned off for the service desk of your organisation.',
    );
  }
  return { userId: actor.id, email: email ?? null, desk };
};
