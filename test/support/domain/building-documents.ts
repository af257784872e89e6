/** Building documents with defaults. */
import * as fc from 'fast-check';
import type {
  ElementDocument,
  ImportDocument,
  PointDocument,
  SpaceDocument,
  StoreyDocument,
} from '../../../src/domain/buildings/document.ts';
import { isRefusal, type Refusal } from '../../../src/engine/aggregates/decider.ts';

export const point = (code: string, more: Partial<PointDocument> = {}): PointDocument => ({
  code,
  name: `Point ${code}`,
  pointClass: 'Zone_Air_Temperature_Sensor',
  valueType: 'number',
  ...more,
});

export const element = (code: string, more: Partial<ElementDocument> = {}): ElementDocument => ({
  code,
  name: `Element ${code}`,
  elementTypeSlug: 'ahu',
  ...more,
});

export const space = (code: string, more: Partial<SpaceDocument> = {}): SpaceDocument => ({
  code,
  name: `Room ${code}`,
  spaceTypeSlug: 'office',
  ...more,
});

export const storey = (code: string, more: Partial<StoreyDocument> = {}): StoreyDocument => ({
  code,
  name: `Storey ${code}`,
  level: 0,
  ...more,
});

export const buildingOf = (
  storeys: StoreyDocument[] = [],
  more: Partial<ImportDocument['building']> = {},
): ImportDocument => ({
  site: { code: 'S', name: 'Site' },
  building: { code: 'B', name: 'Building', storeys, ...more },
});

/** Two rooms on a storey, an element in one and one beside them, a point on each. */
export const smallBuilding = (): ImportDocument =>
  buildingOf([
    storey('00', {
      ...identifiedBy('G0'),
      spaces: [
        space('001', {
          ...identifiedBy('R1'),
          areaSqm: 20,
          isLeasable: true,
          elements: [
            element('VAV-1', { ...identifiedBy('E1'), points: [point('T-1', identifiedBy('P1'))] }),
          ],
        }),
        space('002', { ...identifiedBy('R2'), spaceTypeSlug: 'meeting-room' }),
      ],
      elements: [
        element('AHU-1', { ...identifiedBy('E2'), points: [point('T-2', identifiedBy('P2'))] }),
      ],
    }),
    storey('01', { ...identifiedBy('G1'), level: 1, spaces: [space('101', identifiedBy('R3'))] }),
  ]);

/** An external identity. */
export const identifiedBy = (externalId: string, sourceSystem = 'cad') => ({
  externalId,
  sourceSystem,
});

export const refusalOf = (outcome: object): Refusal => {
  if (!isRefusal(outcome)) throw new Error(`not refused: ${JSON.stringify(outcome)}`);
  return outcome;
};

/**
 * Documents that often meet each other: few codes, few external ids, from two systems. Within one
 * document codes and triples are unique.
 */
export const anyDocument: fc.Arbitrary<ImportDocument> = fc
  .array(
    fc.record({
      kind: fc.constantFrom('storey', 'space', 'element', 'loose', 'point'),
      label: fc.nat({ max: 7 }),
      name: fc.constantFrom('Alpha', 'Beta', 'Gämma 🏢'),
      externalId: fc.option(fc.constantFrom('x1', 'x2', 'x3', 'x4', 'x5', 'x6'), {
        freq: 2,
      }),
      sourceSystem: fc.constantFrom('cad', 'cafm'),
      areaSqm: fc.option(fc.double({ min: 0, max: 1e6, noNaN: true }), { nil: undefined }),
    }),
    { maxLength: 24 },
  )
  .map((nodes) => {
    const storeys: StoreyDocument[] = [];
    const codes = new Set<string>();
    const triples = new Set<string>();
    for (const { kind, label, name, externalId, sourceSystem, areaSqm } of nodes) {
      const code = `${kind === 'loose' ? 'element' : kind}-${label}`;
      if (codes.has(code)) continue;
      const triple = `${sourceSystem} ${externalId}`;
      const named = externalId !== null && !triples.has(triple);
      const given = { name, ...(named ? identifiedBy(externalId, sourceSystem) : {}) };
      const onStorey = storeys.at(-1);
      const inSpace = onStorey?.spaces?.at(-1);
      const onElement = (inSpace?.elements ?? onStorey?.elements)?.at(-1);
      if (kind === 'storey') {
        storeys.push(storey(code, { ...given, level: label, spaces: [], elements: [] }));
      } else if (kind === 'space' && onStorey) {
        onStorey.spaces!.push(space(code, { ...given, areaSqm, elements: [] }));
      } else if (kind === 'element' && inSpace) {
        inSpace.elements!.push(element(code, { ...given, points: [] }));
      } else if (kind === 'loose' && onStorey) {
        onStorey.elements!.push(element(code, { ...given, points: [] }));
      } else if (kind === 'point' && onElement) {
        onElement.points!.push(point(code, given));
      } else {
        continue;
      }
      codes.add(code);
      if (named) triples.add(triple);
    }
    return buildingOf(storeys);
  });
