/**
 * What a PATCH says about where a ticket is. The finest location given decides: coarser ones
 * follow from it, finer ones are cleared; `null` clears it and the finer ones.
 * contract.md section 5.
 */
import { refuse, type Refusal } from '../decider.ts';
import type { TicketLocation } from './events.ts';

/** Absent: not said. */
export type LocationPatch = {
  readonly [Member in keyof TicketLocation]?: string | null | undefined;
};

const coarsestFirst = ['storeyId', 'spaceId', 'elementId'] as const;

/**
 * `wanted`: to be resolved in the building graph. `location`: known already, by clearing alone.
 * `null`: the patch says nothing of a location.
 *
 * Refuses `LOCATION_CONTRADICTION` for a member that is cleared although a finer one is given.
 */
export const locationAfter = (
  patch: LocationPatch,
  current: TicketLocation,
): { readonly wanted: LocationPatch } | { readonly location: TicketLocation } | Refusal | null => {
  const said = coarsestFirst.filter((member) => patch[member] !== undefined);
  if (said.length === 0) return null;

  const finest = coarsestFirst.findLastIndex((member) => typeof patch[member] === 'string');
  const cleared = coarsestFirst.findIndex((member) => patch[member] === null);
  if (finest >= 0) {
    if (cleared >= 0 && cleared < finest) {
      return refuse(
        'LOCATION_CONTRADICTION',
        `${coarsestFirst[cleared]} is cleared, but ${coarsestFirst[finest]} lies in one.`,
        { errors: [{ path: coarsestFirst[cleared], message: 'implied by the finer location' }] },
      );
    }
    const given = coarsestFirst.slice(0, finest + 1).filter((member) => patch[member]);
    return { wanted: Object.fromEntries(given.map((member) => [member, patch[member]])) };
  }
  const keeps = (member: keyof TicketLocation) =>
    coarsestFirst.indexOf(member) < cleared ? current[member] : null;
  return {
    location: {
      storeyId: keeps('storeyId'),
      spaceId: keeps('spaceId'),
      elementId: keeps('elementId'),
    },
  };
};
