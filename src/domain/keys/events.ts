/**
 * What is on disk of an organisation's keys. Names and shapes here are a contract with every event
 * ever stored: add an optional field, or a new event beside the old one; never rename, retype or
 * reuse. When and by whom stands beside a fact, never inside it.
 */
import { z } from 'zod';
import { instant, text } from '../../engine/aggregates/event-fields.ts';

/** Exactly one per key. interface.md, «API key». */
export const keyScopes = ['sandbox', 'publish', 'full'] as const;
export type KeyScope = (typeof keyScopes)[number];

/** SHA-256 in hex: what is kept of a secret, here and everywhere. */
const secretHash = z.string().regex(/^[0-9a-f]{64}$/);

export const keyringEventSchemas = {
  /** The first event of every keyring: whose it is. */
  KeyringOpened: z.strictObject({
    type: z.literal('KeyringOpened'),
    organisation: text,
  }),
  KeyIssued: z.strictObject({
    type: z.literal('KeyIssued'),
    keyId: text,
    label: text,
    scope: z.enum(keyScopes),
    secretHash,
    /** `null`: never; only operators mint such keys. */
    expiresAt: instant.nullable(),
  }),
  KeyRevoked: z.strictObject({
    type: z.literal('KeyRevoked'),
    keyId: text,
    /** As they were issued, so that a reader of this one event knows which key it was. */
    label: text,
    scope: z.enum(keyScopes),
    expiresAt: instant.nullable(),
    /** Recorded once more, because the log was restored from a backup that lacked it. */
    reason: z.literal('restored').optional(),
  }),
};

export type KeyringEvent = {
  [T in keyof typeof keyringEventSchemas]: Readonly<z.infer<(typeof keyringEventSchemas)[T]>>;
}[keyof typeof keyringEventSchemas];
