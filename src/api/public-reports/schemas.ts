/** Schemas of the routes without sign-in. contract.md section 5. */
import { z } from 'zod';
import { isOrganisationAlias } from '../../domain/organisation.ts';
import { ticketStates } from '../../domain/tickets/graph.ts';
import { TICKET_NUMBER_FORM } from '../../domain/tickets/numbering.ts';
import { addressText } from '../../domain/tickets/words.ts';
import { ORGANISATION_CHARACTERS_MAX, TEXT_CHARACTERS_MAX } from '../../limits.ts';
import { demo, exampled } from '../http/examples.ts';
import { id, spokenText, text } from '../http/text.ts';
import { REPORTER_CHARACTERS_MAX, SUBJECT_CHARACTERS_MAX } from '../tickets/limits.ts';
import { LABEL_CODE_CHARACTERS_MAX, STATUS_NOTES_MAX, UNSEEN_CHARACTERS_MAX } from './limits.ts';

const instant = z.iso.datetime();

export const ReportBody = z
  .strictObject({
    organisation: z
      .string()
      .max(ORGANISATION_CHARACTERS_MAX)
      .refine(isOrganisationAlias, 'must be an alias of an organisation'),
    buildingId: id,
    spaceId: id.nullish().describe('Implies its storey.'),
    elementId: id.nullish().describe('Implies its space and storey.'),
    subject: z.string().max(SUBJECT_CHARACTERS_MAX).nullish(),
    description: spokenText(TEXT_CHARACTERS_MAX),
    reporterName: z.string().max(REPORTER_CHARACTERS_MAX).nullish(),
    reporterEmail: addressText(REPORTER_CHARACTERS_MAX).nullish(),
    website: z
      .string()
      .max(UNSEEN_CHARACTERS_MAX)
      .optional()
      .describe(
        'Leave it out: a field of the page that people do not see. Filled in, it is a 400.',
      ),
  })
  .meta({
    id: 'NewReport',
    ...exampled({
      organisation: 'acme',
      buildingId: demo.buildingId,
      spaceId: demo.spaceId,
      description: 'The radiator at the window drips.',
      reporterName: 'Kim',
    }),
  });

export const ReportAnswerBody = z
  .object({
    number: z.string().regex(TICKET_NUMBER_FORM),
    statusUrl: z
      .url()
      .describe('A page that shows the ticket to its holder. The token follows `#`.'),
  })
  .meta({ id: 'Report' });

export const ChallengeBody = z
  .object({
    challenge: z.string(),
    bits: z
      .int()
      .describe(
        'Find a number so that the SHA-256 of `<challenge>.<number>` begins with so many zero ' +
          'bits, and send both as `X-Atrium-Proof`.',
      ),
    expiresAt: instant,
  })
  .meta({ id: 'ReportChallenge' });

export const PlaceQuery = z.strictObject({
  building: id.describe('As the label of a place says it.'),
  space: id.optional(),
  element: id.optional(),
  code: text(LABEL_CODE_CHARACTERS_MAX)
    .optional()
    .describe('Counts where nothing has the id any more.'),
});

export const PlaceBody = z
  .object({
    organisation: z.string(),
    building: z.object({ id: z.uuid(), name: z.string() }),
    place: z
      .object({
        kind: z.enum(['space', 'element']),
        id: z.uuid(),
        code: z.string(),
        name: z.string(),
        storey: z.string().nullable().describe('Its name.'),
      })
      .nullable()
      .describe('`null`: the label names none, or none that there is.'),
  })
  .meta({ id: 'ReportPlace' });

export const StatusBody = z
  .object({
    number: z.string(),
    subject: z.string().nullable(),
    state: z.enum(ticketStates),
    createdAt: instant,
    resolvedAt: instant.nullable(),
    closedAt: instant.nullable(),
    notes: z
      .array(z.object({ at: instant, body: z.string() }))
      .max(STATUS_NOTES_MAX)
      .describe('Public notes, the latest ones, oldest first. They do not say who wrote them.'),
    expiresAt: instant.describe('When the link ends.'),
  })
  .meta({ id: 'ReportStatus' });

export const StatusLinkBody = z
  .object({
    issuedAt: instant,
    expiresAt: instant.describe('By its term, or some days after the ticket was closed.'),
    revokedAt: instant.nullable(),
  })
  .meta({ id: 'StatusLink' });
