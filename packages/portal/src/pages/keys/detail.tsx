import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { usePortal } from '../../context.ts';
import { useLoaded } from '../../loading.ts';
import { to } from '../../router.ts';
import type { Schemas } from '../../session/requests.ts';
import { Actor, Card, Facts, PageHead } from '../../ui/content.tsx';
import { Button } from '../../ui/controls.tsx';
import { errorAt } from '../../ui/field-errors.ts';
import { TextField } from '../../ui/fields.tsx';
import { Empty, Show } from '../../ui/notices.tsx';
import { Ago, At, instantOf } from '../../ui/times.tsx';
import { AuditTimeline, type AuditRecord } from '../audit/timeline.tsx';
import { KeyStatus, type Key } from './list.tsx';
import { RevokeKey } from './revoke.tsx';

export const KeyDetail = ({ keyId }: { readonly keyId: string }): JSX.Element => {
  const { api, may } = usePortal();
  const [isRevoking, setRevoking] = useState(false);
  const key = useLoaded(
    async (signal) => {
      const { items } = (await api.GET('/api/v1/keys', { signal })).data;
      return items.find((key) => key.keyId === keyId) ?? null;
    },
    [api, keyId],
  );
  return (
    <Show of={key}>
      {(found) =>
        found === null ? (
          <Empty isPage title="There is no such key">
            <p>
              <a href={to(['keys'])}>All keys</a>
            </p>
          </Empty>
        ) : (
          <>
            <PageHead title={found.label} above={[to(['keys']), 'API keys']}>
              {may('platform.keys:write') && found.status === 'active' && (
                <Button kind="danger" onPress={() => setRevoking(true)}>
                  Revoke
                </Button>
              )}
            </PageHead>
            <div class="columns">
              {may('platform.audit:read') ? (
                <History keyId={keyId} />
              ) : (
                <Empty title="Only auditors and managers see the history" />
              )}
              <div>
                <Card title="Now">
                  <KeyFacts of={found} />
                </Card>
                {may('platform.audit:read') && <AsOf of={found} />}
              </div>
            </div>
            {isRevoking && (
              <RevokeKey of={found} onClose={() => setRevoking(false)} onRevoked={key.reload} />
            )}
          </>
        )
      }
    </Show>
  );
};

const KeyFacts = ({ of }: { readonly of: Key }): JSX.Element => (
  <Facts
    of={[
      ['Status', <KeyStatus of={of.status} />],
      ['Scope', of.scope],
      ['Key id', <code>{of.keyId}</code>],
      ['Minted', <At at={of.createdAt} />],
      ['Minted by', <Actor of={of.createdBy} />],
      ['Expires', <At at={of.expiresAt} />],
      ['Last used', <Ago at={of.lastUsedAt} />],
      ['Revoked', <At at={of.revokedAt} />],
    ]}
  />
);

/** The key at another time, read from the event log. */
const AsOf = ({ of: { keyId, createdAt } }: { readonly of: Key }): JSX.Element => {
  const { api } = usePortal();
  const [input, setInput] = useState('');
  const asOf = instantOf(input);
  const isBefore = asOf !== null && asOf < createdAt;
  const then = useLoaded(
    async (signal) => {
      if (asOf === null || isBefore) return null;
      const params = { path: { keyId }, query: { asOf } };
      const { data } = await api.GET('/api/v1/keys/{keyId}/history', { params, signal });
      return data as Key;
    },
    [api, keyId, asOf],
  );
  const refused = errorAt(then.error, 'asOf');
  return (
    <Card title="At another time">
      <div class="stack">
        <TextField
          label="As of"
          type="datetime-local"
          value={input}
          onValue={setInput}
          error={refused}
        />
        {isBefore && (
          <p role="status">
            There was no such key yet: it was minted <At at={createdAt} />.
          </p>
        )}
        {asOf !== null && !isBefore && refused === undefined && (
          <Show of={then}>{(found) => found && <KeyFacts of={found} />}</Show>
        )}
      </div>
    </Card>
  );
};

const HISTORY_PAGE = 50;

const History = ({ keyId }: { readonly keyId: string }): JSX.Element => {
  const { api } = usePortal();
  const [pages, setPages] = useState(1);
  const history = useLoaded(
    async (signal) => {
      const records: AuditRecord[] = [];
      let cursor: string | null = null;
      do {
        const query = { limit: HISTORY_PAGE, ...(cursor !== null && { cursor }) };
        const params = { path: { keyId }, query };
        const path = '/api/v1/keys/{keyId}/history';
        const page = (await api.GET(path, { params, signal })).data as Schemas['AuditPage'];
        records.push(...page.items);
        cursor = page.nextCursor;
      } while (cursor !== null && records.length < pages * HISTORY_PAGE);
      return { records, hasMore: cursor !== null };
    },
    [api, keyId, pages],
  );
  return (
    <Card title="History">
      <Show of={history}>
        {({ records, hasMore }) => (
          <div class="stack">
            <AuditTimeline of={records} />
            {hasMore && <Button onPress={() => setPages(pages + 1)}>Show older</Button>}
          </div>
        )}
      </Show>
    </Card>
  );
};
