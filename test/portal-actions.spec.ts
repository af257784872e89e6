/** The notices of quick actions, and of actions that an earlier page has left. */
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createQuickActions, type QuickAction } from '../packages/portal/src/actions.ts';
import { AtriumError, type Problem } from '../packages/sdk/src/problems.ts';

const problem = (status: number, title: string) =>
  new AtriumError(
    { type: 'about:blank', title, status, code: 'RATE_LIMITED', requestId: 'r' } as Problem,
    new Response(null, { status }),
  );

const opened = () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const records = new Set<string>();
  const lookedUp: string[] = [];
  const actions = createQuickActions(
    { keep: (id) => void records.add(id), forget: (id) => void records.delete(id) },
    (id) => lookedUp.push(id),
  );
  const words = () => actions.notices().map((notice) => notice.words);
  return { actions, records, lookedUp, words };
};

const failing = (error: Error): QuickAction => ({
  words: 'SR-000004: priority set to high',
  failure: 'The priority of SR-000004 was not changed',
  items: [],
  shows: {},
  repeat: {},
  async send() {
    throw error;
  },
  revert: async () => [],
});

describe('an action that fails', () => {
  it('was not done if it was refused because of the rate of requests', async () => {
    const { actions, lookedUp, words } = opened();
    const refused = problem(429, 'Too many requests');
    actions.act(failing(refused));
    await vi.waitFor(() => expect(actions.notices()[0]?.error).toBe(refused));
    expect(words()).toEqual(['The priority of SR-000004 was not changed']);
    expect(lookedUp).toEqual([]);
  });

  it('may have been done if a proxy answered in place of the server', async () => {
    const { actions, lookedUp } = opened();
    actions.act(failing(problem(502, 'Bad Gateway')));
    await vi.waitFor(() => expect(lookedUp).toHaveLength(1));
  });
});

describe('actions that earlier pages have left', () => {
  const repeat = { words: 'Go on', run: () => {} };

  it('are all offered, and kept until they are dismissed', () => {
    const { actions, records, words } = opened();
    const ids = Array.from({ length: 6 }, (_, n) => `bulk ${n}`);
    for (const id of ids) {
      actions.keep(id, { failure: id, reason: null, repeat: {} });
      actions.report({ id, failure: id, error: new Error('it was closed.'), repeat });
    }
    expect(words()).toEqual(ids);
    expect([...records]).toEqual(ids);
    actions.dismiss(actions.notices()[0]!.key);
    expect([...records]).toEqual(ids.slice(1));
  });

  it('make room for one another where none can be repeated', () => {
    const { actions, words } = opened();
    for (let n = 0; n < 6; n += 1)
      actions.report({ id: `${n}`, failure: `${n}`, error: new Error('refused') });
    expect(words()).toEqual(['2', '3', '4', '5']);
  });

  it('show their progress in one notice, and can be stopped', () => {
    const { actions } = opened();
    const stop = vi.fn();
    actions.showRunning({ id: 'bulk', words: '0 of 2', stop });
    const { key } = actions.notices()[0]!;
    actions.showRunning({ id: 'bulk', words: '1 of 2', stop });
    expect(actions.notices()).toMatchObject([{ key, words: '1 of 2', canStop: true }]);
    actions.stop(key);
    expect(stop).toHaveBeenCalledOnce();
    actions.report({ id: 'bulk', failure: 'Not finished', error: new Error('stopped'), repeat });
    expect(actions.notices()).toMatchObject([{ words: 'Not finished', canStop: false }]);
  });
});
