import type { JSX } from 'preact';
import { usePortal } from '../../context.ts';
import { useEvery, useLoaded } from '../../loading.ts';
import { to } from '../../router.ts';
import { Actor, Card, Facts, PageHead } from '../../ui/content.tsx';
import { Show } from '../../ui/notices.tsx';
import { At, when } from '../../ui/times.tsx';
import { ERASURE_LOOK_MS, ErasureStatus, foundWords, textsName, type Erasure } from './words.tsx';

export const ErasureDetail = ({ id }: { readonly id: string }): JSX.Element => {
  const { api } = usePortal();
  const erasure = useLoaded(
    async (signal) => {
      const params = { path: { erasureId: id } };
      return (await api.GET('/api/v1/erasures/{erasureId}', { params, signal })).data;
    },
    [api, id],
  );
  useEvery(erasure.data?.status === 'running' ? ERASURE_LOOK_MS : null, erasure.poll);
  return (
    <Show of={{ ...erasure, isLoading: erasure.data === undefined }}>
      {(found) => (
        <>
          <PageHead
            title={`Erasure of ${when(found.requestedAt)}`}
            above={[to(['erasures']), 'Erasures']}
            lead={<ErasureStatus of={found} />}
          />
          <Progress of={found} />
          <div class="columns">
            <Card title="What was found">
              {found.found === null ? (
                <p class="faint">Counted during the erasure.</p>
              ) : (
                <Facts
                  of={[
                    ['Tickets', found.found.tickets],
                    ['Notes', found.found.notes],
                    ['Files', found.found.attachments],
                    ['Sessions that ended', found.found.sessions],
                  ]}
                />
              )}
            </Card>
            <Card title="Details">
              <Facts
                of={[
                  ['Reason', <span class="words">{found.reason}</span>],
                  ['What they wrote', textsName[found.texts]],
                  ['Requested', <At at={found.requestedAt} />],
                  ['Requested by', <Actor of={found.requestedBy} />],
                  ['Finished', <At at={found.finishedAt} />],
                ]}
              />
            </Card>
          </div>
        </>
      )}
    </Show>
  );
};

/** The progress of an erasure, announced when it changes. */
const Progress = ({ of: { status, found, texts } }: { readonly of: Erasure }): JSX.Element => (
  <p class={`erasure-progress ${status}`} role="status">
    {status === 'running' ? (
      <>
        <span class="spinner" aria-hidden="true" />
        The person is being erased. This takes at least ten seconds, and continues if you leave this
        page.
      </>
    ) : (
      <>
        The person is erased. Found: {found && foundWords(found)}.{' '}
        {texts === 'erase' ? 'What they wrote is erased too.' : 'What they wrote is kept.'}
      </>
    )}
  </p>
);
