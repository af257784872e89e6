/**
 * The public view of a ticket: one fold for the command's answer, the list's row, the rebuild and
 * the bus. Two definitions of a ticket would drift apart.
 */
import { tableOf, type Actor, type Instant, type Origin } from '../../engine/aggregates/decider.ts';
import type { ErasedPart } from '../../engine/log/codec.ts';
import type { TicketDetails } from './details.ts';
import { detailsErased, erasedActor, ratingErased, reporterErased } from './erasure.ts';
import type { Channel, TicketEvent, TicketFact } from './events.ts';
import type { Rating } from './rating.ts';
import type { SlaStanding } from './sla.ts';
import { standingAtOpening, standingBy } from './sla-fold.ts';
import { linksAfter, linksShown, type WorkOrderLink } from './work-orders.ts';

/** interface.md, «Ticket», and contract.md section 5. */
export interface TicketView extends TicketDetails, SlaStanding {
  readonly id: string;
  readonly number: string;
  readonly organisationId: string;
  readonly buildingId: string;
  readonly requestType: string;
  readonly channel: Channel;
  readonly reporterName: string | null;
  readonly reporterEmail: string | null;
  readonly reporterPhone: string | null;
  /** Name, address and phone of the reporter were erased. */
  readonly reporterErased: boolean;
  /** Time of the first assignment. */
  readonly firstRespondedAt: Instant | null;
  /** Time of the resolution; `null` again from a reopen until the next resolution. */
  readonly resolvedAt: Instant | null;
  /** Set once, because a closed ticket stays closed. A cancelled one has none. */
  readonly closedAt: Instant | null;
  readonly assignedUserId: string | null;
  readonly assignedTeamId: string | null;
  /** The latest of {@link workOrderIds}. */
  readonly workOrderId: string | null;
  readonly workOrderIds: readonly string[];
  readonly workOrderLinks: readonly WorkOrderLink[];
  /** The fault of a building that it was raised for. */
  readonly faultId: string | null;
  /** The requester's rating; `null`: none. */
  readonly rating: Rating | null;
  readonly createdAt: Instant;
  readonly createdBy: Actor;
  /** Changes with every event, so pollers need to compare nothing else. */
  readonly updatedAt: Instant;
  /** Revision of the last fact, counted from 0. */
  readonly revision: number;
}

/**
 * The user who raised it; `null`: a program or the platform did, or the user was erased.
 * docs/decisions/0019.
 */
export const reporterOf = ({ createdBy }: Pick<TicketView, 'createdBy'>): string | null =>
  createdBy.kind === 'user' && createdBy.erased !== true ? createdBy.id : null;

/** A fact with its time, actor and revision. */
export interface RecordedTicketEvent {
  readonly event: TicketEvent;
  readonly at: Instant;
  readonly by: Actor;
  /** Absent: unknown. */
  readonly origin?: Origin;
  readonly revision: number;
  /** Its parts that were erased since. Absent: none. */
  readonly erased?: readonly ErasedPart[];
}

/**
 * Pure. The first fact creates the ticket.
 *
 * @throws Error for another fact without a ticket: the stream is broken.
 */
export const viewAfter = (recorded: RecordedTicketEvent, view: TicketView | null): TicketView => {
  const { event } = recorded;
  if (event.type === 'TicketOpened') return firstView(event, recorded);
  if (view === null) throw new Error(`${event.type} before TicketOpened`);
  return { ...view, ...viewChange(event, recorded, view) };
};

/**
 * Pure. The members that a later fact changes: {@link viewAfter} without the copy, for a caller
 * that owns the view.
 */
export const viewChange = (
  event: Exclude<TicketEvent, Opened>,
  { at, revision }: RecordedTicketEvent,
  view: TicketView,
): Partial<TicketView> => ({ ...changeBy(event, at, view), updatedAt: at, revision });

type Opened = TicketFact<'TicketOpened'>;

const firstView = (
  event: Opened,
  { at, by, revision, erased }: RecordedTicketEvent,
): TicketView => {
  const { ticketId: id, organisation: organisationId, ...rest } = event;
  const {
    type: _,
    ruleIds: __,
    slaPolicy: ___,
    slaWarning: ____,
    slaPause: _____,
    ...opened
  } = rest;
  return {
    id,
    organisationId,
    ...opened,
    ...standingAtOpening(event),
    firstRespondedAt: null,
    resolvedAt: null,
    closedAt: null,
    assignedUserId: null,
    assignedTeamId: null,
    ...linksShown([]),
    faultId: event.faultId ?? null,
    reporterErased: erased?.includes('identity') ?? false,
    rating: null,
    createdAt: at,
    createdBy: by,
    updatedAt: at,
    revision,
  };
};

const changeBy = tableOf<Exclude<TicketEvent, Opened>, [Instant, TicketView], Partial<TicketView>>({
  TicketTransitioned: (event, at, view) => ({
    ...standingBy(event, view, at),
    ...(event.to === 'resolved' ? { resolvedAt: at } : {}),
    ...(event.to === 'reopened' ? { resolvedAt: null } : {}),
    ...(event.to === 'closed' ? { closedAt: at } : {}),
  }),
  TicketAssigned: ({ assignedUserId, assignedTeamId }) => ({ assignedUserId, assignedTeamId }),
  FirstResponseMade: (event, at, view) => ({
    firstRespondedAt: at,
    ...standingBy(event, view, at),
  }),
  SlaClockBreached: (event, at, view) => standingBy(event, view, at),
  SlaWarningRaised: (event, at, view) => standingBy(event, view, at),
  SlaDuesMoved: (event, at, view) => standingBy(event, view, at),
  TicketEdited: ({ changes: { location, ...details } }) => ({ ...details, ...location }),
  NoteAdded: () => ({}),
  SystemNoteAdded: () => ({}),
  TicketRelocated: ({ storeyId, spaceId, elementId }) => ({ storeyId, spaceId, elementId }),
  AttachmentAdded: () => ({}),
  AttachmentRemoved: () => ({}),
  TicketRated: ({ score, comment }, at) => ({ rating: { score, comment, ratedAt: at } }),
  TicketPersonalDataErased: (erased, _, { rating }) => ({
    ...detailsErased(erased),
    ...(erased.reporter ? reporterErased : {}),
    ...(erased.createdBy ? { createdBy: erasedActor } : {}),
    ...(erased.texts.includes('rating') ? { rating: ratingErased(erased, rating) } : {}),
  }),
  WorkOrderLinked: (link, _, { workOrderLinks }) => linksShown(linksAfter(link, workOrderLinks)),
});

export { nextDueAt, runningClocks } from './sla.ts';
