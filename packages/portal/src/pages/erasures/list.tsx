import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { usePortal } from '../../context.ts';
import { useEvery, useLoaded } from '../../loading.ts';
import { to } from '../../router.ts';
import { Actor, CursorPager, PageHead, Table, type Column } from '../../ui/content.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Empty, Show } from '../../ui/notices.tsx';
import { At, when } from '../../ui/times.tsx';
import { ERASURE_LOOK_MS, ErasureStatus, foundWords, textsName, type Erasure } from './words.tsx';

const LIMIT = 50;

const columns: readonly Column<Erasure>[] = [
  {
    name: 'Requested',
    cell: ({ erasureId, requestedAt }) => (
      <a href={to(['erasures', erasureId])} class="nowrap">
        {when(requestedAt)}
      </a>
    ),
  },
  { name: 'Status', cell: (erasure) => <ErasureStatus of={erasure} /> },
  { name: 'Reason', cell: ({ reason }) => <span class="words">{reason}</span> },
  { name: 'What they wrote', cell: ({ texts }) => textsName[texts] },
  { name: 'Requested by', cell: ({ requestedBy }) => <Actor of={requestedBy} /> },
  { name: 'Found', cell: ({ found }) => found && foundWords(found) },
  { name: 'Finished', cell: ({ finishedAt }) => <At at={finishedAt} /> },
];

export const ErasureList = (): JSX.Element => {
  const { api } = usePortal();
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const cursor = cursors.at(-1);
  const page = useLoaded(
    async (signal) => {
      const query = { limit: LIMIT, ...(cursor !== undefined && { cursor }) };
      return (await api.GET('/api/v1/erasures', { params: { query }, signal })).data;
    },
    [api, cursor],
  );
  const isAnyRunning = page.data?.items.some(({ status }) => status === 'running') ?? false;
  useEvery(isAnyRunning ? ERASURE_LOOK_MS : null, page.poll);
  return (
    <>
      <PageHead
        title="Erasures"
        lead={
          'Erasures of persons: when, why and by whom. The list does not identify the ' +
          'erased persons.'
        }
      >
        <a class="button primary" href={to(['erasures', 'new'])}>
          <Icon name="plus" />
          Erase a person
        </a>
      </PageHead>
      <Show of={page}>
        {({ items, nextCursor }) =>
          items.length === 0 ? (
            <Empty title="No erasures">
              <p>Erase a person here when they ask to be forgotten.</p>
            </Empty>
          ) : (
            <>
              <Table
                caption="Erasures"
                columns={columns}
                rows={items}
                keyOf={({ erasureId }) => erasureId}
              />
              <CursorPager cursors={cursors} next={nextCursor} onCursors={setCursors} />
            </>
          )
        }
      </Show>
    </>
  );
};
