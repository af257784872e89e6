/** The public members of a ticket; the others are for Atrium's own folds. */
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
  'reporterErased',
  'formData',
  'metadata',
  'state',
  'assignedUserId',
  'assignedTeamId',
  'slaFirstResponseDueAt',
  'slaResolutionDueAt',
  'slaFirstResponseBreached',
  'slaResolutionBreached',
  'slaPausedAt',
  'firstRespondedAt',
  'resolvedAt',
  'closedAt',
  'workOrderId',
  'workOrderIds',
  'faultId',
  'rating',
  'createdAt',
  'createdBy',
  'updatedAt',
  'revision',
] as const satisfies readonly (keyof TicketView)[];

/** A ticket in HTTP answers, the change feed and the bus. */
export type PublicTicket = Pick<TicketView, (typeof members)[number]>;

export const publicTicket = (view: TicketView): PublicTicket =>
  // `fromEntries` loses the type of the members.
  Object.fromEntries(members.map((member) => [member, view[member]])) as PublicTicket;
