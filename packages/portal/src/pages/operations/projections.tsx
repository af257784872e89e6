import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { usePortal } from '../../context.ts';
import { useEvery, useLoaded, useSubmission } from '../../loading.ts';
import type { Schemas } from '../../session/requests.ts';
import { Table, type Column } from '../../ui/content.tsx';
import { Button, Confirm } from '../../ui/controls.tsx';
import { Show } from '../../ui/notices.tsx';
import { Parked } from './parked.tsx';
import { Lag, LOOK_MS, ParkedCount, Running } from './words.tsx';

type Projection = Schemas['Projection'];

const REBUILD =
  'A new copy is built from the whole log next to the live one, and replaces it when ' +
  'it has caught up.';

export const Projections = (): JSX.Element => {
  const { api, may, say } = usePortal();
  const [rebuilt, setRebuilt] = useState<string | null>(null);
  const [shown, setShown] = useState<string | null>(null);
  const projections = useLoaded(
    async (signal) => (await api.GET('/api/v1/operations/projections', { signal })).data.items,
    [api],
  );
  useEvery(LOOK_MS, projections.poll);
  const rebuilding = useSubmission(async () => {
    const params = { path: { name: rebuilt! } };
    await api.POST('/api/v1/operations/projections/{name}/rebuild', { params, body: {} });
    say(`${rebuilt} is being rebuilt next to the live one.`);
    setRebuilt(null);
    projections.reload();
  });
  const columns: readonly Column<Projection>[] = [
    {
      name: 'Name',
      cell: ({ name, version }) => (
        <>
          <strong>{name}</strong> <span class="faint small">version {version}</span>
        </>
      ),
    },
    { name: 'State', cell: ({ state }) => <Running state={state} /> },
    { name: 'Lag', cell: (projection) => <Lag of={projection} /> },
    {
      name: 'Parked',
      cell: ({ name, parked }) => (
        <ParkedCount of={name} count={parked} onShow={() => setShown(name)} />
      ),
    },
    { name: 'Work', cell: (projection) => <Work of={projection} /> },
    {
      name: 'Last error',
      cell: ({ lastError }) => lastError && <span class="small">{lastError}</span>,
    },
    {
      name: 'Actions',
      isNameHidden: true,
      cell: ({ name, work }) =>
        may('platform.operations:write') && (
          <div class="row-end">
            <Button
              kind="quiet"
              label={`Rebuild ${name}`}
              isDisabled={work !== null}
              onPress={() => setRebuilt(name)}
            >
              Rebuild
            </Button>
          </div>
        ),
    },
  ];
  return (
    <>
      <Show of={projections}>
        {(items) => (
          <Table caption="Projections" columns={columns} rows={items} keyOf={({ name }) => name} />
        )}
      </Show>
      {rebuilt !== null && (
        <Confirm
          title={`Rebuild ${rebuilt}?`}
          words={REBUILD}
          submitLabel="Rebuild"
          of={rebuilding}
          onClose={() => setRebuilt(null)}
        />
      )}
      {shown !== null && (
        <Parked
          title={`Parked of ${shown}`}
          load={async (signal) => {
            const path = '/api/v1/operations/projections/{name}/parked';
            const params = { path: { name: shown } };
            return (await api.GET(path, { params, signal })).data.items;
          }}
          act={async (kind, stream) => {
            const params = { path: { name: shown, stream } };
            const base = '/api/v1/operations/projections/{name}/parked/{stream}' as const;
            if (kind === 'retry') await api.POST(`${base}/retry`, { params });
            else await api.POST(`${base}/skip`, { params });
          }}
          onClose={() => setShown(null)}
        />
      )}
    </>
  );
};

const Work = ({ of: { work } }: { readonly of: Projection }): JSX.Element | null => {
  if (work === null) return null;
  const { kind, state, progress } = work;
  if (progress === null)
    return (
      <span>
        {kind}, {state}
      </span>
    );
  const { phase, done, total, secondsLeft } = progress;
  return (
    <span class="progress">
      <progress
        aria-label={`${kind}: ${phase}`}
        {...(total !== null && { max: Math.max(1, total), value: done })}
      />
      <span class="small faint">
        {phase} · {done.toLocaleString('en')}
        {total !== null && ` of ${total.toLocaleString('en')}`}
        {secondsLeft !== null && ` · ${Math.ceil(secondsLeft)} s left`}
      </span>
    </span>
  );
};
