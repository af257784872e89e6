/** Members of a ticket, a filter and a match that name a place, largest place first. */
export const placeMembers = ['buildingId', 'storeyId', 'spaceId', 'elementId'] as const;
export type PlaceMember = (typeof placeMembers)[number];
