import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { usePortal } from '../../context.ts';
import { useEvery, useLoaded } from '../../loading.ts';
import { to } from '../../router.ts';
import type { Schemas } from '../../session/requests.ts';
import { Badge, PageHead, Table, type Column, type Tone } from '../../ui/content.tsx';
import { Button, Copy } from '../../ui/controls.tsx';
import { Empty, Show } from '../../ui/notices.tsx';
import { Ago } from '../../ui/times.tsx';
import { NewSandbox } from './new.tsx';

export type Sandbox = Schemas['Sandbox'];

/** The poll interval while a sandbox is being created. */
export const PROGRESS_LOOK_MS = 2_000;

const TONES: Readonly<Record<Sandbox['status'], Tone>> = {
  provisioning: 'busy',
  ready: 'good',
  failed: 'bad',
};

export const SandboxStatus = ({ of }: { readonly of: Sandbox }): JSX.Element => (
  <Badge tone={TONES[of.status]}>{of.status}</Badge>
);

export const Progress = ({ of: { progress } }: { readonly of: Sandbox }): JSX.Element => (
  <span class="progress">
    <progress max={100} value={progress.percent} aria-label="Provisioning" />
    <span class="small faint">
      {progress.phase} · {Math.round(progress.percent)} %
    </span>
  </span>
);

const columns: readonly Column<Sandbox>[] = [
  {
    name: 'Name',
    cell: ({ sandboxId, name }) => <a href={to(['sandboxes', sandboxId])}>{name}</a>,
  },
  {
    name: 'Status',
    cell: (sandbox) =>
      sandbox.status === 'provisioning' ? (
        <Progress of={sandbox} />
      ) : (
        <SandboxStatus of={sandbox} />
      ),
  },
  {
    name: 'Building',
    cell: ({ parameters: { buildingType, storeys, areaSqm } }) =>
      `${buildingType}, ${storeys} storeys, ${areaSqm.toLocaleString('en')} m²`,
  },
  {
    name: 'Address',
    cell: ({ status, apiUrl }) =>
      status === 'ready' && (
        <span class="row">
          <code>{apiUrl}</code>
          <Copy text={apiUrl} label="Copy the address" />
        </span>
      ),
  },
  {
    name: 'Expires',
    cell: ({ expiresAt, expiresSoon }) =>
      expiresSoon ? (
        <Badge tone="warn">
          <Ago at={expiresAt} />
        </Badge>
      ) : (
        <Ago at={expiresAt} />
      ),
  },
];

export const SandboxList = (): JSX.Element => {
  const { api, may } = usePortal();
  const [isNew, setNew] = useState(false);
  const sandboxes = useLoaded(
    async (signal) => (await api.GET('/api/v1/sandboxes', { signal })).data.items,
    [api],
  );
  const isBusy = sandboxes.data?.some(({ status }) => status === 'provisioning') === true;
  useEvery(isBusy ? PROGRESS_LOOK_MS : null, sandboxes.poll);
  return (
    <>
      <PageHead
        title="Sandboxes"
        lead="Temporary copies of the platform, each with its own database, building and telemetry."
      >
        {may('platform.sandboxes:write') && (
          <Button kind="primary" icon="plus" onPress={() => setNew(true)}>
            New sandbox
          </Button>
        )}
      </PageHead>
      <Show of={sandboxes}>
        {(items) =>
          items.length === 0 ? (
            <Empty title="No sandboxes">
              <p>
                A sandbox with a small building is ready in less than a minute. You can have three
                active sandboxes.
              </p>
            </Empty>
          ) : (
            <Table
              caption="Sandboxes"
              columns={columns}
              rows={items}
              keyOf={({ sandboxId }) => sandboxId}
            />
          )
        }
      </Show>
      {isNew && <NewSandbox onClose={() => setNew(false)} />}
    </>
  );
};
