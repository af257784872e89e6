import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { AtriumError } from '../../../../sdk/src/index.ts';
import { usePortal } from '../../context.ts';
import { useLoaded, useSubmission } from '../../loading.ts';
import { isSelf } from '../../session/me.ts';
import type { Schemas } from '../../session/requests.ts';
import { Actor, actorName, Table, type Column } from '../../ui/content.tsx';
import { Button, Confirm } from '../../ui/controls.tsx';
import { Show } from '../../ui/notices.tsx';
import { Ago, when } from '../../ui/times.tsx';

type PrivateView = Schemas['HiddenView'];

const SHOWN_MAX = 20;

/**
 * The private views of others, for managers: they count towards the limit of the organisation, and
 * can be deleted. Nothing if the limit of the person is reached.
 */
export const PrivateViews = ({
  refusal,
  onDeleted,
}: {
  /** Each one loads the list again. */
  readonly refusal: Schemas['ViewLimitReachedProblem'];
  readonly onDeleted: () => void;
}): JSX.Element => {
  const { api, me, say } = usePortal();
  const [asked, setAsked] = useState<PrivateView | null>(null);
  const views = useLoaded(
    async (signal) => {
      const { items, others } = (await api.GET('/api/service-desk/views', { signal })).data;
      const own = items.filter(({ createdBy }) => isSelf(me, createdBy)).length;
      return others && own < refusal.limit ? others.toSorted(byChange) : null;
    },
    [api, me, refusal],
  );
  const deleting = useSubmission(async () => {
    const { viewId, createdBy } = asked!;
    try {
      await api.DELETE('/api/service-desk/views/{viewId}', { params: { path: { viewId } } });
    } catch (error) {
      // Its author has deleted it meanwhile.
      if (!AtriumError.is(error, 'NOT_FOUND')) throw error;
    }
    setAsked(null);
    say(`A private view of ${actorName(createdBy)} is deleted.`);
    views.reload();
    onDeleted();
  });
  const columns: readonly Column<PrivateView>[] = [
    { name: 'Author', cell: ({ createdBy }) => <Actor of={createdBy} /> },
    { name: 'Last changed', cell: ({ updatedAt }) => <Ago at={updatedAt} /> },
    {
      name: 'Delete',
      isNameHidden: true,
      cell: (view) => (
        <div class="row-end">
          <Button
            label={`Delete the view of ${actorName(view.createdBy)}, ${when(view.updatedAt)}`}
            onPress={() => setAsked(view)}
          >
            Delete
          </Button>
        </div>
      ),
    },
  ];
  return (
    <Show of={views}>
      {(others) =>
        others && (
          <section class="outcome stack">
            <h3>Private views of others ({others.length})</h3>
            <p class="faint small">They count towards the limit of the organisation.</p>
            {others.length > 0 && (
              <Table
                caption="Private views of others"
                columns={columns}
                rows={others.slice(0, SHOWN_MAX)}
                keyOf={({ viewId }) => viewId}
              />
            )}
            {others.length > SHOWN_MAX && (
              <p class="faint small">{others.length - SHOWN_MAX} more were changed later.</p>
            )}
            {asked && (
              <Confirm
                title={`Delete a private view of ${actorName(asked.createdBy)}?`}
                words={
                  <>
                    Its filters, order and columns are gone. It was last changed{' '}
                    <Ago at={asked.updatedAt} />.
                  </>
                }
                submitLabel="Delete the view"
                of={deleting}
                onClose={() => setAsked(null)}
              />
            )}
          </section>
        )
      }
    </Show>
  );
};

const byChange = (a: PrivateView, b: PrivateView): number =>
  Date.parse(a.updatedAt) - Date.parse(b.updatedAt);
