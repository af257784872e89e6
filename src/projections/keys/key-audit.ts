/**
 * The audit of API keys as immutable rows, one per record. A record follows from its event alone,
 * so the history of a key uses the same rows. contract.md section 3.
 */
import type { Actor, Instant } from '../../engine/aggregates/decider.ts';
import { keyringEventSchemas, type KeyringEvent, type KeyScope } from '../../domain/keys/events.ts';
import { useCategories } from '../../domain/keys/journals.ts';
import type { KeyUseEvent } from '../../domain/keys/uses.ts';
import type { DenialReason } from '../../domain/keys/verdict.ts';
import { AUDIT_RETENTION_MONTHS } from '../../domain/keys/limits.ts';
import type { Codec, Recorded } from '../../engine/log/codec.ts';
import { keyringCodec, keyUseCodec } from '../../domain/keys/codecs.ts';
import { sortableOf } from '../../engine/log/positions.ts';
import { categoryOf } from '../../engine/log/streams.ts';
import type { Projection } from '../../engine/projections/projection.ts';

export const auditActions = ['key.issued', 'key.used', 'key.revoked'] as const;
export type AuditAction = (typeof auditActions)[number];

/** One record of the audit. contract.md section 3. */
export interface AuditRow {
  /** The id of its event. */
  readonly id: string;
  readonly at: Instant;
  /** Log position of its event, in the form of `sortableOf`. */
  readonly place: string;
  /** `null`: without an organisation, visible only to operators. */
  readonly organisationId: string | null;
  readonly action: AuditAction;
  readonly outcome: 'allowed' | 'denied';
  /** Why it was denied; `restored` for a revocation that was recorded again. */
  readonly reason: DenialReason | 'restored' | null;
  readonly keyId: string | null;
  readonly label: string | null;
  readonly scope: KeyScope | null;
  readonly expiresAt: Instant | null;
  /** `null` if unknown. */
  readonly actor: Actor | null;
  readonly route: string | null;
  readonly sourceIp: string | null;
  readonly userAgent: string | null;
  /** Only for a summary; for a gap, whose count is unknown, only the last two. */
  readonly count: number | null;
  readonly firstAt: Instant | null;
  readonly lastAt: Instant | null;
}

export type AuditEvent = KeyringEvent | KeyUseEvent;

/** The record of a fact; `null` for facts between processes. */
export const auditRowOf = ({ event, ...recorded }: Recorded<AuditEvent>): AuditRow | null => {
  const { id, at, by, organisation } = recorded;
  const place = sortableOf(recorded.position);
  const row = { ...blank, id, at, place, organisationId: organisation ?? null };
  switch (event.type) {
    case 'KeyIssued':
    case 'KeyRevoked': {
      // A record without a known owner must not be shown to the wrong organisation.
      if (organisation === undefined) throw new Error(`${event.type} of no organisation`);
      const { keyId, label, scope, expiresAt } = event;
      const action = event.type === 'KeyIssued' ? 'key.issued' : 'key.revoked';
      const reason = event.type === 'KeyRevoked' ? (event.reason ?? null) : null;
      const key = { keyId, label, scope, expiresAt, actor: by };
      return { ...row, action, outcome: 'allowed', reason, ...key };
    }
    case 'KeyUsed': {
      const { outcome, reason, keyId, label, scope, expiresAt, route, sourceIp, userAgent } = event;
      // Without a valid secret the caller is unknown.
      const actor = by.kind === 'key' ? by : null;
      const key = { keyId, label, scope, expiresAt, actor };
      return { ...row, ...key, action: 'key.used', outcome, reason, route, sourceIp, userAgent };
    }
    case 'KeyDenialsCounted': {
      const { reason, sourceIp, count, firstAt, lastAt } = event;
      return { ...row, ...denied, reason, sourceIp, count, firstAt, lastAt };
    }
    case 'DenialCountsLost': {
      // At the time of the gap, not of its discovery.
      const { minute } = event;
      return { ...row, ...denied, at: minute, reason: 'unknown', firstAt: minute, lastAt: minute };
    }
    case 'KeyringOpened':
    case 'DenialCountingBegan':
    case 'DenialCountingEnded':
    case 'JournalOpened':
    case 'JournalClosed':
    case 'GuardChanged':
      return null;
  }
};

const denied = { action: 'key.used', outcome: 'denied' } as const;

const blank = {
  reason: null,
  keyId: null,
  label: null,
  scope: null,
  expiresAt: null,
  actor: null,
  route: null,
  sourceIp: null,
  userAgent: null,
  count: null,
  firstAt: null,
  lastAt: null,
};

const isOfKeyring = (event: AuditEvent): event is KeyringEvent => event.type in keyringEventSchemas;

const auditCodec: Codec<AuditEvent> = {
  encode: (id, event, record) =>
    isOfKeyring(event)
      ? keyringCodec.encode(id, event, record)
      : keyUseCodec.encode(id, event, record),
  decode: (stored) =>
    categoryOf(stored.stream) === 'keyring'
      ? keyringCodec.decode(stored)
      : keyUseCodec.decode(stored),
};

export const keyAudit: Projection<AuditEvent, AuditRow> = {
  name: 'key-audit',
  version: 2,
  categories: ['keyring', ...useCategories],
  codec: auditCodec,
  table: {
    name: 'record',
    columns: {
      id: 'uuid not null',
      at: 'timestamptz not null',
      place: 'text collate "C" not null',
      organisationId: 'text',
      action: 'text not null',
      outcome: 'text not null',
      reason: 'text',
      keyId: 'text collate "C"',
      label: 'text',
      scope: 'text',
      expiresAt: 'timestamptz',
      actor: 'jsonb',
      route: 'text',
      sourceIp: 'text',
      userAgent: 'text',
      count: 'bigint',
      firstAt: 'timestamptz',
      lastAt: 'timestamptz',
    },
    key: 'id',
    indexes: [
      'create index on $table (organisation_id, at desc, id desc)',
      'create index on $table (organisation_id, place)',
      'create index on $table (organisation_id, key_id, outcome, at desc, id desc)',
      'create index on $table (organisation_id, action, outcome, at desc, id desc)',
    ],
    partitions: { by: 'at', keptMonths: AUDIT_RETENTION_MONTHS },
  },
  keyOf: (recorded) => (auditRowOf(recorded) === null ? null : recorded.id),
  // A repeated event does not change its record.
  rowAfter: (recorded, row) => row ?? auditRowOf(recorded),
};
