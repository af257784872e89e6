/** Saved views, over HTTP. contract.md section 5. */
import { describe, expect, it } from 'vitest';
import { testApi } from '../../support/api/api.ts';

const VIEWS = '/api/service-desk/views';
const platform = testApi(() => ({ personKeysTrustedMs: 0 }), { per: 'test' });
const [agent, manager, viewer] = ['agent', 'manager', 'viewer'].map((name) =>
  platform.as(`${name}@acme.test`),
) as [
  ReturnType<typeof platform.as>,
  ReturnType<typeof platform.as>,
  ReturnType<typeof platform.as>,
];
const stranger = platform.as('agent@globex.test');

const view = {
  name: 'Open, soonest due',
  shared: true,
  filters: { state: 'new,triaged', assigned: 'me', overdue: 'true', search: 'gas' },
  sort: 'dueAt',
  columns: ['number', 'subject', 'place', 'dueAt'],
};
const save = async (over: object = {}, by = agent) => {
  const answer = await by.post(VIEWS, { ...view, ...over });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
};
const namesOf = async (by = agent) =>
  (await by.get(VIEWS)).body.items.map(({ name }: { name: string }) => name);

describe('a saved view', () => {
  it('is returned as saved, from the list and by its id', async () => {
    const saved = await agent.post(VIEWS, view);
    expect(saved).toMatchObject({
      status: 201,
      headers: { etag: '"0"', location: `${VIEWS}/${saved.body.viewId}` },
      body: { ...view, revision: 0, editable: true, createdBy: { name: 'Acme Agent' } },
    });
    expect((await agent.get(VIEWS)).body).toEqual({ items: [saved.body] });
    const got = await agent.get(saved.headers['location']!);
    expect(got).toMatchObject({ status: 200, headers: { etag: '"0"' }, body: saved.body });
    const cached = await agent.get(`${VIEWS}/${saved.body.viewId}`, { 'if-none-match': '"0"' });
    expect(cached.status).toBe(304);
  });

  it('has defaults for all but its name', async () => {
    const { body } = await agent.post(VIEWS, { name: 'All' });
    expect(body).toMatchObject({ shared: false, filters: {}, sort: '-createdAt' });
    expect(body.columns).toContain('subject');
  });

  it('is saved once under one Idempotency-Key, and changed once', async () => {
    const key = { 'idempotency-key': 'view-1' };
    const first = await agent.post(VIEWS, view, key);
    const path = `${VIEWS}/${first.body.viewId}`;
    const changed = await agent.patch(path, { name: 'x' }, key);
    await agent.patch(path, { name: 'y' });
    for (const [again, before] of [
      [await agent.post(VIEWS, view, key), first],
      [await agent.patch(path, { name: 'x' }, key), changed],
    ] as const) {
      expect(again.body).toEqual(before.body);
      expect(again).toMatchObject({ status: before.status });
      expect(again.headers).toMatchObject({
        etag: before.headers['etag'],
        'idempotent-replayed': 'true',
      });
    }
    expect(await namesOf()).toEqual(['y']);
    const other = await agent.post(VIEWS, { ...view, name: 'z' }, key);
    expect(other).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } });
  });

  it('is changed in part, only at the revision that was read', async () => {
    const { viewId } = await save();
    // Another view's change moves no revision of this one.
    await save({ name: 'Other' });
    const change = (body: object, etag: string) =>
      agent.patch(`${VIEWS}/${viewId}`, body, { 'if-match': etag });
    const changed = await change({ filters: { priority: 'high' } }, '"0"');
    expect(changed).toMatchObject({ status: 200, headers: { etag: '"1"' } });
    expect(changed.body).toMatchObject({ ...view, filters: { priority: 'high' }, revision: 1 });
    expect(changed.body.filters).toEqual({ priority: 'high' });
    const late = await change({ name: 'x' }, '"0"');
    expect(late).toMatchObject({ status: 412, body: { code: 'PRECONDITION_FAILED' } });
    const same = await change({ filters: { priority: 'high' } }, '"1"');
    expect(same).toMatchObject({ status: 200, headers: { etag: '"1"' } });
  });

  it('is a 404 once it is deleted', async () => {
    const { viewId } = await save();
    const path = `${VIEWS}/${viewId}`;
    expect((await agent.delete(path, { 'if-match': '"3"' })).status).toBe(412);
    expect((await agent.delete(path)).status).toBe(204);
    for (const answer of [
      await agent.delete(path),
      await agent.get(path),
      await agent.patch(path, { name: 'x' }),
    ])
      expect(answer).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  });

  it.each([
    ['a filter that the list does not have', { filters: { states: 'new' } }, 'filters.states'],
    ['a page', { filters: { page: '2' } }, 'filters.page'],
    ['a sort among the filters', { filters: { sort: 'dueAt' } }, 'filters.sort'],
    ['a state that does not exist', { filters: { state: 'new,nwe' } }, 'filters.state'],
    ['a filter that is no text', { filters: { overdue: true } }, 'filters.overdue'],
    ['an unknown sort', { sort: 'number' }, 'sort'],
    ['an unknown column', { columns: ['salary'] }, 'columns[0]'],
    ['a column twice', { columns: ['state', 'state'] }, 'columns'],
    ['no column', { columns: [] }, 'columns'],
    ['a blank name', { name: ' ' }, 'name'],
    ['a name of invisible characters', { name: '\u200b\u2060\ufeff\u00ad' }, 'name'],
    ['an unknown member', { colour: 'red' }, 'colour'],
    [
      'filters of too many characters in all',
      {
        filters: {
          category: Array.from({ length: 50 }, () => 'c'.repeat(39)).join(),
          state: Array.from({ length: 50 }, () => 'in_progress').join(),
          priority: Array.from({ length: 50 }, () => 'critical').join(),
        },
      },
      'filters',
    ],
  ])('is refused with %s', async (_, over, path) => {
    const answer = await agent.post(VIEWS, { ...view, ...over });
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
    // A regular expression tells a person nothing.
    expect(answer.body.detail).not.toContain('pattern');
    expect(answer.body.errors[0].path).toBe(path);
    expect(await namesOf()).toEqual([]);
  });
});

describe('the views of an organisation', () => {
  it('are own ones and shared ones, by name', async () => {
    await save({ name: 'beta' });
    await save({ name: 'Alpha', shared: false });
    await save({ name: 'gamma', shared: false }, viewer);
    expect(await namesOf()).toEqual(['Alpha', 'beta']);
    expect(await namesOf(viewer)).toEqual(['beta', 'gamma']);
    expect(await namesOf(stranger)).toEqual([]);
  });

  it("are a 404 for another organisation, and for another user's private view", async () => {
    const shared = await save();
    const own = await save({ shared: false });
    for (const [by, { viewId }] of [
      [stranger, shared],
      [viewer, own],
    ] as const) {
      const path = `${VIEWS}/${viewId}`;
      for (const answer of [
        await by.get(path),
        await by.patch(path, { name: 'x' }, { 'if-match': '"9"' }),
        await by.delete(path),
      ])
        expect(answer).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    }
    expect((await agent.get(`${VIEWS}/no-uuid`)).status).toBe(404);
    expect(await namesOf()).toHaveLength(2);
  });

  it('are edited by their author and, shared ones, by managers', async () => {
    const { viewId } = await save();
    const path = `${VIEWS}/${viewId}`;
    expect((await viewer.get(path)).body.editable).toBe(false);
    expect((await manager.get(path)).body.editable).toBe(true);
    const refused = await viewer.patch(path, { name: 'x' });
    expect(refused).toMatchObject({ status: 403, body: { code: 'PERMISSION_DENIED' } });
    expect((await viewer.delete(path)).status).toBe(403);
    expect((await manager.patch(path, { name: 'Ours' })).status).toBe(200);
    expect(await namesOf()).toEqual(['Ours']);
  });

  it('have another tag for who may edit them than for who may not', async () => {
    const { viewId } = await save();
    const path = `${VIEWS}/${viewId}`;
    const author = { 'if-none-match': (await agent.get(path)).headers['etag']! };
    const read = await viewer.get(path, author);
    expect(read).toMatchObject({ status: 200, body: { editable: false } });
    const reader = { 'if-none-match': read.headers['etag']! };
    expect((await viewer.get(path, reader)).status).toBe(304);
    expect((await manager.get(path, reader)).body.editable).toBe(true);
    // Their tag names the revision all the same.
    const ifMatch = { 'if-match': read.headers['etag']! };
    expect((await agent.patch(path, { name: 'x' }, ifMatch)).status).toBe(200);
    expect((await agent.patch(path, { name: 'y' }, ifMatch)).status).toBe(412);
  });

  it('are shared only with the permission to write tickets', async () => {
    const refused = await viewer.post(VIEWS, view);
    expect(refused).toMatchObject({ status: 403, body: { code: 'PERMISSION_DENIED' } });
    expect((await platform.as('developer@acme.test').get(VIEWS)).status).toBe(403);
  });

  it('are at most 50 of a person: the 51st is refused with the limit', async () => {
    for (let at = 0; at < 50; at += 1) await save({ name: `v${at}`, shared: false });
    const refused = await agent.post(VIEWS, view);
    expect(refused).toMatchObject({
      status: 409,
      body: { code: 'VIEW_LIMIT_REACHED', limit: 50 },
    });
    await save({ name: 'of somebody else' }, manager);
    const own = (await agent.get(VIEWS)).body.items.find(
      ({ editable }: { editable: boolean }) => editable,
    );
    expect((await agent.delete(`${VIEWS}/${own.viewId}`)).status).toBe(204);
    expect((await agent.post(VIEWS, view)).status).toBe(201);
  });

  it("are cleared by managers, who see only whose others' private ones are", async () => {
    const { viewId, createdBy, createdAt, updatedAt } = await save({ shared: false });
    const own = await save({ shared: false, name: 'Own' }, manager);
    const { body } = await manager.get(VIEWS);
    expect(body).toEqual({ items: [own], others: [{ viewId, createdBy, createdAt, updatedAt }] });
    expect((await viewer.get(VIEWS)).body).toEqual({ items: [] });
    const path = `${VIEWS}/${viewId}`;
    expect((await manager.get(path)).status).toBe(404);
    expect((await manager.patch(path, { name: 'x' })).status).toBe(404);
    expect((await manager.delete(path)).status).toBe(204);
    expect((await manager.get(VIEWS)).body.others).toEqual([]);
    expect(await namesOf()).toEqual([]);
  });

  it('name no author who was erased', async () => {
    const shared = await save();
    const own = await save({ shared: false });
    const path = `${VIEWS}/${shared.viewId}`;
    const ifNoneMatch = { 'if-none-match': (await manager.get(path)).headers['etag']! };
    const asked = await manager.post('/api/v1/erasures', {
      subject: { userId: shared.createdBy.id },
      texts: 'keep',
      reason: 'Asked for on 1 May.',
    });
    const erasure = `/api/v1/erasures/${asked.body.erasureId}`;
    await expect.poll(async () => (await manager.get(erasure)).body.status).toBe('finished');
    const createdBy = { kind: 'user', id: 'erased', erased: true };
    const { items, others } = (await manager.get(VIEWS)).body;
    expect(items).toEqual([{ ...shared, createdBy }]);
    expect(others).toMatchObject([{ viewId: own.viewId, createdBy }]);
    expect((await manager.get(path, ifNoneMatch)).body).toEqual(items[0]);
    expect((await manager.delete(`${VIEWS}/${own.viewId}`)).status).toBe(204);
  });

  it('are the same in another process', async () => {
    const other = await platform.beside();
    const { viewId } = await save();
    expect(await namesOf(other.as('agent@acme.test'))).toEqual([view.name]);
    await other.as('manager@acme.test').patch(`${VIEWS}/${viewId}`, { name: 'Ours' });
    expect(await namesOf()).toEqual(['Ours']);
  });
});
