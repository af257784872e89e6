/** The lines of a ticket import, and its answer lines. contract.md section 5. */
import { z } from 'zod';
import {
  IMPORT_KEY_CHARACTERS_MAX,
  INSTANT_CHARACTERS_MAX,
  ORIGINAL_NUMBER_CHARACTERS_MAX,
} from './limits.ts';
import { demo, exampled } from '../http/examples.ts';
import { text } from '../http/text.ts';
import { CreateTicketBody } from './schemas.ts';

export const ImportQuery = z.strictObject({
  routing: z
    .enum(['on', 'off'])
    .default('on')
    .describe("`off`: the organisation's routing rules do not run. Service levels always count."),
});

const originalTime = z.iso.datetime({ offset: true }).max(INSTANT_CHARACTERS_MAX);

export const ImportLine = z
  .strictObject({
    importKey: text(IMPORT_KEY_CHARACTERS_MAX).describe(
      'Names the ticket in the organisation: the same key again is the same ticket.',
    ),
    ...CreateTicketBody.shape,
    originalNumber: text(ORIGINAL_NUMBER_CHARACTERS_MAX)
      .nullish()
      .describe('Of the system it comes from; kept in `metadata.imported`, as the times are.'),
    originalCreatedAt: originalTime.nullish(),
    originalClosedAt: originalTime.nullish(),
  })
  .meta({
    id: 'TicketImportLine',
    ...exampled({
      importKey: 'cafm/WO-4711',
      buildingId: demo.buildingId,
      spaceId: demo.spaceId,
      subject: 'Too warm',
      description: 'It is 28 °C at the window desks since noon.',
      originalNumber: 'WO-4711',
      originalCreatedAt: '2024-05-13T08:30:00.000Z',
    }),
  });

export const importStatuses = ['created', 'exists', 'failed'] as const;

const LineAnswer = z
  .object({
    line: z.int().describe('From 1, blank ones counted.'),
    importKey: z.string().nullable().describe('`null` where the line has none that can be read.'),
    status: z.enum(importStatuses),
    id: z.uuid().optional().describe('Of the ticket, as `number`; not of a line that failed.'),
    number: z.string().optional(),
    code: z.string().optional().describe('Why the line failed: the code of a problem.'),
    detail: z.string().optional(),
  })
  .meta({ id: 'TicketImportOutcome' });

const SummaryAnswer = z
  .object({
    summary: z.object({ created: z.int(), exists: z.int(), failed: z.int() }),
  })
  .meta({ id: 'TicketImportSummary' });

/** The last line of an import or bulk that was stopped early. */
export const StoppedAnswer = z
  .object({
    problem: z
      .looseObject({ code: z.string(), detail: z.string().optional() })
      .describe('What ended it: after the last answer, tickets may be stored or not.'),
  })
  .meta({ id: 'TicketWorkStopped' });

/** One line of the answer. */
export const ImportAnswer = z
  .union([LineAnswer, SummaryAnswer, StoppedAnswer])
  .meta({ id: 'TicketImportAnswer' });

export type ImportOutcome = z.input<typeof LineAnswer>;
export type ImportSummary = z.input<typeof SummaryAnswer>['summary'];
