import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SpaceDocument } from '../../../src/domain/buildings/document.ts';
import { draftsOf, type GraphNode } from '../../../src/domain/buildings/nodes.ts';
import { planImport, type ImportPlan } from '../../../src/domain/buildings/plan.ts';
import { isRefusal } from '../../../src/engine/aggregates/decider.ts';
import {
  buildingOf,
  element,
  identifiedBy,
  space,
  storey,
} from '../../support/domain/building-documents.ts';

interface Room {
  readonly id: string | null;
  readonly label: string;
  readonly system?: string;
}

const room = (id: string | null, label: string, system = 'ifc'): Room => ({ id, label, system });

const spaceOf = ({ id, label, system }: Room): SpaceDocument =>
  space(label, id === null ? {} : identifiedBy(id, system));

/** The building after these rooms were imported, by labels unless said. */
const imported = (
  rooms: readonly Room[],
  existing: readonly GraphNode[] = [],
  { replace = false, codes = 'suggested' as const }: Options = {},
): readonly GraphNode[] => {
  const drafts = draftsOf(
    buildingOf([storey('0', { ...identifiedBy('S', 'ifc'), spaces: rooms.map(spaceOf) })]),
  );
  const freshIds = drafts.map((_, index) => `${existing.length}-${index}`);
  const plan = planImport({ drafts, existing, replace, codes, freshIds });
  if (isRefusal(plan)) throw new Error(plan.detail);
  return applied(existing, plan);
};

interface Options {
  readonly replace?: boolean;
  readonly codes?: 'suggested' | 'stated';
}

const applied = (existing: readonly GraphNode[], { create, update, remove }: ImportPlan) => {
  const nodes = new Map(existing.map((node) => [node.id, node]));
  for (const { id } of remove) nodes.delete(id);
  for (const node of [...create, ...update]) nodes.set(node.id, node);
  return [...nodes.values()];
};

const codesOf = (nodes: readonly GraphNode[]) =>
  Object.fromEntries(
    nodes.filter(({ kind }) => kind === 'space').map(({ externalId, code }) => [externalId, code]),
  );

describe('codes that are generated from labels', () => {
  it('are unique among the nodes of a kind, numbered in the order of the identifiers', () => {
    const nodes = imported([room('B', '1'), room('A', '1'), room('C', '1 (2)'), room('D', '1')]);
    expect(codesOf(nodes)).toEqual({ A: '1', B: '1 (2)', C: '1 (2) (2)', D: '1 (3)' });
  });

  it('are unique among all nodes, and a place has the plain label', () => {
    const spaces = [space('0', identifiedBy('A', 'ifc'))];
    spaces[0]!.elements = [element('0', identifiedBy('0', 'ifc'))];
    const drafts = draftsOf(buildingOf([storey('0', { ...identifiedBy('S', 'ifc'), spaces })]));
    const freshIds = drafts.map((_, index) => `${index}`);
    const input = { drafts, replace: false, codes: 'suggested', freshIds } as const;
    const plan = planImport({ ...input, existing: [] });
    const existing = isRefusal(plan) ? [] : plan.create;
    const codes = existing.map(({ kind, code }) => `${kind} ${code}`);
    expect(codes).toEqual(['building B', 'storey 0', 'space 0 (2)', 'element 0 (3)']);
    expect(planImport({ ...input, existing })).toMatchObject({ create: [], update: [] });
  });

  it.each([false, true])(
    'are stable when lines of the file change places (replace=%s)',
    (replace) => {
      const first = imported([room('A', 'WC'), room('B', 'WC')]);
      const again = imported([room('B', 'WC'), room('A', 'WC')], first, { replace });
      expect(codesOf(again)).toEqual({ A: 'WC', B: 'WC (2)' });
    },
  );

  it.each([false, true])('are stable when an earlier room is new (replace=%s)', (replace) => {
    const first = imported([room('B', 'WC')]);
    const again = imported([room('A', 'WC'), room('B', 'WC')], first, { replace });
    expect(codesOf(again)).toEqual({ A: 'WC (2)', B: 'WC' });
  });

  it('are stable with a warning when the file has another label', () => {
    const first = imported([room('A', '101'), room('B', 'WC'), room('C', 'WC')]);
    const drafts = draftsOf(
      buildingOf([
        storey('0', {
          ...identifiedBy('S', 'ifc'),
          spaces: [room('A', '201'), room('B', 'WC'), room('C', 'WC')].map(spaceOf),
        }),
      ]),
    );
    const freshIds = drafts.map((_, index) => `x${index}`);
    const plan = planImport({
      drafts,
      existing: first,
      replace: false,
      codes: 'suggested',
      freshIds,
    });
    expect(plan).toMatchObject({
      update: [{ code: '101', name: 'Room 201' }],
      warnings: ['codes kept although the file has other labels: 1, first "101" for "201"'],
    });
  });

  it('do not clash with those of a building that stays', () => {
    const first = imported([room('A', 'WC')]);
    expect(codesOf(imported([room('B', 'WC')], first))).toEqual({ A: 'WC', B: 'WC (2)' });
  });

  it("do not change the building's own, also with another identifier", () => {
    const named = (id: string) =>
      draftsOf(buildingOf([], { code: 'H2', ...identifiedBy(id, 'ifc') }));
    const built = planImport({
      drafts: named('X'),
      existing: [],
      replace: false,
      codes: 'suggested',
      freshIds: ['b'],
    });
    const existing = isRefusal(built) ? [] : built.create;
    const again = { drafts: named('Y'), existing, replace: true, freshIds: ['c'] };
    expect(planImport({ ...again, codes: 'suggested' })).toMatchObject({
      update: [{ id: 'b', code: 'H2', externalId: 'Y' }],
    });
  });

  it('are free again when replace removes the room', () => {
    const first = imported([room('A', 'WC')]);
    expect(codesOf(imported([room('B', 'WC')], first, { replace: true }))).toEqual({ B: 'WC' });
  });

  it('match a room of another system or of none by its label, never by a number', () => {
    const first = imported([room(null, 'WC'), room('C', 'WC (2)', 'cafm')], [], {
      codes: 'stated',
    });
    const nodes = imported([room('A', 'WC'), room('B', 'WC')], first);
    expect(codesOf(nodes)).toEqual({ A: 'WC', B: 'WC (3)', C: 'WC (2)' });
    expect(nodes).toHaveLength(5);
  });

  it('are unique and stable over any imports in any order', () => {
    const rooms = fc.uniqueArray(
      fc.record({
        id: fc.constantFrom('A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'),
        label: fc.constantFrom('WC', 'WC (2)', 'WC (3)', '1'),
      }),
      { selector: ({ id }) => id, maxLength: 8 },
    );
    const run = fc.record({ rooms, replace: fc.boolean() });
    fc.assert(
      fc.property(fc.array(run, { maxLength: 5 }), (runs) => {
        let nodes: readonly GraphNode[] = [];
        for (const { rooms: given, replace } of runs) {
          const before = codesOf(nodes);
          nodes = imported(given, nodes, { replace });
          const after = codesOf(nodes);
          expect(new Set(Object.values(after)).size).toBe(Object.keys(after).length);
          for (const [id, code] of Object.entries(after)) expect(before[id] ?? code).toBe(code);
        }
      }),
    );
  });
});
