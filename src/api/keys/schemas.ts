/** Schemas of the key routes. interface.md «API key», contract.md section 3. */
import { z } from 'zod';
import { keyScopes } from '../../domain/keys/events.ts';
import type { KeyAt } from '../../domain/keys/view.ts';
import type { Instant } from '../../engine/aggregates/decider.ts';
import { KEY_ID } from '../../identity/keys/token.ts';
import { KEY_LABEL_CHARACTERS_MAX, KEY_LIFETIME_DAYS_DEFAULT } from './limits.ts';
import { KEY_LIFETIME_DAYS_MAX, KEY_LIFETIME_DAYS_MIN } from '../../domain/keys/limits.ts';
import { exampled } from '../http/examples.ts';
import { spokenText } from '../http/text.ts';
import { ActorBody } from '../http/actor.ts';

/** An id of another form cannot exist: a 404, like any other unknown id. */
export const KeyParams = z.object({ keyId: z.string().regex(KEY_ID, 'is not a key id') });

export const keyLabel = spokenText(KEY_LABEL_CHARACTERS_MAX).refine(
  (label) => !/\p{Cc}/u.test(label),
  'must not contain control characters',
);

export const MintKeyBody = z
  .strictObject({
    label: keyLabel,
    scope: z
      .enum(keyScopes)
      .default('sandbox')
      .describe('`sandbox`: the sandbox lifecycle. `full`: also listing and revoking keys.'),
    expiresInDays: z
      .int()
      .min(KEY_LIFETIME_DAYS_MIN)
      .max(KEY_LIFETIME_DAYS_MAX)
      .default(KEY_LIFETIME_DAYS_DEFAULT),
  })
  .meta({ id: 'NewKey', ...exampled({ label: 'ci', scope: 'sandbox', expiresInDays: 30 }) });

const instant = z.iso.datetime();

const key = {
  keyId: z.string(),
  label: z.string(),
  scope: z.enum(keyScopes),
  status: z.enum(['active', 'expired', 'revoked']),
  createdAt: instant,
  createdBy: ActorBody,
  expiresAt: instant.nullable().describe('`null` for a key that an operator minted.'),
};

export const MintedKeyBody = z
  .object({
    ...key,
    token: z
      .string()
      .optional()
      .describe(
        'The plaintext of the key, returned only once. Absent if the request is repeated ' +
          'with the same Idempotency-Key.',
      ),
  })
  .meta({ id: 'MintedKey' });

export const KeyBody = z
  .object({
    ...key,
    revokedAt: instant.nullable(),
    revokedBy: ActorBody.nullable(),
    lastUsedAt: instant
      .nullable()
      .describe('Time of the latest allowed request within the last 18 months.'),
  })
  .meta({ id: 'Key' });

export const KeyListBody = z.object({ items: z.array(KeyBody) }).meta({ id: 'KeyList' });

export const keyBody = (key: KeyAt, lastUsedAt: Instant | null): z.infer<typeof KeyBody> => ({
  ...key,
  lastUsedAt,
});
