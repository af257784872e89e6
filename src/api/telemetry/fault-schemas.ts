/** Schemas of the routes of faults. contract.md section 6. */
import { z } from 'zod';
import { priorities } from '../../domain/tickets/events.ts';
import { ticketStates } from '../../domain/tickets/graph.ts';
import { categoryText, requestTypeText } from '../../domain/tickets/words.ts';
import { TEXT_CHARACTERS_MAX } from '../../limits.ts';
import { exampled } from '../http/examples.ts';
import { OFFSET_MAX } from '../http/limits.ts';
import { id, queryBoolean, queryNumber, spokenText } from '../http/text.ts';
import { SUBJECT_CHARACTERS_MAX } from '../tickets/limits.ts';
import { found } from './diagnostics-schemas.ts';
import { FAULTS_PAGE_DEFAULT, FAULTS_PAGE_MAX } from './limits.ts';
import { BuildingParams } from './schemas.ts';

export const FaultBody = z
  .object({
    faultId: z.uuid(),
    ruleId: z.uuid(),
    pointId: z.uuid(),
    elementId: z.uuid(),
    severity: z.string(),
    title: z.string(),
    ...found,
    ticket: z
      .object({
        ticketId: z.uuid(),
        number: z.string(),
        state: z.enum(ticketStates),
      })
      .meta({ id: 'FaultTicket' })
      .nullable()
      .optional()
      .describe(
        '`null` if the fault has no ticket. Absent for callers without permission to read ' +
          'tickets.',
      ),
  })
  .meta({ id: 'Fault' });

export const FaultListBody = z
  .object({
    items: z.array(FaultBody),
    limit: z.int(),
    offset: z.int(),
    total: z.int().describe('The exact number of matches.'),
  })
  .meta({ id: 'FaultList' });

export const FaultParams = BuildingParams.extend({ faultId: id });

/** Absent members are filled in from the fault. */
export const FaultTicketBody = z
  .strictObject({
    priority: z.enum(priorities).optional(),
    category: categoryText.optional(),
    requestType: requestTypeText.optional(),
    subject: spokenText(SUBJECT_CHARACTERS_MAX).optional(),
    description: z.exactOptional(spokenText(TEXT_CHARACTERS_MAX)),
  })
  .meta({ id: 'NewFaultTicket', ...exampled({ priority: 'high', category: 'climate' }) });

export const FaultsQuery = z.strictObject({
  open: queryBoolean.optional().describe('Only open faults, or only closed ones.'),
  spaceId: id.optional().describe('Internal id of a space: only faults of points in it.'),
  limit: queryNumber(1, FAULTS_PAGE_MAX, FAULTS_PAGE_DEFAULT),
  offset: queryNumber(0, OFFSET_MAX, 0),
});
