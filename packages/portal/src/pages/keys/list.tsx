import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { usePortal } from '../../context.ts';
import { useLoaded } from '../../loading.ts';
import { to } from '../../router.ts';
import type { Schemas } from '../../session/requests.ts';
import { Actor, Badge, PageHead, Table, type Column, type Tone } from '../../ui/content.tsx';
import { Button } from '../../ui/controls.tsx';
import { Empty, Show } from '../../ui/notices.tsx';
import { Ago, At } from '../../ui/times.tsx';
import { MintKey } from './mint.tsx';
import { RevokeKey } from './revoke.tsx';

export type Key = Schemas['Key'];

/** Active keys per organisation. interface.md, limits. */
const ACTIVE_MAX = 5;

const TONES: Readonly<Record<Key['status'], Tone>> = {
  active: 'good',
  expired: 'neutral',
  revoked: 'bad',
};

export const KeyStatus = ({ of }: { readonly of: Key['status'] }): JSX.Element => (
  <Badge tone={TONES[of]}>{of}</Badge>
);

export const KeyList = (): JSX.Element => {
  const { api, may } = usePortal();
  const keys = useLoaded(
    async (signal) => (await api.GET('/api/v1/keys', { signal })).data.items,
    [api],
  );
  const [isMinting, setMinting] = useState(false);
  const [revoked, setRevoked] = useState<Key | null>(null);
  const mayWrite = may('platform.keys:write');
  const active = keys.data?.filter(({ status }) => status === 'active').length;
  const columns: readonly Column<Key>[] = [
    { name: 'Label', cell: (key) => <a href={to(['keys', key.keyId])}>{key.label}</a> },
    { name: 'Scope', cell: ({ scope }) => <Badge tone="accent">{scope}</Badge> },
    { name: 'Status', cell: ({ status }) => <KeyStatus of={status} /> },
    { name: 'Last used', cell: ({ lastUsedAt }) => <Ago at={lastUsedAt} /> },
    { name: 'Expires', cell: ({ expiresAt }) => <At at={expiresAt} /> },
    { name: 'Minted by', cell: ({ createdBy }) => <Actor of={createdBy} /> },
    {
      name: 'Actions',
      isNameHidden: true,
      cell: (key) =>
        mayWrite && key.status === 'active' ? (
          <div class="row-end">
            <Button label={`Revoke ${key.label}`} kind="quiet" onPress={() => setRevoked(key)}>
              Revoke
            </Button>
          </div>
        ) : null,
    },
  ];
  return (
    <>
      <PageHead
        title="API keys"
        lead={
          active === undefined
            ? 'Programs of your organisation use these keys to sign in.'
            : `${active} of ${ACTIVE_MAX} active keys. Revoked and expired ones do not count.`
        }
      >
        {mayWrite && (
          <Button kind="primary" icon="plus" onPress={() => setMinting(true)}>
            Mint a key
          </Button>
        )}
      </PageHead>
      <Show of={keys}>
        {(items) =>
          items.length === 0 ? (
            <Empty title="No keys yet">
              <p>
                A key lets a program create sandboxes and do anything else that its scope allows.
              </p>
            </Empty>
          ) : (
            <Table caption="API keys" columns={columns} rows={items} keyOf={(key) => key.keyId} />
          )
        }
      </Show>
      {isMinting && <MintKey onClose={() => setMinting(false)} onMinted={keys.reload} />}
      {revoked && (
        <RevokeKey of={revoked} onClose={() => setRevoked(null)} onRevoked={keys.reload} />
      )}
    </>
  );
};
