/** "Update view": changes a saved view that others change too. Fetched when it is first pressed. */
import { changesOf } from '../../form-content.ts';
import { saveForm } from '../../saving.ts';
import type { Api } from '../../session/requests.ts';
import type { Asked, Sort } from './query.ts';
import { viewOf, type SavedView, type TicketView } from './views.ts';

/** The members of a view that its query has, each as a text, so that they can be merged. */
type Members = { readonly filters: string; readonly sort: Sort; readonly columns: string };

const membersOf = ({ filters, sort, columns = [] }: Pick<TicketView, keyof Members>): Members => {
  const query = new URLSearchParams(filters);
  query.sort();
  return { filters: query.toString(), sort, columns: columns.join() };
};

const bodyOf = ({ filters, sort, columns }: Partial<Members>) => ({
  ...(filters !== undefined && { filters: Object.fromEntries(new URLSearchParams(filters)) }),
  ...(sort !== undefined && { sort }),
  ...(columns !== undefined && { columns: columns.split(',') }),
});

/** Names the members in which the query differs, where it is not known who changed them. */
export const unknownChanges = (saved: SavedView, asked: Asked): Error => {
  const names = Object.keys(changesOf(membersOf(viewOf(saved)), membersOf(asked)));
  const words = names.map((name) => (name === 'sort' ? 'order' : name)).join(', ');
  return new Error(
    `This address may be older than ${saved.name}, which has other ${words}. ` +
      'Its tab shows them; press again to replace them.',
  );
};

export interface ChangedView {
  /** With the changes of others, and mine where both have changed the same member. */
  readonly view: TicketView;
  /** Both have changed the same member, and nothing is saved; `null`: it is saved. */
  readonly conflict: Error | null;
}

/**
 * Saves the members in which the query differs from its view; the others stay as they are now.
 *
 * @param opened The version of the view that the query was built from.
 */
export const changeView = async (
  api: Api,
  opened: SavedView,
  asked: Asked,
): Promise<ChangedView> => {
  const path = '/api/service-desk/views/{viewId}';
  const params = { path: { viewId: opened.viewId } };
  const { revision } = opened;
  const form = { base: membersOf(viewOf(opened)), values: membersOf(asked), revision };
  let stored = opened;
  let mine: Partial<TicketView> = {};
  const isSaved = await saveForm<Members>(
    { ...form, rebase: (onto) => (mine = bodyOf(onto({ ...form, conflicts: [] }).values)) },
    {
      async send(changed, revision) {
        const body = bodyOf(changed);
        // Others have made the same change.
        if (Object.keys(body).length === 0) return;
        const header = { 'If-Match': `"${revision}"` };
        ({ data: stored } = await api.PATCH(path, { params: { ...params, header }, body }));
      },
      async load() {
        ({ data: stored } = await api.GET(path, { params }));
        return { values: membersOf(viewOf(stored)), revision: stored.revision };
      },
      texts: [],
    },
  );
  const words = 'Its tab shows the newer version; press again to replace that.';
  const conflict = isSaved ? null : new Error(`${stored.name} was changed meanwhile. ${words}`);
  return { view: { ...viewOf(stored), ...mine }, conflict };
};
