/**
 * The view and the permitted actions of requesters on the tickets that they have raised.
 * contract.md section 5.
 */
import { refuse, type Actor, type Instant, type Refusal } from '../../engine/aggregates/decider.ts';
import { DAY_MS } from '../../engine/time/calendar.ts';
import {
  requestTypeOf,
  type RequestType,
  type WithRequestTypes,
} from '../service-desk/request-types.ts';
import { ticketDefaults } from './draft.ts';
import type { FreeForm, JsonObject } from './free-form.ts';
import { allowedFrom, type TicketState, type Workflow } from './graph.ts';
import { REQUESTER_REOPEN_DAYS } from './limits.ts';
import type { PublicTicket } from './public-ticket.ts';
import type { TimelineItem } from './timeline.ts';
import type { TicketView } from './view.ts';

/** The members that only staff sees, with their values for requesters. */
const hidden = {
  category: null,
  metadata: {},
  assignedUserId: null,
  assignedTeamId: null,
  slaFirstResponseDueAt: null,
  slaResolutionDueAt: null,
  slaFirstResponseBreached: false,
  slaResolutionBreached: false,
  slaPausedAt: null,
  firstRespondedAt: null,
  workOrderId: null,
  workOrderIds: [],
  faultId: null,
} as const satisfies Partial<PublicTicket>;

type Shown = Omit<PublicTicket, keyof typeof hidden>;

/**
 * A ticket as its requester sees it. A member of tickets that is neither shown nor hidden does not
 * compile.
 *
 * @param desk The configuration: only form fields that requesters may fill in are shown.
 */
export const requestersTicket = (ticket: TicketView, desk: WithRequestTypes): PublicTicket => {
  const shown: Shown = {
    id: ticket.id,
    number: ticket.number,
    organisationId: ticket.organisationId,
    buildingId: ticket.buildingId,
    storeyId: ticket.storeyId,
    spaceId: ticket.spaceId,
    elementId: ticket.elementId,
    requestType: ticket.requestType,
    subject: ticket.subject,
    description: ticket.description,
    priority: ticket.priority,
    channel: ticket.channel,
    reporterName: ticket.reporterName,
    reporterEmail: ticket.reporterEmail,
    reporterPhone: ticket.reporterPhone,
    reporterErased: ticket.reporterErased,
    formData: answersShown(ticket, desk),
    state: ticket.state,
    resolvedAt: ticket.resolvedAt,
    closedAt: ticket.closedAt,
    rating: ticket.rating,
    createdAt: ticket.createdAt,
    createdBy: ticket.createdBy,
    updatedAt: ticket.updatedAt,
    revision: ticket.revision,
  };
  return { ...shown, ...hidden };
};

/** The answers to the fields of a form that requesters may fill in. */
const answersShown = (
  { requestType, formData }: Pick<TicketView, 'requestType' | 'formData'>,
  desk: WithRequestTypes,
): JsonObject => {
  const type = requestTypeOf(desk, requestType);
  if (type === undefined || type.requester === false) return {};
  const keys = new Set(type.fields.map(({ key }) => key));
  return Object.fromEntries(Object.entries(formData).filter(([key]) => keys.has(key)));
};

/**
 * An item of the timeline as the requester `userId` sees it; `null`: hidden from requesters, such
 * as system notes, which name work orders and rules.
 */
export const requestersItem = (item: TimelineItem, userId: string): TimelineItem | null => {
  const { ruleId, ...shown } = item;
  // A routing rule has the actor of the command that raised the ticket.
  const actor = ruleId === undefined ? requestersActor(item.actor, userId) : serviceDesk;
  switch (shown.kind) {
    case 'state':
    case 'rating':
      return { ...shown, actor };
    case 'note':
    case 'attachment':
      return shown.visibility === 'public' ? { ...shown, actor } : null;
    case 'assignment':
    case 'fields':
    case 'sla':
    case 'system':
    case 'work_order':
    case 'erasure':
      return null;
  }
};

/** Hides name and id of staff from requesters: both may be an e-mail address. */
export const requestersActor = (actor: Actor, userId: string): Actor =>
  actor.kind === 'user' && actor.id === userId && actor.erased !== true ? actor : serviceDesk;

const serviceDesk: Actor = { kind: 'system', id: 'service-desk' };

/** The request types that requesters may choose, without the members that only staff sees. */
export const requestersTypes = ({ requestTypes = [] }: WithRequestTypes): RequestType[] =>
  requestTypes
    .filter(({ requester }) => requester !== false)
    .map((type) => {
      const { category: _, priority: __, ...shown } = type;
      return shown;
    });

/**
 * The refusal of a ticket of this type by a requester; `null`: allowed. Requesters may choose the
 * types of {@link requestersTypes}, and without a form the default type. Answers need a form.
 */
export const requestRefusal = (
  desk: WithRequestTypes,
  { requestType, formData }: { readonly requestType: string; readonly formData: FreeForm },
): Refusal | null => {
  const type = requestTypeOf(desk, requestType);
  const isOpen = type ? type.requester !== false : requestType === ticketDefaults.requestType;
  if (!isOpen) return invalid('requestType', 'is not available to requesters');
  return type === undefined && Object.keys(formData).length > 0
    ? invalid('formData', 'must be empty: the request type has no form')
    : null;
};

const invalid = (path: string, message: string): Refusal =>
  refuse('VALIDATION_FAILED', `${path} ${message}.`, { errors: [{ path, message }] });

/** The transitions that requesters may make, if the graph and the workflow allow them too. */
const moves: Readonly<Partial<Record<TicketState, readonly TicketState[]>>> = {
  new: ['cancelled'],
  resolved: ['closed', 'reopened'],
};

interface Standing {
  readonly state: TicketState;
  readonly resolvedAt: Instant | null;
}

/** The states that the requester may move the ticket to at `at`. */
export const requestersMoves = (
  { state, resolvedAt }: Standing,
  at: Instant,
  workflow?: Workflow,
): readonly TicketState[] =>
  allowedFrom(state, workflow).filter(
    (to) =>
      (moves[state] ?? []).includes(to) &&
      (to !== 'reopened' || at <= reopenableUntil(resolvedAt ?? at)),
  );

const reopenableUntil = (resolvedAt: Instant): Instant =>
  new Date(Date.parse(resolvedAt) + REQUESTER_REOPEN_DAYS * DAY_MS).toISOString();

/** The refusal of the requester's move to that state; `null`: allowed. */
export const requestersMoveRefusal = (
  ticket: Standing,
  to: TicketState,
  at: Instant,
  workflow?: Workflow,
): Refusal | null => {
  const allowed = requestersMoves(ticket, at, workflow);
  if (allowed.includes(to)) return null;
  const { state: from, resolvedAt } = ticket;
  if (from === 'resolved' && to === 'reopened' && allowedFrom(from, workflow).includes(to)) {
    const until = reopenableUntil(resolvedAt ?? at);
    const detail = `It could be reopened for ${REQUESTER_REOPEN_DAYS} days, until ${until}.`;
    return refuse('REOPEN_TOO_LATE', detail, { until });
  }
  const detail = `Its requester cannot move a ticket that is ${from} to ${to}.`;
  return refuse('TRANSITION_NOT_ALLOWED', detail, { from, to, allowed });
};
