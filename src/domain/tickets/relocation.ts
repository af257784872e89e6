/** Moving a ticket after its building was imported anew. design.md decision 10. */
import type { BuildingLocation } from '../buildings/location.ts';
import { systemAuthority } from '../authority.ts';
import type { TicketCommand } from './commands.ts';
import type { TicketView } from './view.ts';

type Location = Omit<BuildingLocation, 'buildingId'>;

const members = ['storeyId', 'spaceId', 'elementId'] as const;

/**
 * The command that moves a ticket, or `null` if its location is unchanged.
 *
 * @param noteId Of the note that reports a lost location, or a lost part of it.
 */
export const relocation = (from: Location, to: Location, noteId: string): TicketCommand | null => {
  if (members.every((member) => from[member] === to[member])) return null;
  return {
    type: 'RelocateTicket',
    authority: systemAuthority,
    from: locationOf(from),
    to: locationOf(to),
    ...(isCoarser(from, to) ? { note: { noteId, body: lostNote(to) } } : {}),
  };
};

/** Whether at most the location of a ticket differs between the two views. */
export const isMovedAlone = (before: TicketView, after: TicketView): boolean =>
  JSON.stringify(placeless(before)) === JSON.stringify(placeless(after));

const placeless = (view: TicketView): TicketView => ({
  ...view,
  storeyId: null,
  spaceId: null,
  elementId: null,
  updatedAt: '',
  revision: 0,
});

const locationOf = ({ storeyId, spaceId, elementId }: Location): Location => ({
  storeyId,
  spaceId,
  elementId,
});

const isCoarser = (from: Location, to: Location): boolean =>
  members.some((member) => from[member] !== null && to[member] === null);

const lostNote = (to: Location): string =>
  members.every((member) => to[member] === null)
    ? 'The building was imported again. The place of this ticket no longer exists, so the ' +
      'ticket now has no place.'
    : 'The building was imported again. Part of the place of this ticket no longer exists.';
