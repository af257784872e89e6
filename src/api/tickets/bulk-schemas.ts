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
    description: 'One of these, with the body of its route for a single ticket.',
  });

export const BulkBody = z
  .strictObject({
    tickets: z.exactOptional(z.array(id).min(1).max(TICKET_BULK_MAX)).describe('Their ids.'),
    filter: z
      .exactOptional(TicketFilterQuery)
      .describe(
        'As in the query of the list, each written as there: `{ "state": "new,triaged" }`.',
      ),
    expected: z
      .exactOptional(
        z.int().min(0).max(TICKET_BULK_MAX, `a bulk acts on at most ${TICKET_BULK_MAX} tickets`),
      )
      .describe(
        'With `filter`: the number of tickets that it finds, else 409. A filter that finds more ' +
          `than ${TICKET_BULK_MAX} is refused.`,
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
    id: z.uuid().describe('Of the ticket.'),
    status: z.enum(['done', 'refused']).describe('`done`: recorded, or there was nothing to do.'),
    code: z.string().optional().describe('Why it was refused: the code of a problem.'),
    detail: z.string().optional(),
    warnings: z
      .array(z.string())
      .max(2)
      .optional()
      .describe('With `assign`: assignees that are not known users or teams.'),
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
