/**
 * The saved views of an organisation, in `views-<organisation>`, where both limits count. A view is
 * its author's own or shared with everybody who reads tickets. contract.md section 5.
 */
import {
  refuse,
  tableOf,
  type Actor,
  type Decider,
  type Decision,
  type Instant,
  type Occasion,
  type Refusal,
} from '../../engine/aggregates/decider.ts';
import type { ViewDetails, ViewEvent } from './events.ts';
import { VIEWS_OF_ORGANISATION_MAX, VIEWS_OF_PERSON_MAX } from './limits.ts';

export interface SavedView extends ViewDetails {
  readonly viewId: string;
  readonly createdBy: Actor;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  /** The number of its changes. */
  readonly revision: number;
}

/** By id, in the order of their creation. */
export type SavedViews = ReadonlyMap<string, SavedView>;

/** The caller's permissions beyond their own views. */
export interface ViewRights {
  /** To share own views. */
  readonly mayShare: boolean;
  /** To change and delete shared views of others, and to delete their private ones. */
  readonly mayManage: boolean;
}

interface Addressed extends ViewRights {
  readonly viewId: string;
  /** Revisions of the view, one of which it must have. Default: any. */
  readonly expectedRevisions?: readonly number[];
}

export type ViewCommand =
  | ({
      readonly type: 'CreateView';
      readonly viewId: string;
      readonly organisation: string;
      readonly details: ViewDetails;
    } & ViewRights)
  /** Absent details stay unchanged. */
  | ({ readonly type: 'ChangeView'; readonly changes: Partial<ViewDetails> } & Addressed)
  | ({ readonly type: 'DeleteView' } & Addressed);

const decide = tableOf<ViewCommand, [SavedViews, Occasion], Decision<ViewEvent>>({
  CreateView: ({ viewId, organisation, details, mayShare }, views, { by }) => {
    if (views.has(viewId)) return refuse('CONFLICT', 'This view id is in use.');
    if (details.shared && !mayShare) return notSharing;
    const own = [...views.values()].filter((view) => isAuthor(by, view)).length;
    if (own >= VIEWS_OF_PERSON_MAX)
      return limitReached(`You have ${own} views`, VIEWS_OF_PERSON_MAX);
    if (views.size >= VIEWS_OF_ORGANISATION_MAX)
      return limitReached(`The organisation has ${views.size} views`, VIEWS_OF_ORGANISATION_MAX);
    const author = { kind: by.kind, id: by.id };
    return [{ type: 'ViewCreated', viewId, organisation, author, ...details }];
  },

  ChangeView: (command, views, { by }) => {
    const { viewId, changes, mayShare } = command;
    const view = editable(command, views, by);
    if ('refused' in view) return view;
    if (changes.shared === true && !view.shared && !mayShare) return notSharing;
    const before = detailsOf(view);
    const after = { ...before, ...changes };
    return isSame(before, after) ? [] : [{ type: 'ViewChanged', viewId, ...after }];
  },

  DeleteView: (command, views, { by }) => {
    const view = editable(command, views, by, command.mayManage);
    return 'refused' in view ? view : [{ type: 'ViewDeleted', viewId: command.viewId }];
  },
});

const evolve = tableOf<ViewEvent, [SavedViews, Instant], SavedViews>({
  ViewCreated: ({ viewId, author, ...created }, views, at) =>
    new Map(views).set(viewId, {
      viewId,
      ...detailsOf(created),
      createdBy: author,
      createdAt: at,
      updatedAt: at,
      revision: 0,
    }),

  ViewChanged: ({ viewId, ...changed }, views, at) => {
    const view = views.get(viewId);
    if (!view) return views;
    const revision = view.revision + 1;
    return new Map(views).set(viewId, { ...view, ...detailsOf(changed), updatedAt: at, revision });
  },

  ViewDeleted: ({ viewId }, views) => new Map([...views].filter(([id]) => id !== viewId)),
});

/**
 * Refuses `VIEW_LIMIT_REACHED` with `limit`, `NOT_FOUND` for a view that the caller does not see,
 * `PERMISSION_DENIED` for a shared view of another author or for sharing without permission, and
 * `PRECONDITION_FAILED`. A change without effect records nothing.
 */
export const viewsDecider: Decider<ViewCommand, SavedViews, ViewEvent> = {
  initial: new Map(),
  decide,
  evolve,
};

/** The views after an event, with the name of each author. */
export const viewsAfter = (
  { event, at, by }: { readonly event: ViewEvent; readonly at: Instant; readonly by: Actor },
  before: SavedViews | null,
): SavedViews => {
  const views = evolve(event, before ?? viewsDecider.initial, at);
  if (event.type !== 'ViewCreated') return views;
  return new Map(views).set(event.viewId, { ...views.get(event.viewId)!, createdBy: by });
};

/** The views that the caller sees: own and shared ones, in the order of their creation. */
export const visibleViews = (views: SavedViews, caller: Actor): readonly SavedView[] =>
  [...views.values()].filter((view) => isVisible(view, caller));

/** The private views of others, in the order of their creation. */
export const hiddenViews = (views: SavedViews, caller: Actor): readonly SavedView[] =>
  [...views.values()].filter((view) => !isVisible(view, caller));

/** Whether the caller may change and delete a view that they see. */
export const mayEdit = (
  view: Pick<SavedView, 'createdBy' | 'shared'>,
  caller: Actor,
  { mayManage }: Pick<ViewRights, 'mayManage'>,
): boolean => isAuthor(caller, view) || (view.shared && mayManage);

const isVisible = (view: Pick<SavedView, 'createdBy' | 'shared'>, caller: Actor): boolean =>
  view.shared || isAuthor(caller, view);

const isAuthor = ({ kind, id }: Actor, { createdBy }: Pick<SavedView, 'createdBy'>): boolean =>
  createdBy.erased !== true && createdBy.kind === kind && createdBy.id === id;

/** @param isAnyAllowed Also a view that the caller does not see. */
const editable = (
  { viewId, expectedRevisions, ...rights }: Addressed,
  views: SavedViews,
  by: Actor,
  isAnyAllowed = false,
): SavedView | Refusal => {
  const view = views.get(viewId);
  if (!view || !(isAnyAllowed || isVisible(view, by))) return refuse('NOT_FOUND', UNKNOWN_VIEW);
  if (!isAnyAllowed && !mayEdit(view, by, rights))
    return refuse('PERMISSION_DENIED', 'Only its author and managers may change a shared view.');
  return expectedRevisions?.includes(view.revision) === false
    ? refuse('PRECONDITION_FAILED', `The view is now at revision ${view.revision}.`)
    : view;
};

const UNKNOWN_VIEW = 'No view has this id.';

const notSharing = refuse(
  'PERMISSION_DENIED',
  'Sharing a view needs the permission service-desk.tickets:write.',
);

const limitReached = (existing: string, limit: number) =>
  refuse('VIEW_LIMIT_REACHED', `${existing}; at most ${limit} are allowed.`, { limit });

const detailsOf = ({ name, shared, filters, sort, columns }: ViewDetails): ViewDetails => ({
  name,
  shared,
  filters,
  sort,
  columns,
});

const isSame = (before: ViewDetails, after: ViewDetails): boolean =>
  before.name === after.name &&
  before.shared === after.shared &&
  before.sort === after.sort &&
  before.columns.join() === after.columns.join() &&
  sorted(before.filters) === sorted(after.filters);

const sorted = (filters: ViewDetails['filters']): string =>
  JSON.stringify(Object.entries(filters).toSorted(([a], [b]) => (a < b ? -1 : 1)));
