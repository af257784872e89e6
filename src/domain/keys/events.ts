/**
 * The stored events of an organisation's keys. Names and shapes here are a contract with every
 * event ever stored: add an optional field, or a new event beside the old one; never rename, retype
 * or reuse. Time and actor are metadata of a fact, never part of it.
 */
import { z } from 'zod';
import { instant, text } from '../../engine/log/event-fields.ts';

/** Exactly one per key. interface.md, «API key». */
export const keyScopes = ['sandbox', 'publish', 'full'] as const;
export type KeyScope = (typeof keyScopes)[number];

/** SHA-256 in hex, the only form in which a secret is stored. */
const secretHash = z.string().regex(/^[0-9a-f]{64}$/);

export const keyringEventSchemas = {
  /** The first event of every keyring: the organisation it belongs to. */
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
    /** As issued, so that this event alone identifies the key. */
    label: text,
    scope: z.enum(keyScopes),
    expiresAt: instant.nullable(),
    /** Recorded again because the log was restored from a backup that lacked it. */
    reason: z.literal('restored').optional(),
  }),
};

export type KeyringEvent = {
  [T in keyof typeof keyringEventSchemas]: Readonly<z.infer<(typeof keyringEventSchemas)[T]>>;
}[keyof typeof keyringEventSchemas];
