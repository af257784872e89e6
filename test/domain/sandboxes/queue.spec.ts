/** The order in which sandboxes are built: contract.md section 4. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  admitted,
  inOrderOfTurns,
  type QueuedSandbox,
} from '../../../src/domain/sandboxes/queue.ts';
import { afterNoon } from '../../support/domain/specify.ts';

const NO_BOUND = { inAll: Infinity, hostBytesMax: Infinity };

/** `acme/dora/1`: organisation, developer and the minute of the request. */
const sandbox = (name: string, more: Partial<QueuedSandbox> = {}): QueuedSandbox => {
  const [organisation = '', developer = '', minute = ''] = name.split('/');
  return {
    sandboxId: name,
    organisation,
    developer,
    generation: 1,
    status: 'provisioning',
    replacesDatabase: false,
    requestedAt: afterNoon(Number(minute)).at,
    begunAt: null,
    estimatedBytes: 10,
    ...more,
  };
};
const underWay = (name: string, minute = 30) => sandbox(name, { begunAt: afterNoon(minute).at });
const namesOf = (all: readonly QueuedSandbox[]) => all.map(({ sandboxId }) => sandboxId);

describe('the queue of sandboxes', () => {
  it('is round-robin over organisations, and by time of request within one', () =>
    expect(
      namesOf(
        inOrderOfTurns(
          ['acme/a/3', 'acme/b/1', 'acme/c/2', 'globex/d/5', 'globex/e/4', 'initech/f/9'].map(
            (name) => sandbox(name),
          ),
        ),
      ),
    ).toEqual(['acme/b/1', 'globex/e/4', 'initech/f/9', 'acme/c/2', 'globex/d/5', 'acme/a/3']));

  it('begins with the organisation whose last build started longest ago', () => {
    const lately = sandbox('acme/a/1', { status: 'ready', begunAt: afterNoon(50).at });
    const before = sandbox('globex/d/1', { status: 'ready', begunAt: afterNoon(40).at });
    const waiting = [sandbox('acme/b/2'), sandbox('globex/e/3'), sandbox('initech/f/4')];
    expect(namesOf(inOrderOfTurns([lately, before, ...waiting]))).toEqual([
      'initech/f/4',
      'globex/e/3',
      'acme/b/2',
    ]);
  });

  it('counts turns of organisations whose sandboxes are gone', () => {
    const before = sandbox('globex/d/1', { status: 'ready', begunAt: afterNoon(40).at });
    const all = [before, sandbox('acme/b/2'), sandbox('globex/e/3')];
    const turns = new Map([
      ['acme', afterNoon(50).at],
      ['globex', afterNoon(30).at],
    ]);
    const bounds = { ...NO_BOUND, inAll: 1 };
    expect(namesOf(admitted(all, bounds, turns))).toEqual(['globex/e/3']);
    expect(namesOf(admitted(all, bounds))).toEqual(['acme/b/2']);
  });

  it('builds at most one sandbox per developer and two per organisation at a time', () => {
    const all = ['acme/a/1', 'acme/a/2', 'acme/b/3', 'acme/c/4', 'globex/d/5'];
    expect(
      namesOf(
        admitted(
          all.map((name) => sandbox(name)),
          NO_BOUND,
        ),
      ),
    ).toEqual(['acme/a/1', 'globex/d/5', 'acme/b/3']);
  });

  it('counts builds in progress', () => {
    const all = [underWay('acme/a/0'), underWay('acme/b/0'), sandbox('acme/c/1')];
    expect(admitted(all, NO_BOUND)).toEqual([]);
    expect(admitted([underWay('acme/a/0'), sandbox('acme/a/1')], NO_BOUND)).toEqual([]);
  });

  it("builds up to the host's concurrency limit", () => {
    const all = [underWay('acme/a/0'), sandbox('globex/b/1'), sandbox('initech/c/2')];
    expect(namesOf(admitted(all, { ...NO_BOUND, inAll: 2 }))).toEqual(['globex/b/1']);
  });

  it("builds smaller sandboxes before one that exceeds the host's capacity", () => {
    const large = sandbox('acme/a/1', { estimatedBytes: 90 });
    const small = sandbox('globex/b/2');
    const ready = sandbox('initech/c/0', { status: 'ready', begunAt: afterNoon(1).at });
    const bounds = { ...NO_BOUND, hostBytesMax: 99 };
    expect(namesOf(admitted([ready, large, small], bounds))).toEqual(['globex/b/2']);
    expect(namesOf(admitted([large, small], { ...bounds, hostBytesMax: 100 }))).toEqual([
      'acme/a/1',
      'globex/b/2',
    ]);
  });

  it('builds a reset sandbox where there is room for its second database', () => {
    const reset = (name: string) => sandbox(name, { generation: 2, replacesDatabase: true });
    const [first, second] = [reset('acme/a/1'), reset('globex/b/2')];
    const bounds = { ...NO_BOUND, hostBytesMax: 39 };
    expect(namesOf(admitted([first, second], bounds))).toEqual(['acme/a/1']);
    const begun = { ...first, begunAt: afterNoon(30).at };
    expect(admitted([begun, second], bounds)).toEqual([]);
    const ended = { ...begun, status: 'ready', replacesDatabase: false } as const;
    expect(namesOf(admitted([ended, second], bounds))).toEqual(['globex/b/2']);
    // The database of one that has failed is gone.
    const failed = sandbox('acme/a/1', { generation: 2 });
    expect(namesOf(admitted([failed], { ...bounds, hostBytesMax: 10 }))).toEqual(['acme/a/1']);
  });

  it('stays within all limits for any requests, and ends empty', () =>
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            organisation: fc.constantFrom('acme', 'globex', 'initech'),
            developer: fc.constantFrom('a', 'b', 'c'),
            minute: fc.integer({ min: 0, max: 59 }),
          }),
          { maxLength: 40 },
        ),
        fc.integer({ min: 1, max: 6 }),
        (requests, inAll) => {
          let all: readonly QueuedSandbox[] = requests.map((one, at) => ({
            ...sandbox(`${one.organisation}/${one.developer}/${one.minute}`),
            sandboxId: String(at),
          }));
          for (let minute = 60; all.some(({ begunAt }) => begunAt === null); minute += 1) {
            const chosen = new Set(namesOf(admitted(all, { ...NO_BOUND, inAll })));
            expect(chosen.size).toBeGreaterThan(0);
            expect(chosen.size).toBeLessThanOrEqual(inAll);
            const begun = all.filter(({ sandboxId }) => chosen.has(sandboxId));
            for (const of of Map.groupBy(begun, (one) => one.organisation).values()) {
              expect(of.length).toBeLessThanOrEqual(2);
              expect(new Set(of.map(({ developer }) => developer)).size).toBe(of.length);
            }
            all = all.map((one) =>
              chosen.has(one.sandboxId)
                ? { ...one, status: 'ready', begunAt: afterNoon(minute).at }
                : one,
            );
          }
        },
      ),
    ));

  it('delays an organisation by at most one turn of a busy one', () => {
    const many = Array.from({ length: 50 }, (_, minute) => sandbox(`acme/${minute}/${minute}`));
    const late = sandbox('globex/late/59');
    const first = admitted([...many, late], { ...NO_BOUND, inAll: 1 });
    expect(namesOf(first)).toEqual(['acme/0/0']);
    const ended = { ...many[0]!, status: 'ready', begunAt: afterNoon(60).at } as const;
    const next = admitted([ended, ...many.slice(1), late], { ...NO_BOUND, inAll: 1 });
    expect(namesOf(next)).toEqual(['globex/late/59']);
  });
});
