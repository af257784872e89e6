/** The members of a ticket that the interface shows; the others are for Atrium's own folds. */
import type { TicketView } from './view.ts';

const members = [
  'id',
  'number',
  'organisationId',
  'buildingId',
  'storeyId',
  'spaceId',
  'elementId',
  'requestType',
  'subject',
  'description',
  'priority',
  'category',
  'channel',
  'reporterName',
  'reporterEmail',
  'reporterPhone',
  'formData',
  'metadata',
  'state',
  'assignedUserId',
  'assignedTeamId',
  'slaFirstResponseDueAt',
  'slaResolutionDueAt',
  'slaFirstResponseBreached',
  'slaResolutionBreached',
  'firstRespondedAt',
  'resolvedAt',
  'closedAt',
  'workOrderId',
  'workOrderIds',
  'createdAt',
  'createdBy',
  'updatedAt',
  'revision',
] as const satisfies readonly (keyof TicketView)[];

/** A ticket as HTTP, the change feed and the bus show it. */
export type PublicTicket = Pick<TicketView, (typeof members)[number]>;

export const publicTicket = (view: TicketView): PublicTicket =>
  // What is picked member by member has the members that were picked.
  Object.fromEntries(members.map((member) => [member, view[member]])) as PublicTicket;
