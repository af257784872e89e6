import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { AtriumError } from '../../../../sdk/src/index.ts';
import { usePortal } from '../../context.ts';
import { useSubmission } from '../../loading.ts';
import { go, to } from '../../router.ts';
import { Button, Confirm, Dialog, Form } from '../../ui/controls.tsx';
import { currentTab } from '../../ui/current-tab.ts';
import { CheckField, TextField } from '../../ui/fields.tsx';
import { lazyPage } from '../../ui/lazy-page.tsx';
import { wordsOf } from '../../ui/error-words.ts';
import { Trouble } from '../../ui/notices.tsx';
import type { Schemas } from '../../session/requests.ts';
import type { OpenedView } from './opened-view.ts';
import type { Asked } from './query.ts';
import { differs, queryOf, useCounts, viewOf, type TicketView, type Views } from './views.ts';

const PrivateViews = lazyPage(async () => (await import('./private-views.tsx')).PrivateViews);

interface ViewBarParts {
  readonly views: Views;
  readonly asked: Asked;
  readonly opened: OpenedView;
  /** The path of the list or the board. */
  readonly path: readonly string[];
}

/** The views with their counts, and the actions on the current one. */
export const ViewBar = (parts: ViewBarParts): JSX.Element => {
  const { views, asked, path } = parts;
  const { items } = views;
  const counts = useCounts(items);
  return (
    <div class="views">
      <nav class="tabs" aria-label="Views">
        {items.map((view) => (
          <a
            key={view.id}
            href={to(path, queryOf(view))}
            {...(view.id === asked.view && currentTab)}
          >
            {view.name} {counts.has(view.id) && <span class="count">{counts.get(view.id)}</span>}
          </a>
        ))}
      </nav>
      {/* Errors of one view are not shown at another. */}
      <ViewActions key={asked.view} {...parts} />
    </div>
  );
};

const ViewActions = ({
  views: { items, reload },
  asked,
  opened,
  path,
}: ViewBarParts): JSX.Element => {
  const { api, say } = usePortal();
  const [isSaving, setSaving] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const current = items.find(({ id }) => id === asked.view);
  const isChanged = current === undefined || differs(current, asked);
  const saved = current?.saved;
  const isMine =
    saved !== undefined && (opened.saved ? differs(viewOf(opened.saved), asked) : isChanged);
  const latest = useRef<string | null>(null);
  latest.current = JSON.stringify(asked);
  useEffect(() => () => void (latest.current = null), []);
  /** Whether the person is still at the query for which a command was sent. */
  const isHere = () => latest.current === JSON.stringify(asked);
  const changing = useSubmission(async () => {
    try {
      const { changeView, unknownChanges } = await import('./change-view.ts');
      if (opened.saved === null) {
        opened.keep(asked, saved!);
        // The next press compares with what is kept.
        reload();
        throw unknownChanges(saved!, asked);
      }
      const { view, conflict } = await changeView(api, opened.saved, asked);
      opened.keep(view, view.saved!);
      if (isHere() && differs(view, asked)) go(path, queryOf(view));
      reload();
      if (conflict) throw conflict;
      say(`${view.name} is changed.`);
    } catch (error) {
      if (isHere()) throw error;
      say(`${saved!.name} is not changed: ${wordsOf(error)}`);
    }
  });
  const deleting = useSubmission(async () => {
    const params = { path: { viewId: saved!.viewId } };
    await api.DELETE('/api/service-desk/views/{viewId}', { params });
    setDeleting(false);
    say(`${saved!.name} is deleted.`);
    reload();
    if (isHere()) go(path);
  });
  return (
    <>
      <div class="row">
        {saved?.editable && isMine && (
          <Button isBusy={changing.isBusy} onPress={changing.submit}>
            Update view
          </Button>
        )}
        {saved?.editable && (
          <Button kind="quiet" onPress={() => setDeleting(true)}>
            Delete view
          </Button>
        )}
        {isChanged && <Button onPress={() => setSaving(true)}>Save view</Button>}
      </div>
      {isMine && <Trouble error={changing.error} />}
      {isDeleting && saved && (
        <Confirm
          title={`Delete ${saved.name}?`}
          words={
            saved.shared
              ? 'It is gone for everybody who reads tickets.'
              : 'Its filters, order and columns are gone.'
          }
          submitLabel="Delete the view"
          of={deleting}
          onClose={() => setDeleting(false)}
        />
      )}
      {isSaving && (
        <SaveView
          asked={asked}
          onClose={() => setSaving(false)}
          onSaved={(view) => {
            setSaving(false);
            reload();
            go(path, queryOf(view));
          }}
        />
      )}
    </>
  );
};

type Column = NonNullable<Schemas['NewView']['columns']>[number];

const bodyOf = ({ filters, sort, columns }: Asked) => ({
  filters,
  sort,
  columns: [...columns] as Column[],
});

const SaveView = ({
  asked,
  onClose,
  onSaved,
}: {
  readonly asked: Asked;
  readonly onClose: () => void;
  readonly onSaved: (view: TicketView) => void;
}): JSX.Element => {
  const { api, may } = usePortal();
  const [name, setName] = useState('');
  const [isShared, setShared] = useState(false);
  const saving = useSubmission(async (keyOf) => {
    const body = { name, shared: isShared, ...bodyOf(asked) };
    const params = { header: { 'Idempotency-Key': keyOf(body) } };
    const { data } = await api.POST('/api/service-desk/views', { params, body });
    onSaved(viewOf(data));
  });
  /** The latest, also after its message is gone. */
  const full = useRef<Schemas['ViewLimitReachedProblem'] | null>(null);
  if (AtriumError.is(saving.error, 'VIEW_LIMIT_REACHED')) full.current = saving.error.problem;
  return (
    <Dialog title="Save view" onClose={onClose}>
      <Form of={saving} submitLabel="Save" onCancel={onClose}>
        <TextField label="Name" value={name} onValue={setName} maxLength={100} isRequired />
        {may('service-desk.tickets:write') && (
          <CheckField
            label="Shared: everyone who can read tickets sees it"
            isChecked={isShared}
            onValue={setShared}
          />
        )}
      </Form>
      {full.current && may('service-desk.configuration:write') && (
        <PrivateViews refusal={full.current} onDeleted={saving.clear} />
      )}
    </Dialog>
  );
};
