/**
 * A PATCH of a ticket's location. The finest given location decides: coarser ones follow from it,
 * finer ones are cleared; `null` clears it and the finer ones. contract.md section 5.
 */
import { locationMembers } from '../buildings/location.ts';
import { refuse, type Refusal } from '../../engine/aggregates/decider.ts';
import type { TicketLocation } from './events.ts';

/** Absent: unchanged. */
export type LocationPatch = {
  readonly [Member in keyof TicketLocation]?: string | null | undefined;
};

/**
 * `requested`: to be resolved in the building graph. `location`: final, because members were only
 * cleared. `null`: the patch has no location.
 *
 * Refuses `LOCATION_CONTRADICTION` for a member that is cleared although a finer one is given.
 */
export const locationAfter = (
  patch: LocationPatch,
  current: TicketLocation,
):
  | { readonly requested: LocationPatch }
  | { readonly location: TicketLocation }
  | Refusal
  | null => {
  if (locationMembers.every((member) => patch[member] === undefined)) return null;

  const finest = locationMembers.findLastIndex((member) => typeof patch[member] === 'string');
  const cleared = locationMembers.findIndex((member) => patch[member] === null);
  if (finest >= 0) {
    if (cleared >= 0 && cleared < finest) {
      return refuse(
        'LOCATION_CONTRADICTION',
        `${locationMembers[cleared]} is cleared, but ${locationMembers[finest]} is in one.`,
        { errors: [{ path: locationMembers[cleared], message: 'implied by the finer location' }] },
      );
    }
    const members = locationMembers.slice(0, finest + 1).filter((member) => patch[member]);
    return { requested: Object.fromEntries(members.map((member) => [member, patch[member]])) };
  }
  const keeps = (member: keyof TicketLocation) =>
    locationMembers.indexOf(member) < cleared ? current[member] : null;
  return {
    location: {
      storeyId: keeps('storeyId'),
      spaceId: keeps('spaceId'),
      elementId: keeps('elementId'),
    },
  };
};
