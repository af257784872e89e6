/**
 * The stored events of a ticket. Names and shapes here are a contract with every event ever stored:
 * add an optional field, or a new event beside the old one; never rename, retype or reuse.
 *
 * Time and actor are metadata of a fact, never part of it. A fact caused by a routing rule carries
 * its `ruleId`.
 */
import { z } from 'zod';
import { instant, text } from '../../engine/log/event-fields.ts';
import { weekdays } from '../service-desk/business-hours.ts';
import { attachmentEventSchemas } from './attachments.ts';
import { erasureEventSchemas } from './erasure.ts';
import { jsonObject } from './free-form.ts';
import { ticketStates } from './graph.ts';
import { ratingEventSchemas } from './rating.ts';
import { visibilities } from './visibility.ts';
import { workOrderTicketSchemas } from './work-orders.ts';

export const priorities = ['low', 'medium', 'high', 'critical'] as const;
export type Priority = (typeof priorities)[number];

export const channels = ['portal', 'email', 'phone', 'api', 'system'] as const;
export type Channel = (typeof channels)[number];

export const slaClocks = ['first_response', 'resolution'] as const;
export type SlaClock = (typeof slaClocks)[number];

export { visibilities, type Visibility } from './visibility.ts';

const ruleId = z.exactOptional(text);
/** Marks events caused by a fault, as `ruleId` marks those caused by a routing rule. */
const faultId = z.exactOptional(z.uuid());

/**
 * A ticket's location in its building. The finer id implies the coarser ones; callers resolve it.
 */
const location = {
  storeyId: z.uuid().nullable(),
  spaceId: z.uuid().nullable(),
  elementId: z.uuid().nullable(),
};

const locationObject = z.strictObject(location);
export type TicketLocation = Readonly<z.infer<typeof locationObject>>;

/** When each clock warns. `null`: there is no such clock, or it has warned already. */
const warnings = z.strictObject({
  firstResponseAt: instant.nullable(),
  resolutionAt: instant.nullable(),
});

/** Business hours as they were when the ticket was opened. */
const calendar = z.strictObject({
  timeZone: text,
  weekly: z
    .partialRecord(z.enum(weekdays), z.array(z.tuple([text, text]).readonly()).readonly())
    .readonly(),
  holidays: z.array(text).readonly(),
});

/** Only the changed details of a ticket, each with its new, whole value. */
const changes = z.strictObject({
  subject: z.exactOptional(z.string().nullable()),
  description: z.exactOptional(text),
  priority: z.exactOptional(z.enum(priorities)),
  category: z.exactOptional(z.string().nullable()),
  location: z.exactOptional(locationObject),
  formData: z.exactOptional(jsonObject),
  metadata: z.exactOptional(jsonObject),
});

export const ticketEventSchemas = {
  TicketOpened: z.strictObject({
    type: z.literal('TicketOpened'),
    ticketId: z.uuid(),
    number: text,
    organisation: text,
    requestType: text,
    buildingId: z.uuid(),
    ...location,
    subject: z.string().nullable(),
    description: text,
    /** As requested. Up to 0.1: after routing, which may have raised it. */
    priority: z.enum(priorities),
    category: z.string().nullable(),
    channel: z.enum(channels),
    reporterName: z.string().nullable(),
    reporterEmail: z.string().nullable(),
    reporterPhone: z.string().nullable(),
    formData: jsonObject,
    metadata: jsonObject,
    /** `null`: no such clock. */
    slaFirstResponseDueAt: instant.nullable(),
    slaResolutionDueAt: instant.nullable(),
    /** The policy's name; absent: the defaults by priority. */
    slaPolicy: z.exactOptional(text),
    /** Absent: each clock warns after 80 % of its time, around the clock. */
    slaWarning: z.exactOptional(warnings),
    /** Only where the policy pauses while the ticket is `waiting`. `null`: around the clock. */
    slaPause: z.exactOptional(
      z.strictObject({ calendar: calendar.nullable(), warningPercent: z.number() }),
    ),
    /** The routing rules that matched, in their order. */
    ruleIds: z.exactOptional(z.array(text)),
    /** The fault of a building that it was raised for. */
    faultId,
  }),
  TicketTransitioned: z.strictObject({
    type: z.literal('TicketTransitioned'),
    from: z.enum(ticketStates),
    to: z.enum(ticketStates),
    ruleId,
    faultId,
  }),
  /** Both members after the change, whichever of them changed. */
  TicketAssigned: z.strictObject({
    type: z.literal('TicketAssigned'),
    assignedUserId: text.nullable(),
    assignedTeamId: text.nullable(),
    ruleId,
  }),
  FirstResponseMade: z.strictObject({ type: z.literal('FirstResponseMade') }),
  SlaClockBreached: z.strictObject({
    type: z.literal('SlaClockBreached'),
    clock: z.enum(slaClocks),
    dueAt: instant,
  }),
  SlaWarningRaised: z.strictObject({
    type: z.literal('SlaWarningRaised'),
    clock: z.enum(slaClocks),
    dueAt: instant,
  }),
  /** The end of a pause for a clock: its times move by the working time spent `waiting`. */
  SlaDuesMoved: z.strictObject({
    type: z.literal('SlaDuesMoved'),
    slaFirstResponseDueAt: instant.nullable(),
    slaResolutionDueAt: instant.nullable(),
    warnings,
  }),
  TicketEdited: z.strictObject({ type: z.literal('TicketEdited'), changes, ruleId }),
  NoteAdded: z.strictObject({
    type: z.literal('NoteAdded'),
    noteId: z.uuid(),
    body: text,
    visibility: z.enum(visibilities),
  }),
  /** A note by Atrium. */
  SystemNoteAdded: z.strictObject({
    type: z.literal('SystemNoteAdded'),
    noteId: z.uuid(),
    body: text,
    ruleId,
  }),
  /** The building was replaced: the same location under its new ids, or none. */
  TicketRelocated: z.strictObject({ type: z.literal('TicketRelocated'), ...location }),
  ...workOrderTicketSchemas,
  ...attachmentEventSchemas,
  ...ratingEventSchemas,
  ...erasureEventSchemas,
};

export const ticketEvent = z.discriminatedUnion('type', [
  ticketEventSchemas.TicketOpened,
  ticketEventSchemas.TicketTransitioned,
  ticketEventSchemas.TicketAssigned,
  ticketEventSchemas.FirstResponseMade,
  ticketEventSchemas.SlaClockBreached,
  ticketEventSchemas.SlaWarningRaised,
  ticketEventSchemas.SlaDuesMoved,
  ticketEventSchemas.TicketEdited,
  ticketEventSchemas.NoteAdded,
  ticketEventSchemas.SystemNoteAdded,
  ticketEventSchemas.TicketRelocated,
  ticketEventSchemas.WorkOrderLinked,
  ticketEventSchemas.AttachmentAdded,
  ticketEventSchemas.AttachmentRemoved,
  ticketEventSchemas.TicketRated,
  ticketEventSchemas.TicketPersonalDataErased,
]);

export type TicketEvent = z.infer<typeof ticketEvent>;
export type TicketFact<T extends TicketEvent['type']> = Extract<TicketEvent, { type: T }>;
export type TicketChanges = TicketFact<'TicketEdited'>['changes'];
