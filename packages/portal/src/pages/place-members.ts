/** Members of a ticket, of a filter and of a match that name a place, from the largest. */
export const placeMembers = ['buildingId', 'storeyId', 'spaceId', 'elementId'] as const;
export type PlaceMember = (typeof placeMembers)[number];
