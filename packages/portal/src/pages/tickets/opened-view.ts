/**
 * The version of a saved view that an address of the list was built from: an address has all
 * filters, the order and the columns, and stays the same when a colleague changes its view.
 */
import { useEffect, useMemo } from 'preact/hooks';
import { usePortal } from '../../context.ts';
import { keptValues } from '../../kept.ts';
import type { Asked } from './query.ts';
import { differs, type SavedView, type TicketView, type Views } from './views.ts';

const BOUNDS = { max: 50, lengthMax: 20_000 };

type Query = Pick<TicketView, 'filters' | 'sort' | 'columns'>;

export interface OpenedView {
  /** `null`: the address comes from elsewhere, such as a bookmark. */
  readonly saved: SavedView | null;
  /** The query becomes another one: if it is of the same view, its version stays. */
  readonly follow: (next: Asked) => void;
  /** Stores the version for another query of the view. */
  readonly keep: (query: Query, saved: SavedView | null) => void;
}

/** Of this window, across reloads and other pages. */
export const useOpenedView = ({ items }: Views, asked: Asked): OpenedView => {
  const { me } = usePortal();
  const { id } = me.actor;
  const kept = useMemo(
    () => keptValues('atrium.view:', [id, me.organisation], BOUNDS, { storage: sessionStorage }),
    [id, me.organisation],
  );
  const keep = (query: Query, saved: SavedView | null) => {
    if (saved) kept.write(nameOf(saved.viewId, query), saved);
  };
  const current = items.find((view) => view.id === asked.view);
  const loaded = current && !differs(current, asked) ? (current.saved ?? null) : null;
  const name = nameOf(asked.view, asked);
  useEffect(() => keep(asked, loaded), [kept, name, loaded?.revision]);
  const saved = loaded ?? kept.read<SavedView>(name)?.content ?? null;
  return { saved, keep, follow: (next) => next.view === asked.view && keep(next, saved) };
};

/** The same for the list and the board, whatever the order of the filters. */
const nameOf = (viewId: string, { filters, sort, columns = [] }: Query): string =>
  JSON.stringify([
    viewId,
    Object.entries(filters).toSorted(([a], [b]) => (a < b ? -1 : 1)),
    sort,
    columns,
  ]);
