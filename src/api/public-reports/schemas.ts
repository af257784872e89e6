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
        'Leave this out. It is a hidden field of the page that detects bots: a value is ' +
          'answered with 400.',
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
      .describe('A page that shows the ticket to anyone with this link. The token follows `#`.'),
  })
  .meta({ id: 'Report' });

export const ChallengeBody = z
  .object({
    challenge: z.string(),
    bits: z
      .int()
      .describe(
        'Number of leading zero bits. Find a number such that the SHA-256 of ' +
          '`<challenge>.<number>` begins with that many zero bits, and send ' +
          '`<challenge>.<number>` as `X-Atrium-Proof`.',
      ),
    expiresAt: instant,
  })
  .meta({ id: 'ReportChallenge' });

export const PlaceQuery = z.strictObject({
  building: id.describe('Id of the building, from the address on the label.'),
  space: id.optional(),
  element: id.optional(),
  code: text(LABEL_CODE_CHARACTERS_MAX).optional().describe('Used if the id no longer exists.'),
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
      .describe('`null` if the label names no place, or one that does not exist.'),
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
      .describe('The latest public notes, oldest first, without their authors.'),
    expiresAt: instant.describe('When the link expires.'),
  })
  .meta({ id: 'ReportStatus' });

export const StatusLinkBody = z
  .object({
    issuedAt: instant,
    expiresAt: instant.describe(
      "The end of the link's lifetime, or a few days after the ticket was closed.",
    ),
    revokedAt: instant.nullable(),
  })
  .meta({ id: 'StatusLink' });
