import type { JSX } from 'preact';
import type { Schemas } from '../../session/requests.ts';
import { actorName } from '../../ui/content.tsx';
import { At } from '../../ui/times.tsx';

export type AuditRecord = Schemas['AuditRecord'];

export const REASONS: Readonly<Record<NonNullable<AuditRecord['reason']>, string>> = {
  revoked: 'the key was revoked',
  expired: 'the key had expired',
  unknown: 'no such key',
  secret_mismatch: 'the secret was wrong',
  scope: 'outside its scope',
  restored: 'recorded again after a restore',
};

/** One record as a sentence. */
export const wordsOf = (record: AuditRecord): string => {
  const { action, outcome, actor, reason, count, scope } = record;
  if (action === 'key.issued') return `Minted by ${actorName(actor)} with scope ${scope}`;
  if (action === 'key.revoked') return `Revoked by ${actorName(actor)}`;
  const times = (count ?? 1) > 1 ? ` ${count!.toLocaleString('en')} times` : '';
  if (outcome === 'allowed') return `Used${times}`;
  return `Refused${times}${reason ? `: ${REASONS[reason]}` : ''}`;
};

const toneOf = ({ action, outcome }: AuditRecord): string => {
  if (outcome === 'denied' || action === 'key.revoked') return 'bad';
  return action === 'key.issued' ? 'good' : '';
};

export const AuditTimeline = ({ of }: { readonly of: readonly AuditRecord[] }): JSX.Element => (
  <ol class="timeline">
    {of.map((record) => (
      <li key={record.id} class={toneOf(record)}>
        <div class="head">
          <strong>{wordsOf(record)}</strong>
          <span class="faint small">
            <At at={record.at} />
          </span>
        </div>
        {record.route && (
          <p class="small">
            <code>{record.route}</code>
          </p>
        )}
        {record.sourceIp && (
          <p class="faint small">
            from {record.sourceIp}
            {record.userAgent && `, ${record.userAgent}`}
          </p>
        )}
      </li>
    ))}
  </ol>
);
