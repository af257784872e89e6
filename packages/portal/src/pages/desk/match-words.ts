import { placeMembers, type PlaceMember } from '../place-members.ts';
import type { Match } from './document.ts';

const any = new Intl.ListFormat('en', { type: 'disjunction' });

export const listed = (value: string | readonly string[] | undefined): readonly string[] =>
  value === undefined ? [] : [value].flat();

/** The label of each member that names a place. */
export const PLACES: Readonly<Record<PlaceMember, string>> = {
  buildingId: 'building',
  storeyId: 'storey',
  spaceId: 'room',
  elementId: 'element',
};

/** A match in words: `Critical or high tickets of category hvac in Harbour House`. */
export const matchWords = (match: Match, nameOf: (id: string) => string | undefined): string => {
  const priorities = listed(match.priority);
  const types = listed(match.requestType);
  const categories = listed(match.category);
  const places = placeMembers.map((member) => placeWords(member, listed(match[member]), nameOf));
  const conditions = [
    types.length > 0 && `of type ${any.format(types)}`,
    categories.length > 0 && `of category ${any.format(categories)}`,
    ...places.map((words) => words !== '' && `in ${words}`),
    match.text !== undefined && `that contain “${match.text}”`,
  ].filter((words) => words !== false);
  if (priorities.length === 0 && conditions.length === 0) return 'Every ticket';
  const which = priorities.length === 0 ? 'tickets' : `${any.format(priorities)} tickets`;
  const words = [which, ...conditions].join(' ');
  return words.slice(0, 1).toUpperCase() + words.slice(1);
};

const placeWords = (
  member: PlaceMember,
  ids: readonly string[],
  nameOf: (id: string) => string | undefined,
): string => {
  const names = ids.map(nameOf).filter((name) => name !== undefined);
  const unnamed = ids.length - names.length;
  const rest = unnamed === 0 ? [] : [`${unnamed} ${PLACES[member]}${unnamed === 1 ? '' : 's'}`];
  return any.format([...names, ...rest]);
};
