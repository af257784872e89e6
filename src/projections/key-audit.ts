import type { Actor, Instant } from '../domain/decider.ts';
import type { KeyScope, KeyringEvent } from '../domain/keyring/events.ts';
import type { KeyUseEvent } from '../domain/keyring/uses.ts';
import type { DenialReason } from '../domain/keyring/verdict.ts';
import { useCategories } from '../domain/keyring/journals.ts';
import type { Codec, Recorded } from '../store/codec.ts';
import { keyringCodec, keyUseCodec } from '../store/codecs.ts';
import { categoryOf } from '../store/streams.ts';
import type { Projection } from './projection.ts';

export const auditActions = ['key.issued', 'key.used', 'key.revoked'] as const;
export type AuditAction = (typeof auditActions)[number];

/** One record of the audit. contract.md section 3. */
export interface AuditRow {
  /** Of its event. */
  readonly id: string;
  readonly at: Instant;
  /** `null`: nobody's, shown to operators without an organisation. */
  readonly organisationId: string | null;
  readonly action: AuditAction;
  readonly outcome: 'allowed' | 'denied';
  readonly reason: DenialReason | null;
  readonly keyId: string | null;
  readonly label: string | null;
  readonly scope: KeyScope | null;
  readonly expiresAt: Instant | null;
  /** `null` where nobody is known. */
  readonly actor: Actor | null;
  readonly route: string | null;
  readonly sourceIp: string | null;
  readonly userAgent: string | null;
  /** These three of a summary alone; of a gap, whose number nobody knows, the last two. */
  readonly count: number | null;
  readonly firstAt: Instant | null;
  readonly lastAt: Instant | null;
}
