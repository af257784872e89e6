/**
 * Schemas of the service-desk routes with the contract's bounds. Shapes only: the rules are in the
 * decider. interface.md «Ticket», contract.md section 5.
 */
import { z } from 'zod';
import { ANSWERED_TOTAL_MAX, SEARCH_TOTAL_MAX } from '../../projections/tickets/limits.ts';
import { ActorBody } from '../http/actor.ts';
import { ticketDefaults } from '../../domain/tickets/draft.ts';
import { channels, priorities, visibilities } from '../../domain/tickets/events.ts';
import { TICKET_NUMBER_FORM, ticketNumberIn } from '../../domain/tickets/numbering.ts';
import { ticketStates } from '../../domain/tickets/graph.ts';
import { RATING_SCORE_MAX, RATING_SCORE_MIN } from '../../domain/tickets/limits.ts';
import { defaultSort, ticketSorts } from '../../domain/tickets/sorts.ts';
import {
  addressText,
  assigneeText,
  categoryText,
  requestTypeText,
  storedAssignee,
  storedCategory,
} from '../../domain/tickets/words.ts';
import { withFieldFilters } from './field-filters.ts';
import {
  REPORTER_CHARACTERS_MAX,
  SEARCH_CHARACTERS_MAX,
  SUBJECT_CHARACTERS_MAX,
  TICKET_NUMBER_CHARACTERS_MAX,
  TICKET_PAGE_DEFAULT,
  TICKET_PAGE_MAX,
  USER_ID_CHARACTERS_MAX,
} from './limits.ts';
import { TEXT_CHARACTERS_MAX } from '../../limits.ts';
import { demo, exampled } from '../http/examples.ts';
import {
  freeForm,
  id,
  queryBoolean,
  queryList,
  queryNumber,
  spokenText,
  text,
} from '../http/text.ts';

const subject = z.string().max(SUBJECT_CHARACTERS_MAX);
const reporter = z.string().max(REPORTER_CHARACTERS_MAX);
const address = addressText(REPORTER_CHARACTERS_MAX);
const note = spokenText(TEXT_CHARACTERS_MAX);
const reporterUserId = text(USER_ID_CHARACTERS_MAX);

export const TicketParams = z.object({ id: id.meta(exampled(demo.ticketId)) });

export const CreateTicketBody = z
  .strictObject({
    buildingId: id.describe('Internal id of the building.'),
    description: spokenText(TEXT_CHARACTERS_MAX),
    subject: subject.nullish(),
    priority: z
      .enum(priorities)
      .optional()
      .describe('Default: that of the request type, else medium.'),
    category: categoryText.nullish().describe('Default: that of the request type, else none.'),
    spaceId: id.nullish().describe('Implies its storey.'),
    storeyId: id.nullish(),
    elementId: id.nullish().describe('Implies its space and storey.'),
    requestType: requestTypeText.default(ticketDefaults.requestType),
    reporterName: reporter.nullish(),
    reporterEmail: address.nullish(),
    reporterPhone: reporter.nullish(),
    channel: z.enum(channels).default(ticketDefaults.channel),
    formData: freeForm
      .default(ticketDefaults.formData)
      .describe('The answers to the form of the request type; free-form if the type has no form.'),
    metadata: freeForm
      .default(ticketDefaults.metadata)
      .describe("For the caller's own identifiers. Values need not be unique."),
  })
  .meta({
    id: 'NewTicket',
    ...exampled({
      buildingId: demo.buildingId,
      spaceId: demo.spaceId,
      subject: 'Too warm',
      description: 'It is 28 °C at the window desks since noon.',
      priority: 'high',
      metadata: { source: 'cafm', externalId: 'WO-4711' },
    }),
  });

/**
 * Any subset; JSON merge patch (RFC 7396) for the two objects. `null` clears an optional member.
 */
export const PatchTicketBody = z
  .strictObject({
    subject: z.exactOptional(subject.nullable()),
    description: z.exactOptional(spokenText(TEXT_CHARACTERS_MAX)),
    priority: z.exactOptional(z.enum(priorities)),
    category: z.exactOptional(categoryText.nullable()),
    storeyId: z.exactOptional(id.nullable()),
    spaceId: z.exactOptional(id.nullable()),
    elementId: z.exactOptional(id.nullable()),
    formData: z.exactOptional(freeForm.nullable()),
    metadata: z.exactOptional(freeForm.nullable()),
  })
  .meta({
    id: 'TicketPatch',
    ...exampled({ priority: 'high', metadata: { externalId: 'WO-4711' } }),
  });

export const TransitionBody = z
  .strictObject({
    state: z.enum(ticketStates).describe('The state to move to.'),
    note: note.optional().describe('A note that is added to the timeline with the change.'),
  })
  .meta({ id: 'Transition', ...exampled({ state: 'triaged', note: 'Seen.' }) });

export const AssignBody = z
  .strictObject({
    assignedUserId: assigneeText
      .nullable()
      .optional()
      .describe('`null` removes the assignee; if absent, the assignee stays.'),
    assignedTeamId: assigneeText.nullable().optional(),
    note: note.optional(),
  })
  .refine(
    (body) => body.assignedUserId !== undefined || body.assignedTeamId !== undefined,
    'needs assignedUserId or assignedTeamId',
  )
  .meta({ id: 'Assignment', ...exampled({ assignedTeamId: 'hvac' }) });

export const NoteBody = z
  .strictObject({
    body: note,
    visibility: z
      .enum(visibilities)
      .optional()
      .describe(
        'Default `internal`; notes by requesters are always `public`. Reading internal notes ' +
          'needs more than the permission to read tickets.',
      ),
  })
  .meta({ id: 'NewNote', ...exampled({ body: 'New thermostat fitted.', visibility: 'public' }) });

export const RateBody = z
  .strictObject({
    score: z.int().min(RATING_SCORE_MIN).max(RATING_SCORE_MAX).describe('5 is the best.'),
    comment: note.nullish(),
  })
  .meta({ id: 'NewRating', ...exampled({ score: 5, comment: 'Warm again within the hour.' }) });

const filters = {
  buildingId: id.optional(),
  state: queryList(z.enum(ticketStates)).optional().describe('Comma-separated: any of them.'),
  priority: queryList(z.enum(priorities)).optional().describe('Comma-separated: any of them.'),
  category: queryList(storedCategory).optional().describe('Comma-separated: any of them.'),
  assignedUserId: storedAssignee.optional(),
  assignedTeamId: storedAssignee.optional(),
  spaceId: id.optional(),
  storeyId: id.optional(),
  elementId: id.optional(),
  search: z
    .string()
    .max(SEARCH_CHARACTERS_MAX)
    .optional()
    .describe(
      'Each word must occur in number, subject, description, category, name of the ' +
        'reporter, or in code or name of the building, storey, space or element. ' +
        'Case-insensitive; `SR-10` finds SR-000010. A search that takes too long is refused: ' +
        'add a filter, or use longer words.',
    ),
  overdue: queryBoolean
    .optional()
    .describe('true: only tickets with an SLA clock that is running and past its due time.'),
  reporterUserId: reporterUserId.optional().describe('The user who raised the ticket.'),
  assigned: z
    .string()
    .regex(/^me$/, 'must be me')
    .optional()
    .describe('Only tickets assigned to the signed-in person.'),
  number: z
    .string()
    .max(TICKET_NUMBER_CHARACTERS_MAX)
    .regex(TICKET_NUMBER_FORM, 'must be a number such as SR-000042')
    .transform((value) => ticketNumberIn(value)!)
    .optional()
    .describe('Only the ticket with this number: `SR-42` finds `SR-000042`.'),
};

/** The filters of a list, all of which must hold. */
export const TicketFilterQuery = withFieldFilters(filters);

/** The names of the filters, without the filters by fields of forms. */
export const filterNames: readonly string[] = Object.keys(filters);

export const ListQuery = withFieldFilters({
  ...filters,
  sort: z
    .enum(ticketSorts)
    .default(defaultSort)
    .describe(
      'Ascending, or descending with `-`; ties are ordered by id. `dueAt` is the earlier ' +
        'due time of the running clocks; tickets without one come last in both directions. ' +
        '`priority` ascends from low.',
    ),
  page: queryNumber(1, 10_000_000, 1),
  limit: queryNumber(1, TICKET_PAGE_MAX, TICKET_PAGE_DEFAULT),
});

const instant = z.iso.datetime();

/**
 * Returned as stored: validating each member again would take longer than the rest of the request.
 */
const shownFreeForm = z
  .custom<Record<string, unknown>>((value) => typeof value === 'object' && value !== null)
  .meta({ type: 'object', propertyNames: { type: 'string' }, additionalProperties: {} });

export const TicketBody = z
  .object({
    id: z.uuid(),
    number: z.string().describe('`SR-` and at least six digits; unique in the organisation.'),
    organisationId: z.string(),
    buildingId: z.uuid(),
    storeyId: z.uuid().nullable(),
    spaceId: z.uuid().nullable(),
    elementId: z.uuid().nullable(),
    requestType: z.string(),
    subject: z.string().nullable(),
    description: z.string(),
    priority: z.enum(priorities),
    category: z.string().nullable(),
    channel: z.enum(channels),
    reporterName: z.string().nullable(),
    reporterEmail: z.string().nullable(),
    reporterPhone: z.string().nullable(),
    reporterErased: z.boolean().describe('Name, address and phone of the reporter were erased.'),
    formData: shownFreeForm,
    metadata: shownFreeForm,
    state: z.enum(ticketStates),
    assignedUserId: z.string().nullable(),
    assignedTeamId: z.string().nullable(),
    slaFirstResponseDueAt: instant.nullable(),
    slaResolutionDueAt: instant.nullable(),
    slaFirstResponseBreached: z.boolean(),
    slaResolutionBreached: z.boolean(),
    slaPausedAt: instant
      .nullable()
      .describe(
        'Since when the ticket has been in a state that pauses its SLA clocks. Clocks that ' +
          'were not yet due are stopped; when the ticket leaves the state, their due times ' +
          'move by the length of the pause.',
      ),
    firstRespondedAt: instant.nullable(),
    resolvedAt: instant.nullable(),
    closedAt: instant.nullable(),
    workOrderId: z.string().nullable().describe('The latest linked work order.'),
    workOrderIds: z.array(z.string()),
    faultId: z
      .uuid()
      .nullable()
      .describe('The fault for which the ticket was raised, by a diagnostic rule or by a person.'),
    rating: z
      .object({ ...RateBody.shape, comment: z.string().nullable(), ratedAt: instant })
      .meta({ id: 'Rating' })
      .nullable()
      .describe('The rating by the requester who raised the ticket.'),
    createdAt: instant,
    createdBy: ActorBody,
    updatedAt: instant.describe('Increases with every visible change, by at least 1 ms.'),
    revision: z.int().describe('The same revision as in the `ETag`.'),
  })
  .meta({ id: 'Ticket' });

export const AssignedTicketBody = z
  .object({
    ...TicketBody.shape,
    warnings: z
      .array(z.string())
      .optional()
      .describe(
        'Assignees that do not exist. Absent if there are none, or if no directory is ' +
          'configured.',
      ),
  })
  .meta({ id: 'AssignedTicket' });

export const TicketListBody = z
  .object({
    items: z.array(TicketBody),
    page: z.int(),
    limit: z.int(),
    total: z
      .int()
      .describe(
        'The number of matches. Exact, unless `totalCapped` is true, which only `search` and ' +
          '`field.` filters cause.',
      ),
    totalCapped: z
      .literal(true)
      .optional()
      .describe(
        `Counting stopped at \`total\`: a search is counted up to ${SEARCH_TOTAL_MAX} matches, ` +
          `\`field.\` filters up to ${ANSWERED_TOTAL_MAX}, both within a time limit. There may ` +
          'be more matches.',
      ),
  })
  .meta({ id: 'TicketPage' });

export const NoteAnswerBody = z
  .object({
    id: z.string(),
    body: z.string(),
    visibility: z.enum(visibilities),
    createdAt: instant,
    createdBy: ActorBody,
    erased: z.literal(true).optional().describe('The text of the note was erased.'),
  })
  .meta({ id: 'Note' });

export const TransitionsBody = z
  .object({
    from: z.enum(ticketStates),
    allowed: z.array(z.enum(ticketStates)),
  })
  .meta({ id: 'AllowedTransitions' });

const TimelineEntryBody = z
  .object({
    id: z.string(),
    at: instant,
    kind: z.enum([
      'note',
      'system',
      'state',
      'assignment',
      'fields',
      'work_order',
      'sla',
      'attachment',
      'rating',
      'erasure',
    ]),
    actor: ActorBody,
    body: z.string().optional(),
    visibility: z.enum(visibilities).optional(),
    attachments: z
      .array(
        z.object({
          attachmentId: z.uuid(),
          name: z.string(),
          mediaType: z.string(),
          bytes: z.int(),
        }),
      )
      .optional()
      .describe('The files attached with a note, including files that were removed later.'),
    from: z.unknown().optional(),
    to: z.unknown().optional(),
    ruleId: z.string().optional(),
    erased: z.literal(true).optional().describe('The text of the note or the file was erased.'),
  })
  .meta({ id: 'TimelineEntry' });

export const TimelineBody = z
  .object({
    items: z.array(TimelineEntryBody),
    nextCursor: z.string().nullable().describe('Cursor for `after`; `null` on the last page.'),
  })
  .meta({ id: 'Timeline' });
