/** Formats what the commands on keys print for people. */
import type { Actor, Instant } from '../../engine/aggregates/decider.ts';
import type { KeyAt } from '../../domain/keys/view.ts';
import { printable } from '../printable.ts';
import type { AuditRow } from '../../projections/keys/key-audit.ts';

export interface KeyState extends KeyAt {
  readonly organisation: string;
  /** `null`: not used within the retention time of uses. */
  readonly lastUsedAt: Instant | null;
}

/** `2026-03-01T09:00:00.000Z  used  allowed  GET /api/v1/sandboxes  from 192.0.2.1  curl/8`. */
export const recordLine = (row: AuditRow): string => {
  const { at, action, outcome, reason, actor, route, sourceIp, userAgent } = row;
  if (action === 'key.used') {
    const said = outcome === 'allowed' ? 'allowed' : `denied (${reason})`;
    const agent = userAgent === null ? [] : [printable(userAgent)];
    return [at, 'used', said, route, `from ${printable(sourceIp ?? '')}`, ...agent].join('  ');
  }
  return [at, action === 'key.issued' ? 'issued' : 'revoked', `by ${nameOf(actor)}`].join('  ');
};

/** The key as it is at `at`, several lines. */
export const keyLines = (key: KeyState, at: Instant): string =>
  [
    `as of ${at} the key ${key.keyId} is ${key.status}`,
    `  organisation  ${printable(key.organisation)}`,
    `  label         ${printable(key.label)}`,
    `  scope         ${key.scope}`,
    `  issued        ${key.createdAt} by ${nameOf(key.createdBy)}`,
    `  expires       ${key.expiresAt ?? 'never'}`,
    ...(key.revokedAt === null
      ? []
      : [`  revoked       ${key.revokedAt} by ${nameOf(key.revokedBy)}`]),
    `  last used     ${key.lastUsedAt ?? 'not within the last 18 months'}`,
  ].join('\n');

const nameOf = (actor: Actor | null): string => {
  if (actor === null) return 'nobody known';
  const { kind, id, name } = actor;
  return name === undefined ? `${kind} ${printable(id)}` : `${printable(name)} (${kind} ${id})`;
};
