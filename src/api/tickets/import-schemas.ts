/** The lines of a ticket import, and its answer lines. contract.md section 5. */
import { z } from 'zod';
import {
  IMPORT_KEY_CHARACTERS_MAX,
  INSTANT_CHARACTERS_MAX,
  ORIGINAL_NUMBER_CHARACTERS_MAX,
} from './limits.ts';
import { isJsonObject } from '../../engine/json-object.ts';
import { demo, exampled } from '../http/examples.ts';
import { unpadded } from '../../domain/blank.ts';
import { text } from '../http/text.ts';
import { CreateTicketBody } from './schemas.ts';

export const ImportQuery = z.strictObject({
  routing: z
    .enum(['on', 'off'])
    .default('on')
    .describe(
      "`off`: the organisation's routing rules are not applied. Service levels always apply.",
    ),
  forms: z
    .enum(['on', 'off'])
    .default('on')
    .describe(
      '`off`: `formData` is stored as it is sent, without a check against the form of its ' +
        'request type: for exported tickets, whose form may have changed and whose answers may ' +
        'have been erased. The limits of `formData` always apply.',
    ),
});

const originalTime = z.iso.datetime({ offset: true }).max(INSTANT_CHARACTERS_MAX);

export const ImportLine = z
  .strictObject({
    importKey: unpadded(text(IMPORT_KEY_CHARACTERS_MAX)).describe(
      'Identifies the ticket within the organisation: lines with the same key import the ' +
        'same ticket.',
    ),
    ...CreateTicketBody.shape,
    originalNumber: text(ORIGINAL_NUMBER_CHARACTERS_MAX)
      .nullish()
      .describe(
        'The ticket number in the source system; stored in `metadata.imported` with the ' +
          'original times.',
      ),
    originalCreatedAt: originalTime.nullish(),
    originalClosedAt: originalTime.nullish(),
  })
  .refine(
    ({ metadata, originalNumber, originalCreatedAt, originalClosedAt }) =>
      isJsonObject(metadata?.['imported'] ?? {}) ||
      (originalNumber ?? originalCreatedAt ?? originalClosedAt ?? null) === null,
    {
      path: ['metadata', 'imported'],
      message: 'must be an object, because originals are stored in it',
    },
  )
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

const importStatuses = ['created', 'exists', 'failed'] as const;

const LineAnswer = z
  .object({
    line: z.int().describe('Line number from 1, including blank lines.'),
    importKey: z.string().nullable().describe('`null` if the line has no readable key.'),
    status: z.enum(importStatuses),
    id: z
      .uuid()
      .optional()
      .describe('Id of the ticket. Like `number`, absent for a line that failed.'),
    number: z.string().optional(),
    code: z.string().optional().describe('The problem code with which the line failed.'),
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
      .describe(
        'Why processing ended. Lines after the last result may or may not have been stored.',
      ),
  })
  .meta({ id: 'TicketWorkStopped' });

/** One line of the answer. */
export const ImportAnswer = z
  .union([LineAnswer, SummaryAnswer, StoppedAnswer])
  .meta({ id: 'TicketImportAnswer' });

export type ImportOutcome = z.input<typeof LineAnswer>;
export type ImportSummary = z.input<typeof SummaryAnswer>['summary'];
