import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ImportDocument } from '../../../src/domain/buildings/document.ts';
import { draftsOf, type GraphNode, type ModelName } from '../../../src/domain/buildings/nodes.ts';
import { planImport, type ImportPlan } from '../../../src/domain/buildings/plan.ts';
import { isRefusal } from '../../../src/engine/aggregates/decider.ts';
import {
  buildingOf,
  element,
  identifiedBy,
  point,
  refusalOf,
  space,
  storey,
} from '../../support/domain/building-documents.ts';

interface Given {
  readonly model?: ModelName;
  readonly replace?: boolean;
  readonly codes?: 'stated' | 'suggested';
  readonly storeys?: ReadonlyMap<string, string>;
}

let runs = 0;
const planned = (existing: readonly GraphNode[], document: ImportDocument, given: Given = {}) => {
  const drafts = draftsOf(document);
  runs += 1;
  const freshIds = drafts.map((_, index) => `${runs}-${index}`);
  return planImport({ drafts, existing, replace: false, freshIds, ...given });
};

const plan = (...given: Parameters<typeof planned>): ImportPlan => {
  const outcome = planned(...given);
  if (isRefusal(outcome)) throw new Error(outcome.detail);
  return outcome;
};

const applied = (
  existing: readonly GraphNode[],
  { create, update, remove, moved }: ImportPlan,
): readonly GraphNode[] => {
  const nodes = new Map(existing.map((node) => [node.id, node]));
  for (const { id } of remove) nodes.delete(id);
  for (const node of [...create, ...update, ...moved]) nodes.set(node.id, node);
  return [...nodes.values()];
};

const importing = (...given: Parameters<typeof planned>) => applied(given[0], plan(...given));

const named = (nodes: readonly GraphNode[], code: string): GraphNode =>
  nodes.find((node) => node.code === code && node.kind !== 'building')!;

const parentCode = (nodes: readonly GraphNode[], code: string) =>
  nodes.find(({ id }) => id === named(nodes, code).parent!.id)!.code;

const level = (code: string, elevation: number, more: Parameters<typeof storey>[1] = {}) =>
  storey(code, { ...identifiedBy(`arch-${code}`, 'ifc'), name: 'Level 1', elevation, ...more });

const architecture = (more: Parameters<typeof storey>[1] = {}) =>
  buildingOf([level('Level 1', 0, { spaces: [space('R', identifiedBy('R', 'ifc'))], ...more })]);

const electrical = (elevation = 0.4, more: Parameters<typeof storey>[1] = {}) =>
  buildingOf([
    level('Level 1', elevation, {
      ...identifiedBy('electrical-1', 'ifc'),
      elements: [element('Lamp', { ...identifiedBy('L', 'ifc'), points: [point('P')] })],
      ...more,
    }),
  ]);

const electrics = { model: 'electrical', codes: 'suggested' } as const;

describe('a room that is shared by its code', () => {
  const roomOf = (...given: Parameters<typeof space>) =>
    buildingOf([storey('00', { spaces: [space(...given)] })]);
  const base = importing([], roomOf('R'), { model: 'electrical' });

  it('gets the external identifier that it lacks, and stays of its model', () => {
    const { create, update } = plan(base, roomOf('R', { ...identifiedBy('X'), name: 'Other' }));
    expect([create, update]).toEqual([[], [{ ...named(base, 'R'), ...identifiedBy('X') }]]);
  });

  it('keeps one that it has', () => {
    const identified = importing([], roomOf('R', identifiedBy('E')), { model: 'electrical' });
    const other = plan(identified, roomOf('R', identifiedBy('X', 'other')));
    expect(other.update).toEqual([]);
    expect(other.warnings).toEqual([
      'external identifiers ignored because the rooms of other models have others: 1, first "R"',
    ]);
    expect(plan(identified, roomOf('R', identifiedBy('E'))).warnings).toEqual([]);
    expect(plan(identified, roomOf('R')).warnings).toEqual([]);
  });

  it('does not get that of another node', () => {
    const lamp = element('Lamp', identifiedBy('X'));
    const others = importing(base, buildingOf([storey('00', { elements: [lamp] })]));
    expect(refusalOf(planned(others, roomOf('R', identifiedBy('X'))))).toMatchObject({
      refused: 'CONFLICT',
    });
  });
});

describe('a storey of another model', () => {
  const base = importing([], architecture());
  const found = (document: ImportDocument, given: Given = electrics) =>
    plan(base, document, given).storeys.map(({ by, to }) => [by, to.code]);

  it('is matched by external identifier, regardless of its name', () => {
    const same = electrical(9, { ...identifiedBy('arch-Level 1', 'ifc'), code: 'E1' });
    expect(found(same)).toEqual([['externalId', 'Level 1']]);
  });

  it('is matched by name within half a metre', () => {
    expect(found(electrical(0.5))).toEqual([['elevation', 'Level 1']]);
    expect(found(electrical(-0.5))).toEqual([['elevation', 'Level 1']]);
    expect(found(electrical(0.51))).toEqual([['new', 'Level 1 (2)']]);
    expect(found(electrical(0.2, { code: 'E1', name: 'LEVEL  1' }))).toEqual([
      ['elevation', 'Level 1'],
    ]);
    expect(found(electrical(0.2, { code: 'E1', name: 'Other' }))).toEqual([['new', 'E1']]);
  });

  it('is the nearest of several, each matched once', () => {
    const two = importing(base, buildingOf([level('Upper', 0.6)]), { codes: 'suggested' });
    const document = buildingOf([
      level('A', 0.5, identifiedBy('a', 'ifc')),
      level('B', 0.55, identifiedBy('b', 'ifc')),
      level('C', 0.56, identifiedBy('c', 'ifc')),
    ]);
    const storeys = plan(two, document, electrics).storeys.map(({ by, to }) => [by, to.code]);
    expect(storeys).toEqual([
      ['elevation', 'Upper'],
      ['new', 'B'],
      ['new', 'C'],
    ]);
  });

  it('is the requested one, by external identifier or code, or a new one', () => {
    const to = named(base, 'Level 1').id;
    for (const from of ['electrical-1', 'E9']) {
      const given = { ...electrics, storeys: new Map([[from, to]]) };
      expect(found(electrical(9, { code: 'E9', name: 'E' }), given)).toEqual([
        ['given', 'Level 1'],
      ]);
    }
    const given = { ...electrics, storeys: new Map([['electrical-1', 'new']]) };
    expect(found(electrical(), given)).toEqual([['new', 'Level 1 (2)']]);
  });

  it('cannot be given where it does not exist', () => {
    const of = (from: string, to: string) =>
      refusalOf(planned(base, electrical(), { ...electrics, storeys: new Map([[from, to]]) }));
    expect(of('nothing', 'new')).toMatchObject({
      refused: 'VALIDATION_FAILED',
      extra: { errors: [{ path: 'storeys' }] },
    });
    expect(of('electrical-1', named(base, 'R').id).refused).toBe('REFERENCE_NOT_FOUND');
  });

  it('is found by its code in a document of stated codes', () => {
    const document = buildingOf([storey('Level 1', { elements: [element('Lamp')] })]);
    expect(found(document, { model: 'electrical' })).toEqual([['code', 'Level 1']]);
  });

  it('is found by its code where it has no external identifier', () => {
    const document = buildingOf([storey('Level 1', { name: 'First' })]);
    const before = importing([], document);
    expect(plan(before, document).storeys.map(({ by }) => by)).toEqual(['code']);
  });

  it('keeps its name, level and place, and the building its own', () => {
    const document = electrical(0.4, { name: 'Level 1', level: 7 });
    const { create, update, moved } = plan(
      base,
      { ...document, building: { ...document.building, name: 'Electrics' } },
      electrics,
    );
    expect(create.map(({ kind, model }) => [kind, model])).toEqual([
      ['element', 'electrical'],
      ['point', 'electrical'],
    ]);
    expect([update, moved]).toEqual([[], []]);
  });
});

describe('a room of another model', () => {
  it('has the elements that a document puts into the room of its identity', () => {
    const base = importing([], architecture());
    const room = space('anything', {
      ...identifiedBy('R', 'ifc'),
      elements: [element('Lamp', identifiedBy('L', 'ifc'))],
    });
    const after = importing(base, electrical(0, { elements: [], spaces: [room] }), electrics);
    expect(parentCode(after, 'Lamp')).toBe('R');
    expect(named(after, 'R')).toEqual(named(base, 'R'));
  });
});

it('two rooms of one identifier are refused where the room is of another model', () => {
  const base = importing([], architecture());
  const room = (code: string) => space(code, identifiedBy('R', 'ifc'));
  const twice = buildingOf([level('Level 1', 0, { spaces: [room('R'), room('R2')] })]);
  for (const model of [null, 'electrical']) {
    expect(refusalOf(planned(base, twice, { model }))).toMatchObject({
      refused: 'CONFLICT',
      extra: { errors: [{ path: 'building.storeys[0].spaces[1].externalId' }] },
    });
  }
});

it('a named model does not describe the building, also where a storey has its identifier', () => {
  const base = importing([], architecture());
  const identity = identifiedBy('X', 'ifc');
  const document = electrical(9, identity);
  const given = { ...document, building: { ...document.building, ...identity } };
  expect(named(importing(base, given, electrics), 'Level 1 (2)')).toMatchObject(identity);
});

describe('an element of another model', () => {
  it('is not the one of the same identifier or code', () => {
    const lamp = element('Lamp', identifiedBy('L', 'ifc'));
    const base = importing([], architecture({ elements: [lamp] }));
    expect(refusalOf(planned(base, electrical(), electrics))).toMatchObject({
      refused: 'CONFLICT',
      detail: expect.stringContaining('its externalId is that of an element of the unnamed model'),
    });
    const coded = buildingOf([storey('Level 1', { elements: [element('Lamp')] })]);
    expect(refusalOf(planned(base, coded, { model: 'electrical' })).refused).toBe('CONFLICT');
    const another = electrical(0, { elements: [element('Lamp', identifiedBy('L2', 'ifc'))] });
    expect(named(importing(base, another, electrics), 'Lamp (2)').externalId).toBe('L2');
  });
});

it('a label of another model’s element, of any system, is in use', () => {
  for (const identity of [{}, identifiedBy('L9', 'cafm')]) {
    const base = importing([], architecture({ elements: [element('Lamp', identity)] }));
    const codes = importing(base, electrical(), electrics).map(({ code, model }) => [code, model]);
    expect(codes).toContainEqual(['Lamp', null]);
    expect(codes).toContainEqual(['Lamp (2)', 'electrical']);
  }
});

describe('renewing a model', () => {
  const replace = { codes: 'suggested', replace: true } as const;
  const inRoom = electrical(0, {
    elements: [],
    spaces: [
      space('R', {
        ...identifiedBy('R', 'ifc'),
        elements: [element('Lamp', { ...identifiedBy('L', 'ifc'), points: [point('P')] })],
      }),
    ],
  });
  const both = importing(importing([], architecture()), inRoom, electrics);

  it("moves other models' elements to the room that replaces theirs", () => {
    const after = importing(both, architecture(), replace);
    expect(named(after, 'R').id).not.toBe(named(both, 'R').id);
    expect(parentCode(after, 'Lamp')).toBe('R');
    expect(named(after, 'Lamp').id).toBe(named(both, 'Lamp').id);
    expect(named(after, 'P')).toEqual(named(both, 'P'));
  });

  it('moves them to the storey where no room does', () => {
    const after = importing(both, architecture({ spaces: [] }), replace);
    expect(parentCode(after, 'Lamp')).toBe('Level 1');
    expect(named(after, 'Lamp').parent!.id).not.toBe(named(both, 'Level 1').id);
  });

  it('keeps a storey that others have nodes on, and says so', () => {
    const { remove, warnings, ...rest } = plan(both, buildingOf([]), replace);
    expect(remove.map(({ kind }) => kind)).toEqual(['space']);
    expect(warnings[0]).toContain('kept because nodes of other models are on them: 1');
    const after = applied(both, { remove, warnings, ...rest });
    expect(parentCode(after, 'Lamp')).toBe('Level 1');
    expect(named(after, 'Level 1')).toEqual(named(both, 'Level 1'));
  });

  it('with an empty document removes it and nothing else', () => {
    const after = importing(both, buildingOf([]), { ...electrics, replace: true });
    expect(after).toEqual(both.filter(({ model }) => model === null));
  });
});

describe('models in any order', () => {
  /** Each of its own identities; places are shared by code. */
  const modelNames = [null, 'electrical', 'plumbing'] as const;
  const anyModel = fc.record({
    model: fc.constantFrom<ModelName>(...modelNames),
    replace: fc.boolean(),
    storeys: fc.array(
      fc.record({
        level: fc.nat({ max: 2 }),
        rooms: fc.uniqueArray(fc.nat({ max: 3 }), { maxLength: 3 }),
        elements: fc.uniqueArray(fc.nat({ max: 9 }), { maxLength: 4 }),
      }),
      { maxLength: 3 },
    ),
  });
  type AnyModel = typeof anyModel extends fc.Arbitrary<infer Model> ? Model : never;

  const documentOf = ({ model, storeys }: AnyModel): ImportDocument => {
    const seen = new Set<string>();
    const once = (code: string) => !seen.has(code) && seen.add(code) !== undefined;
    const own = (kind: string, n: number) => `${kind}-${model}-${n}`;
    return buildingOf(
      storeys.flatMap(({ level: at, rooms, elements }) => {
        if (!once(`storey ${at}`)) return [];
        const lamps = elements.filter((n) => once(own('e', n))).map((n) => own('e', n));
        const made = lamps.map((code) =>
          element(code, { ...identifiedBy(code), points: [point(`p-${code}`)] }),
        );
        return [
          storey(`${at}`, {
            spaces: rooms
              .filter((n) => once(`room ${n}`))
              .map((n, index) => space(`${n}`, { elements: index === 0 ? made.slice(1) : [] })),
            elements: rooms.length > 0 ? made.slice(0, 1) : made,
          }),
        ];
      }),
    );
  };

  /** Without the location, which depends on generated ids. */
  const rowsOf = (nodes: readonly GraphNode[], isOf: (model: ModelName) => boolean) =>
    nodes
      .filter(({ kind, model }) => kind !== 'building' && isOf(model))
      .map((node) => ({ ...node, parent: null }));

  it('keep the nodes of other models, and leave no dangling references', () => {
    fc.assert(
      fc.property(fc.array(anyModel, { maxLength: 8 }), (models) => {
        let nodes: readonly GraphNode[] = importing([], buildingOf([]));
        for (const given of models) {
          const { model, replace } = given;
          const outcome = planned(nodes, documentOf(given), { model, replace });
          // A room or storey made by one model may have the code of another's.
          if (isRefusal(outcome)) continue;
          const after = applied(nodes, outcome);
          const isOther = (other: ModelName) => other !== model;
          expect(rowsOf(after, isOther)).toEqual(rowsOf(nodes, isOther));
          const ids = new Set(after.map(({ id }) => id));
          expect(after.filter(({ parent }) => parent && !ids.has(parent.id))).toEqual([]);
          const placed = outcome.moved.map(({ id }) => id);
          const moved = new Set(outcome.remove.map(({ id }) => id));
          const before = new Map(nodes.map((node) => [node.id, node]));
          // Only nodes whose parent was removed have a new parent.
          for (const id of placed) expect(moved).toContain(before.get(id)!.parent!.id);
          nodes = after;
          const again = plan(nodes, documentOf(given), { model });
          expect([again.create, again.update, again.remove, again.moved]).toEqual([[], [], [], []]);
        }
      }),
      { numRuns: 300 },
    );
  });
});
