/** The public members of a ticket; the others are for Atrium's own folds. */
import type { TicketView } from './view.ts';

/** A ticket in HTTP answers, the change feed and the bus. */
export type PublicTicket = Omit<
  TicketView,
  'slaFirstResponseEndedAt' | 'slaPauses' | 'workOrderLinks'
>;

/** Its members are in the order in which answers print them. */
export const publicTicket = (view: TicketView): PublicTicket => ({
  id: view.id,
  number: view.number,
  organisationId: view.organisationId,
  buildingId: view.buildingId,
  storeyId: view.storeyId,
  spaceId: view.spaceId,
  elementId: view.elementId,
  requestType: view.requestType,
  subject: view.subject,
  description: view.description,
  priority: view.priority,
  category: view.category,
  channel: view.channel,
  reporterName: view.reporterName,
  reporterEmail: view.reporterEmail,
  reporterPhone: view.reporterPhone,
  reporterErased: view.reporterErased,
  formData: view.formData,
  metadata: view.metadata,
  state: view.state,
  assignedUserId: view.assignedUserId,
  assignedTeamId: view.assignedTeamId,
  slaFirstResponseDueAt: view.slaFirstResponseDueAt,
  slaResolutionDueAt: view.slaResolutionDueAt,
  slaFirstResponseBreached: view.slaFirstResponseBreached,
  slaResolutionBreached: view.slaResolutionBreached,
  slaPausedAt: view.slaPausedAt,
  firstRespondedAt: view.firstRespondedAt,
  resolvedAt: view.resolvedAt,
  closedAt: view.closedAt,
  workOrderId: view.workOrderId,
  workOrderIds: view.workOrderIds,
  faultId: view.faultId,
  rating: view.rating,
  createdAt: view.createdAt,
  createdBy: view.createdBy,
  updatedAt: view.updatedAt,
  revision: view.revision,
});
