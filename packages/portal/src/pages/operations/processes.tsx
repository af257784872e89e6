import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { usePortal } from '../../context.ts';
import { useEvery, useLoaded } from '../../loading.ts';
import type { Schemas } from '../../session/requests.ts';
import { Table, type Column } from '../../ui/content.tsx';
import { Show } from '../../ui/notices.tsx';
import { Ago } from '../../ui/times.tsx';
import { Parked } from './parked.tsx';
import { Lag, LOOK_MS, ParkedCount, Running } from './words.tsx';

type Process = Schemas['Process'];

export const Processes = (): JSX.Element => {
  const { api } = usePortal();
  const [shown, setShown] = useState<string | null>(null);
  const processes = useLoaded(
    async (signal) => (await api.GET('/api/v1/operations/processes', { signal })).data.items,
    [api],
  );
  useEvery(LOOK_MS, processes.poll);
  const columns: readonly Column<Process>[] = [
    {
      name: 'Name',
      cell: ({ name, kind }) => (
        <>
          <strong>{name}</strong> <span class="faint small">{kind}</span>
        </>
      ),
    },
    { name: 'State', cell: ({ state }) => <Running state={state} /> },
    { name: 'Lag', cell: (process) => <Lag of={process} /> },
    {
      name: 'Parked',
      cell: ({ name, parked }) => (
        <ParkedCount of={name} count={parked} onShow={() => setShown(name)} />
      ),
    },
    { name: 'Retrying', isNumber: true, cell: ({ retrying }) => retrying },
    { name: 'Next due', cell: ({ nextDueAt }) => nextDueAt && <Ago at={nextDueAt} /> },
    {
      name: 'Last error',
      cell: ({ lastError }) => lastError && <span class="small">{lastError}</span>,
    },
  ];
  return (
    <>
      <Show of={processes}>
        {(items) => (
          <Table caption="Processes" columns={columns} rows={items} keyOf={({ name }) => name} />
        )}
      </Show>
      {shown !== null && (
        <Parked
          title={`Parked of ${shown}`}
          load={async (signal) => {
            const path = '/api/v1/operations/processes/{name}/parked';
            const params = { path: { name: shown } };
            return (await api.GET(path, { params, signal })).data.items;
          }}
          act={async (kind, stream) => {
            const path = `/api/v1/operations/processes/{name}/${kind}` as const;
            await api.POST(path, { params: { path: { name: shown } }, body: { stream } });
          }}
          onClose={() => setShown(null)}
        />
      )}
    </>
  );
};
