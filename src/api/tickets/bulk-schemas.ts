/** The body of a bulk, and its answer lines. contract.md section 5. */
import { z } from 'zod';
import { visibilities } from '../../domain/tickets/events.ts';
import { TICKET_BULK_MAX } from './limits.ts';
import { demo, exampled } from '../http/examples.ts';
import { id } from '../http/text.ts';
import { StoppedAnswer } from './import-schemas.ts';
import {
  AssignBody,
  NoteBody,
  PatchTicketBody,
  TicketFilterQuery,
  TransitionBody,
} from './schemas.ts';

/** A bulk is for staff only. */
const NoteOfStaffBody = NoteBody.extend({
  visibility: z.enum(visibilities).default('internal'),
}).meta({ id: 'NoteOfStaff' });

const BulkActionBody = z
  .strictObject({
    assign: z.exactOptional(AssignBody),
    transition: z.exactOptional(TransitionBody),
    patch: z.exactOptional(PatchTicketBody),
    note: z.exactOptional(NoteOfStaffBody),
  })
  .refine(
    (action) => Object.keys(action).length === 1,
    'needs one of assign, transition, patch and note',
  )
  .meta({
    id: 'BulkAction',
    description:
      'One of these actions, with the body that the operation for a single ticket accepts.',
  });

export const BulkBody = z
  .strictObject({
    tickets: z
      .exactOptional(z.array(id).min(1).max(TICKET_BULK_MAX))
      .describe('The ids of the tickets.'),
    filter: z
      .exactOptional(TicketFilterQuery)
      .describe(
        'The query parameters of the list, with the same values: `{ "state": "new,triaged" ' +
          '}`.',
      ),
    expected: z
      .exactOptional(
        z.int().min(0).max(TICKET_BULK_MAX, `a bulk acts on at most ${TICKET_BULK_MAX} tickets`),
      )
      .describe(
        'With `filter`: the number of tickets that you expect it to match; if it matches ' +
          'another number, the response is 409. A filter that matches more than ' +
          `${TICKET_BULK_MAX} tickets is refused.`,
      ),
    action: BulkActionBody,
  })
  .refine(
    ({ tickets, filter }) => (tickets === undefined) !== (filter === undefined),
    'needs either tickets or filter',
  )
  .refine(({ filter, expected }) => (filter === undefined) === (expected === undefined), {
    message: 'goes with filter',
    path: ['expected'],
  })
  .meta({
    id: 'TicketBulk',
    ...exampled({ tickets: [demo.ticketId], action: { assign: { assignedTeamId: 'hvac' } } }),
  });

const BulkLine = z
  .object({
    id: z.uuid().describe('Id of the ticket.'),
    status: z
      .enum(['done', 'refused'])
      .describe('`done`: the change was recorded, or the ticket already was as requested.'),
    code: z.string().optional().describe('The problem code with which the ticket was refused.'),
    detail: z.string().optional(),
    warnings: z
      .array(z.string())
      .max(2)
      .optional()
      .describe('With `assign`: assignees that are neither known users nor teams.'),
  })
  .meta({ id: 'TicketBulkOutcome' });

const BulkSummary = z
  .object({ summary: z.object({ done: z.int(), refused: z.int() }) })
  .meta({ id: 'TicketBulkSummary' });

/** One line of the answer. */
export const BulkAnswer = z
  .union([BulkLine, BulkSummary, StoppedAnswer])
  .meta({ id: 'TicketBulkAnswer' });

export type BulkOutcome = z.input<typeof BulkLine>;
export type BulkTotals = z.input<typeof BulkSummary>['summary'];
