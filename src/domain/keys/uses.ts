/**
 * The events of the journals of key use: `keyuse-<organisation>.<yyyymm>` for uses and denials of
 * known keys, or `keyuse-@<writer>.<yyyymm>` in a log that shares journals between organisations;
 * `keydenial-<yyyymm>` for denials of unknown keys. The same contract with stored events as in
 * `events.ts`. No part of a token is ever stored here.
 */
import { z } from 'zod';
import { instant, text } from '../../engine/log/event-fields.ts';
import { sharedJournalEventSchemas } from './shared-journals.ts';
import { keyScopes } from './events.ts';
import { denialReasons } from './verdict.ts';

/** Denials that need no secret, and so can occur in any number. */
export const countedReasons = ['unknown', 'secret_mismatch'] as const;
export type CountedReason = (typeof countedReasons)[number];

export const keyUseEventSchemas = {
  ...sharedJournalEventSchemas,
  /** One request with a key, recorded before it is answered. */
  KeyUsed: z.strictObject({
    type: z.literal('KeyUsed'),
    outcome: z.enum(['allowed', 'denied']),
    /** `null` if allowed. */
    reason: z.enum(denialReasons).nullable(),
    /** These four are `null` for an unknown key. */
    keyId: text.nullable(),
    label: text.nullable(),
    scope: z.enum(keyScopes).nullable(),
    expiresAt: instant.nullable(),
    /** `GET /api/v1/sandboxes/{id}`: the route, never the requested path. */
    route: text,
    sourceIp: text,
    userAgent: z.string().nullable(),
    /** Revision of the keyring that decided; `null` if there was none. */
    keyringRevision: z.int().min(0).nullable(),
  }),
  /** The denials of a minute beyond those recorded one by one. */
  KeyDenialsCounted: z.strictObject({
    type: z.literal('KeyDenialsCounted'),
    reason: z.enum(countedReasons),
    /** `null`: several sources share this count. */
    sourceIp: text.nullable(),
    count: z.int().min(1),
    firstAt: instant,
    lastAt: instant,
  }),
  /** A process counts denials in memory until the counts of this minute are recorded. */
  DenialCountingBegan: z.strictObject({
    type: z.literal('DenialCountingBegan'),
    /** `2026-03-01T09:00:00.000Z`: its start. */
    minute: instant,
  }),
  /** All counts of that minute and process are recorded. */
  DenialCountingEnded: z.strictObject({
    type: z.literal('DenialCountingEnded'),
    minute: instant,
    /** Id of the event that began the count. */
    began: z.uuid(),
  }),
  /** A process ended without recording its counts. Recorded by the next process. */
  DenialCountsLost: z.strictObject({
    type: z.literal('DenialCountsLost'),
    minute: instant,
    began: z.uuid(),
  }),
};

export type KeyUseEvent = {
  [T in keyof typeof keyUseEventSchemas]: Readonly<z.infer<(typeof keyUseEventSchemas)[T]>>;
}[keyof typeof keyUseEventSchemas];

export type KeyUsed = Extract<KeyUseEvent, { type: 'KeyUsed' }>;
