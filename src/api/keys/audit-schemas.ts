/** Schemas of the audit routes. interface.md «Audit record», contract.md section 3. */
import { z } from 'zod';
import { keyScopes } from '../../domain/keys/events.ts';
import { denialReasons } from '../../domain/keys/verdict.ts';
import { KEY_ID } from '../../identity/keys/token.ts';
import { AUDIT_PAGE_DEFAULT, AUDIT_PAGE_MAX, AUDIT_WAIT_MAX_S } from './limits.ts';
import { CURSOR_CHARACTERS_MAX } from '../../limits.ts';
import { auditActions, type AuditRow } from '../../projections/keys/key-audit.ts';
import { cursorOf } from '../http/cursors.ts';
import { comparableInstant, isComparable, queryNumber } from '../http/text.ts';
import { ActorBody } from '../http/actor.ts';

const instant = z.iso.datetime();

const cursorInstant = instant.refine(isComparable);

const limit = queryNumber(1, AUDIT_PAGE_MAX, AUDIT_PAGE_DEFAULT);

/** The cursor before the oldest record. */
export const AUDIT_START = 'start';

export const AuditQuery = z
  .strictObject({
    action: z.enum(auditActions).optional(),
    keyId: z.string().regex(KEY_ID, 'is not a key id').optional(),
    outcome: z.enum(['allowed', 'denied']).optional(),
    from: comparableInstant.optional().describe('Inclusive.'),
    to: comparableInstant.optional().describe('Exclusive.'),
    limit: limit.describe('Of a page; an export has the whole selection, whatever the limit.'),
    cursor: cursorOf(z.strictObject({ at: cursorInstant, id: z.uuid() })).optional(),
    after: z
      .string()
      .max(CURSOR_CHARACTERS_MAX)
      .optional()
      .describe(
        '`start`, then `nextCursor` of the previous page: the records in the order of the ' +
          'log, oldest first, without duplicates or gaps. Cannot be combined with `from`, `to` ' +
          'and `cursor`.',
      ),
    wait: queryNumber(0, AUDIT_WAIT_MAX_S, 0).describe(
      'Long poll, with `after`: seconds to wait for a record before an empty page is ' +
        'returned.',
    ),
  })
  .refine(({ from, to }) => from === undefined || to === undefined || from <= to, {
    path: ['from'],
    message: 'must not be after to',
  })
  .superRefine(({ after, wait, ...others }, context) => {
    if (after === undefined) {
      if (wait > 0) context.addIssue({ code: 'custom', path: ['wait'], message: 'needs after' });
      return;
    }
    for (const name of ['from', 'to', 'cursor'] as const) {
      if (others[name] === undefined) continue;
      context.addIssue({ code: 'custom', path: [name], message: 'cannot be combined with after' });
    }
  });

export const HistoryQuery = z.strictObject({
  asOf: comparableInstant
    .optional()
    .describe('Return the state of the key at this time; not in the future.'),
  limit,
  cursor: cursorOf(
    z.strictObject({
      facts: z.int().min(0),
      month: cursorInstant,
      after: z.string().nullable(),
    }),
  ).optional(),
});

export const AuditItemBody = z
  .object({
    id: z.uuid(),
    at: instant,
    action: z.enum(auditActions),
    outcome: z.enum(['allowed', 'denied']),
    reason: z
      .enum([...denialReasons, 'restored'])
      .nullable()
      .describe(
        'Why the request was denied. `restored`: a revocation that was recorded again, with ' +
          'its original time and actor, after the log was restored from a backup.',
      ),
    keyId: z.string().nullable(),
    label: z.string().nullable(),
    scope: z.enum(keyScopes).nullable(),
    expiresAt: instant.nullable(),
    actor: ActorBody.nullable().describe('`null` if unknown.'),
    route: z.string().nullable().describe('`GET /api/v1/sandboxes/{id}`'),
    sourceIp: z.string().nullable(),
    userAgent: z.string().nullable(),
    count: z
      .int()
      .nullable()
      .optional()
      .describe(
        'Only in a summary: the number of denials that it stands for; `null` if that number ' +
          'was lost.',
      ),
    firstAt: instant.optional(),
    lastAt: instant.optional(),
  })
  .meta({ id: 'AuditRecord' });

export type AuditItem = z.infer<typeof AuditItemBody>;

const cursor = z
  .string()
  .nullable()
  .describe('`null` on the last page; with `after`, never `null`.');

export const AuditPageBody = z
  .object({ items: z.array(AuditItemBody), nextCursor: cursor })
  .meta({ id: 'AuditPage' });

/** The public form of a record; without its organisation, which the caller knows. */
export const auditItemOf = (row: AuditRow): AuditItem => {
  const { organisationId: _, place: __, count, firstAt, lastAt, ...item } = row;
  return firstAt === null || lastAt === null ? item : { ...item, count, firstAt, lastAt };
};
