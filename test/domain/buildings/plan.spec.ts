import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRefusal } from '../../../src/engine/aggregates/decider.ts';
import type { ImportDocument } from '../../../src/domain/buildings/document.ts';
import { draftsOf, type GraphNode } from '../../../src/domain/buildings/nodes.ts';
import { planImport, type ImportPlan } from '../../../src/domain/buildings/plan.ts';
import { BUILDING_NODES_MAX, IMPORT_NODES_MAX } from '../../../src/domain/buildings/limits.ts';
import {
  anyDocument,
  element,
  identifiedBy,
  buildingOf,
  refusalOf,
  smallBuilding,
  space,
  storey,
} from '../../support/domain/building-documents.ts';

const planned = (
  document: ImportDocument,
  existing: readonly GraphNode[] = [],
  replace = false,
  run = 'a',
) => {
  const drafts = draftsOf(document);
  const freshIds = drafts.map((_, index) => `${run}${index}`);
  return planImport({ drafts, existing, replace, freshIds });
};

const plan = (...given: Parameters<typeof planned>): ImportPlan => {
  const outcome = planned(...given);
  if (isRefusal(outcome)) throw new Error(outcome.detail);
  return outcome;
};

/** The building once the plan is carried out. */
const after = (existing: readonly GraphNode[], { create, update, remove }: ImportPlan) => {
  const nodes = new Map(existing.map((node) => [node.id, node]));
  for (const { id } of remove) nodes.delete(id);
  for (const node of [...create, ...update]) nodes.set(node.id, node);
  return [...nodes.values()];
};

const built = (document: ImportDocument) => after([], plan(document));
const rooms = (...spaces: Parameters<typeof space>[]) =>
  buildingOf([storey('0', { spaces: spaces.map((given) => space(...given)) })]);
const named = (nodes: readonly GraphNode[], code: string) =>
  nodes.find((node) => node.code === code)!;

describe('a node of the document', () => {
  it('is matched by its triple, regardless of its code', () => {
    const existing = built(rooms(['1', identifiedBy('X')]));
    const { create, update } = plan(rooms(['2', identifiedBy('X')]), existing, false, 'b');
    expect(create).toEqual([]);
    expect(update).toEqual([{ ...named(existing, '1'), code: '2', name: 'Room 2' }]);
  });

  it('is matched by its code when no triple matches', () => {
    const existing = built(rooms(['1']));
    const { update } = plan(rooms(['1', { name: 'New' }]), existing, false, 'b');
    expect(update).toEqual([{ ...named(existing, '1'), name: 'New' }]);
  });

  it('is matched by its triple first, over the whole document', () => {
    const existing = built(rooms(['1', identifiedBy('X')]));
    const next = after(
      existing,
      plan(rooms(['1'], ['2', identifiedBy('X')]), existing, false, 'b'),
    );
    expect(named(next, '2').id).toBe(named(existing, '1').id);
    expect(named(next, '1').externalId).toBeNull();
  });

  it('is a new one under another identifier of the same system', () => {
    const existing = built(rooms(['1', identifiedBy('X')]));
    expect(refusalOf(planned(rooms(['1', identifiedBy('Y')]), existing))).toMatchObject({
      refused: 'CONFLICT',
      extra: { errors: [{ path: 'building.storeys[0].spaces[0]' }] },
    });
  });

  it('keeps its identity when moved', () => {
    const existing = built(buildingOf([storey('0', { spaces: [space('R')] }), storey('1')]));
    const document = buildingOf([storey('1', { spaces: [space('R')] })]);
    const { create, update } = plan(document, existing, false, 'b');
    const parent = { kind: 'storey', id: existing.at(-1)!.id };
    expect(create).toEqual([]);
    expect(update).toMatchObject([{ kind: 'space', parent }]);
  });

  it('is matched by code within its own kind', () => {
    const existing = built(rooms(['0']));
    expect(existing.map(({ kind, code }) => `${kind} ${code}`)).toEqual([
      'building B',
      'storey 0',
      'space 0',
    ]);
    expect(plan(rooms(['0']), existing, false, 'b')).toMatchObject({
      create: [],
      shapes: [],
      update: [],
      remove: [],
      moved: [],
      warnings: ['codes of nodes of more than one kind: 1, first "0"'],
    });
  });

  it('is reported where a node of another kind has its code', () => {
    const existing = built(rooms(['1']));
    const document = buildingOf([storey('0', { elements: [element('1'), element('2')] })]);
    expect(plan(document, existing, false, 'b').warnings).toEqual([
      'codes of nodes of more than one kind: 1, first "1"',
    ]);
  });

  it('cannot be of another kind', () => {
    const existing = built(rooms(['1', identifiedBy('X')]));
    const document = buildingOf([storey('0', { elements: [element('1', identifiedBy('X'))] })]);
    expect(refusalOf(planned(document, existing)).refused).toBe('CONFLICT');
  });

  it('does not take over the code of a node that the document omits', () => {
    const existing = built(rooms(['1', identifiedBy('X')], ['2', identifiedBy('Y')]));
    expect(refusalOf(planned(rooms(['2', identifiedBy('X')]), existing))).toMatchObject({
      extra: { errors: [{ path: 'building.storeys[0].spaces[0].code' }] },
    });
  });
});

describe('an external identifier', () => {
  it('is added to a node that had none', () => {
    const existing = built(rooms(['1']));
    const next = after(existing, plan(rooms(['1', identifiedBy('X')]), existing));
    expect(named(next, '1')).toMatchObject({ externalId: 'X', sourceSystem: 'cad' });
  });

  it.each([false, true])('is kept where the document has none, replace=%s', (replace) => {
    const existing = built(rooms(['1', identifiedBy('X')]));
    const next = after(existing, plan(rooms(['1']), existing, replace, 'b'));
    expect(named(next, '1')).toMatchObject({ externalId: 'X', sourceSystem: 'cad' });
  });

  it('of another system is kept by replace=false, and changed by replace=true', () => {
    const existing = built(rooms(['1', identifiedBy('X')]));
    const document = rooms(['1', identifiedBy('Y', 'cafm')]);
    const idOf = (replace: boolean) =>
      named(after(existing, plan(document, existing, replace, 'b')), '1').externalId;
    expect([idOf(false), idOf(true)]).toEqual(['X', 'Y']);
  });

  it('is not kept where the document gives it to another node', () => {
    const existing = built(rooms(['1', identifiedBy('X')]));
    const document = buildingOf([
      storey('0', { spaces: [space('1')], elements: [element('9', identifiedBy('X'))] }),
    ]);
    const next = after(existing, plan(document, existing, true, 'b'));
    expect(named(next, '1').externalId).toBeNull();
    expect(named(next, '9').externalId).toBe('X');
  });

  it('of the building survives another document, and is not overwritten', () => {
    const existing = built(buildingOf([], identifiedBy('HQ')));
    expect(plan(buildingOf([], { name: 'New' }), existing).update).toMatchObject([
      { kind: 'building', name: 'New', externalId: 'HQ' },
    ]);
    expect(refusalOf(planned(buildingOf([], identifiedBy('OTHER')), existing)).refused).toBe(
      'CONFLICT',
    );
  });
});

describe('details that the document leaves out', () => {
  const existing = built(rooms(['1', { areaSqm: 20, isLeasable: true }]));

  it('stay as they are without replace', () =>
    expect(plan(rooms(['1', { areaSqm: null }]), existing).update).toEqual([]));

  it('are reset with replace', () => {
    expect(plan(rooms(['1']), existing, true, 'b').create).toContainEqual(
      expect.objectContaining({
        code: '1',
        details: { spaceTypeSlug: 'office', areaSqm: null, isLeasable: false },
      }),
    );
  });
});

describe('replace=true', () => {
  it('gives every node but the building a new id', () => {
    const existing = built(smallBuilding());
    const { create, update, remove } = plan(smallBuilding(), existing, true, 'b');
    expect(create.map(({ id }) => id[0])).toEqual(create.map(() => 'b'));
    expect(update).toEqual([]);
    expect(remove).toEqual(existing.filter(({ kind }) => kind !== 'building'));
  });
});

it('refuses more nodes than the limit of one import', () => {
  const one = draftsOf(rooms(['1']))[1]!;
  const drafts = Array.from({ length: IMPORT_NODES_MAX + 2 }, () => one);
  const outcome = planImport({ drafts, existing: [], replace: false, freshIds: [] });
  expect(refusalOf(outcome).refused).toBe('PAYLOAD_TOO_LARGE');
});

it('refuses more nodes than the limit of a building, but lets a larger one shrink', () => {
  const [building, floor, room] = built(rooms(['1']));
  const full = Array.from({ length: BUILDING_NODES_MAX - 2 }, (_, at) => ({
    ...room!,
    id: `${at}`,
    code: `R${at}`,
  }));
  const existing = [building!, floor!, ...full];
  expect(refusalOf(planned(rooms(['new']), existing, false, 'b')).refused).toBe(
    'PAYLOAD_TOO_LARGE',
  );
  expect(plan(rooms(['R0']), existing, false, 'b').create).toEqual([]);
  const larger = [...existing, { ...room!, id: 'more', code: 'more' }];
  expect(plan(rooms(['new']), larger, true, 'b').remove.length).toBeGreaterThan(2);
});

describe('for any two documents', () => {
  it('parents exist before and after, and ids are unique', () =>
    fc.assert(
      fc.property(anyDocument, anyDocument, fc.boolean(), (first, second, replace) => {
        const existing = built(first);
        const outcome = planned(second, existing, replace, 'b');
        const next = isRefusal(outcome) ? existing : after(existing, outcome);
        const kinds = new Map(next.map(({ id, kind }) => [id, kind]));
        expect(kinds.size).toBe(next.length);
        const lost = next.filter(({ parent }) => parent && kinds.get(parent.id) !== parent.kind);
        expect(lost).toEqual([]);
      }),
    ));

  it('codes within a kind and triples stay unique', () =>
    fc.assert(
      fc.property(anyDocument, anyDocument, fc.boolean(), (first, second, replace) => {
        const existing = built(first);
        const outcome = planned(second, existing, replace, 'b');
        const next = isRefusal(outcome) ? existing : after(existing, outcome);
        const codes = next.map(({ kind, code }) => `${kind} ${code}`);
        const triples = next
          .filter(({ externalId }) => externalId !== null)
          .map(({ sourceSystem, externalId }) => `${sourceSystem} ${externalId}`);
        expect(new Set(codes).size).toBe(codes.length);
        expect(new Set(triples).size).toBe(triples.length);
      }),
    ));

  it('replace=true leaves exactly the second', () =>
    fc.assert(
      fc.property(anyDocument, anyDocument, (first, second) => {
        const { create } = plan(second, built(first), true, 'b');
        expect(create).toHaveLength(draftsOf(second).length - 1);
      }),
    ));
});
