import { describe, expect, it } from 'vitest';
import type { ViewDetails, ViewEvent } from '../../../src/domain/views/events.ts';
import {
  VIEWS_OF_ORGANISATION_MAX,
  VIEWS_OF_PERSON_MAX,
} from '../../../src/domain/views/limits.ts';
import {
  hiddenViews,
  mayEdit,
  viewsAfter,
  viewsDecider,
  visibleViews,
  type ViewCommand,
} from '../../../src/domain/views/views.ts';
import { fold, noon, specify } from '../../support/domain/specify.ts';

const given = specify(viewsDecider);

const id = (n: number) => `00000000-0000-4000-8000-${`${n}`.padStart(12, '0')}`;
const details: ViewDetails = {
  name: 'Open',
  shared: false,
  filters: { state: 'new,triaged', overdue: 'true' },
  sort: 'dueAt',
  columns: ['number', 'subject'],
};
const created = (n: number, by = 'ana', over: Partial<ViewDetails> = {}): ViewEvent => ({
  type: 'ViewCreated',
  viewId: id(n),
  organisation: 'acme',
  author: { kind: 'user', id: by },
  ...details,
  ...over,
});
const many = (count: number, by: string, from = 0) =>
  Array.from({ length: count }, (_, at) => created(from + at, by));

const agent = { mayShare: true, mayManage: false };
const viewer = { mayShare: false, mayManage: false };
const manager = { mayShare: true, mayManage: true };

const create = (over: Partial<ViewDetails> = {}, rights = agent): ViewCommand => ({
  type: 'CreateView',
  viewId: id(999),
  organisation: 'acme',
  details: { ...details, ...over },
  ...rights,
});
const change = (changes: Partial<ViewDetails>, rights: object = agent, n = 1): ViewCommand => ({
  type: 'ChangeView',
  viewId: id(n),
  changes,
  ...agent,
  ...rights,
});
const remove = (rights: object = agent, n = 1): ViewCommand => ({
  type: 'DeleteView',
  viewId: id(n),
  ...agent,
  ...rights,
});

describe('a saved view', () => {
  it('is created with its author', () => given().when(create()).records(created(999)));

  it('is not created twice under one id', () =>
    given(created(999)).when(create()).refuses('CONFLICT'));

  it('is shared only with permission', () => {
    given()
      .when(create({ shared: true }, viewer))
      .refuses('PERMISSION_DENIED');
    given()
      .when(create({ shared: true }))
      .records(created(999, 'ana', { shared: true }));
    given(created(1))
      .when(change({ shared: true }, viewer))
      .refuses('PERMISSION_DENIED');
    given(created(1, 'ana', { shared: true }))
      .when(change({ name: 'Mine' }, viewer))
      .records({ type: 'ViewChanged', viewId: id(1), ...details, shared: true, name: 'Mine' });
  });

  it('is limited to 50 per author', () => {
    given(...many(VIEWS_OF_PERSON_MAX - 1, 'ana'))
      .when(create())
      .records(created(999));
    given(...many(VIEWS_OF_PERSON_MAX, 'ana'))
      .when(create())
      .refuses('VIEW_LIMIT_REACHED', { limit: 50 });
    // A machine with the same id is another author.
    const by = { kind: 'client' as const, id: 'ana' };
    given(...many(VIEWS_OF_PERSON_MAX, 'ana'))
      .when(create(), { ...noon, by })
      .records({ ...created(999), author: by } as ViewEvent);
  });

  it('is limited to 100 per organisation', () => {
    const [bo, cy] = [many(50, 'bo'), many(50, 'cy', 50)];
    expect(bo.length + cy.length).toBe(VIEWS_OF_ORGANISATION_MAX);
    given(...bo, ...cy)
      .when(create())
      .refuses('VIEW_LIMIT_REACHED', { limit: 100 });
    given(...bo, ...cy, { type: 'ViewDeleted', viewId: id(7) })
      .when(create())
      .records(created(999));
  });

  it('keeps members that a change omits, and replaces filters and columns as a whole', () =>
    given(created(1))
      .when(change({ filters: { search: 'gas' }, columns: ['state'] }))
      .records({
        type: 'ViewChanged',
        viewId: id(1),
        ...details,
        filters: { search: 'gas' },
        columns: ['state'],
      }));

  it('records nothing for a change to its current values', () => {
    const filters = { overdue: 'true', state: 'new,triaged' };
    given(created(1))
      .when(change({ name: 'Open', filters }))
      .recordsNothing();
    for (const changes of [
      { name: 'x' },
      { shared: true },
      { filters: {} },
      { sort: 'x' },
      { columns: ['subject', 'number'] },
    ])
      expect(given(created(1)).when(change(changes)).outcome).toHaveLength(1);
  });

  it('of another user is not found, unless it is shared', () => {
    given(created(1, 'bo'))
      .when(change({ name: 'x' }))
      .refuses('NOT_FOUND');
    given(created(1, 'bo')).when(remove()).refuses('NOT_FOUND');
    given(created(1, 'bo')).when(remove(manager, 2)).refuses('NOT_FOUND');
  });

  it('of another user is only deleted by a manager, so that no limit stays full', () => {
    given(created(1, 'bo'))
      .when(change({ name: 'x' }, manager))
      .refuses('NOT_FOUND');
    given(created(1, 'bo'))
      .when(remove(manager))
      .records({ type: 'ViewDeleted', viewId: id(1) });
    const unshared: ViewEvent = { type: 'ViewChanged', viewId: id(1), ...details };
    given(created(1, 'bo', { shared: true }), unshared)
      .when(remove(manager))
      .records({ type: 'ViewDeleted', viewId: id(1) });
  });

  it('that is shared is changed and deleted by its author and by managers', () => {
    const shared = created(1, 'bo', { shared: true });
    given(shared)
      .when(change({ name: 'x' }))
      .refuses('PERMISSION_DENIED');
    given(shared).when(remove()).refuses('PERMISSION_DENIED');
    given(shared)
      .when(remove(manager))
      .records({ type: 'ViewDeleted', viewId: id(1) });
    const own = created(1, 'ana', { shared: true });
    given(own)
      .when(remove(viewer))
      .records({ type: 'ViewDeleted', viewId: id(1) });
  });

  it('is changed only at its current revision, independent of other views', () => {
    const other: ViewEvent = { type: 'ViewChanged', viewId: id(2), ...details };
    const history = [created(1), created(2), other];
    given(...history)
      .when(remove({ expectedRevisions: [0] }))
      .records({ type: 'ViewDeleted', viewId: id(1) });
    given(...history)
      .when(remove({ expectedRevisions: [0] }, 2))
      .refuses('PRECONDITION_FAILED');
    given(...history)
      .when(change({ name: 'x' }, { expectedRevisions: [] }))
      .refuses('PRECONDITION_FAILED');
    // Users without access cannot learn its revision.
    given(created(1, 'bo'))
      .when(remove({ expectedRevisions: [5] }))
      .refuses('NOT_FOUND');
  });
});

describe('the views of an organisation', () => {
  const history = [created(1), created(2, 'bo'), created(3, 'bo', { shared: true })];

  it('are seen by their authors, and shared ones by all', () => {
    const views = fold(viewsDecider, history);
    const seenBy = (by: string) =>
      visibleViews(views, { kind: 'user', id: by }).map(({ viewId }) => viewId);
    expect(seenBy('ana')).toEqual([id(1), id(3)]);
    expect(seenBy('bo')).toEqual([id(2), id(3)]);
    expect(seenBy('cy')).toEqual([id(3)]);
    const hidden = hiddenViews(views, { kind: 'user', id: 'ana' });
    expect(hidden.map(({ viewId }) => viewId)).toEqual([id(2)]);
  });

  it("of an erased author are nobody's, also where a user has the id in their place", () => {
    const by = { kind: 'user', id: 'erased' } as const;
    const recorded = { event: created(1, 'erased'), at: noon.at };
    const views = viewsAfter({ ...recorded, by: { ...by, erased: true } }, null);
    expect(visibleViews(views, by)).toEqual([]);
    expect(hiddenViews(views, by)).toHaveLength(1);
    expect(mayEdit(views.get(id(1))!, by, manager)).toBe(false);
    expect(visibleViews(viewsAfter({ ...recorded, by }, null), by)).toHaveLength(1);
  });

  it('show who may edit them, by the same rules', () => {
    const views = fold(viewsDecider, history);
    const may = (n: number, rights = agent) => mayEdit(views.get(id(n))!, noon.by, rights);
    expect([may(1), may(2), may(3), may(3, manager), may(2, manager)]).toEqual([
      true,
      false,
      false,
      true,
      false,
    ]);
  });

  it("have their author's name and the number of their changes", () => {
    const by = { kind: 'user' as const, id: 'ana', name: 'Ana' };
    const changed: ViewEvent = { type: 'ViewChanged', viewId: id(1), ...details, name: 'x' };
    const views = [created(1), changed].reduce(
      (before: ReturnType<typeof viewsAfter> | null, event) =>
        viewsAfter({ event, at: noon.at, by: event === changed ? noon.by : by }, before),
      null,
    );
    expect(views!.get(id(1))).toMatchObject({ createdBy: by, revision: 1, name: 'x' });
  });
});
