/**
 * What the journals of key use hold: `keyuse-<organisation>.<yyyymm>` for uses and denials of known
 * keys, or `keyuse-@<writer>.<yyyymm>` where the log keeps those of all organisations together;
 * `keydenial-<yyyymm>` for those of unknown ones, which belong to nobody. The same contract with
 * stored events as in `events.ts`. Nothing of a token ever stands here.
 */
import { z } from 'zod';
import { instant, text } from '../../engine/aggregates/event-fields.ts';
import { sharedJournalEventSchemas } from './shared-journals.ts';
import { keyScopes } from './events.ts';
import { denialReasons } from './verdict.ts';

/** Denials that can be had without a secret, and so in any number. */
export const countedReasons = ['unknown', 'secret_mismatch'] as const;
export type CountedReason = (typeof countedReasons)[number];

export const keyUseEventSchemas = {
  ...sharedJournalEventSchemas,
  /** One request that came with a key, recorded before it was answered. */
  KeyUsed: z.strictObject({
    type: z.literal('KeyUsed'),
    outcome: z.enum(['allowed', 'denied']),
    /** `null` where it was allowed. */
    reason: z.enum(denialReasons).nullable(),
    /** These four are `null` where the key is unknown. */
    keyId: text.nullable(),
    label: text.nullable(),
    scope: z.enum(keyScopes).nullable(),
    expiresAt: instant.nullable(),
    /** `GET /api/v1/sandboxes/{id}`: the route, never the path that was asked for. */
    route: text,
    sourceIp: text,
    userAgent: z.string().nullable(),
    /** Of the keyring that decided; `null` where there was none. */
    keyringRevision: z.int().min(0).nullable(),
  }),
  /** The denials of a minute beyond those that were recorded singly. */
  KeyDenialsCounted: z.strictObject({
    type: z.literal('KeyDenialsCounted'),
    reason: z.enum(countedReasons),
    /** `null`: several, which share one count. */
    sourceIp: text.nullable(),
    count: z.int().min(1),
    firstAt: instant,
    lastAt: instant,
  }),
  /** From here on a process counts in memory, until the counts of this minute are recorded. */
  DenialCountingBegan: z.strictObject({
    type: z.literal('DenialCountingBegan'),
    /** `2026-03-01T09:00:00.000Z`: its start. */
    minute: instant,
  }),
  /** All counts of that minute, of that process, are recorded. */
  DenialCountingEnded: z.strictObject({
    type: z.literal('DenialCountingEnded'),
    minute: instant,
    /** Id of the event that began it. */
    began: z.uuid(),
  }),
  /** A process ended without recording what it had counted. Recorded by the next one. */
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
